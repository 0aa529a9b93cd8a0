import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/**
 * `waitForText` rejects if the connection closes before a match.
 * @param request sent as soon as the connection is open
 */
export async function openConnection(
  port: number,
  request = '',
): Promise<{ socket: Socket; waitForText(pattern: RegExp): Promise<string> }> {
  const socket = connect({ port, host: '127.0.0.1' }).setEncoding('latin1');
  let text = '';
  socket.on('data', (more: string) => {
    text += more;
  });
  const closed = new AbortController();
  socket.once('close', () => closed.abort());
  socket.write(request);
  await once(socket, 'connect');
  const waitForText = async (pattern: RegExp) => {
    while (!pattern.test(text)) await once(socket, 'data', { signal: closed.signal });
    return text;
  };
  return { socket, waitForText };
}
