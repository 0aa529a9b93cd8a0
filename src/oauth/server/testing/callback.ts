import { createServer } from 'node:http';
import { listen } from '../../../store/testing/listen.ts';

export async function startCallbackServer() {
  const server = createServer((_req, res) => res.setHeader('content-type', 'text/html').end('<title>Back at the client</title>'));
  const { url, close } = await listen(server);
  return { redirectUri: `${url}/callback`, close };
}
