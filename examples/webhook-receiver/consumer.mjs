// A webhook consumer with mistakes. Stores the state of connections and returns it at /state.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

const connections = {};
const server = createServer(async (request, response) => {
  if (request.url === '/state') return response.end(JSON.stringify({ connections }));
  const { type, data } = await json(request);
  if (type === 'experience.connection.deleted') delete connections[data.connectionId];
  if (type === 'experience.connection.activated') connections[data.connectionId] = { state: 'ACTIVE' };
  if (/connection\.(created|deactivated)$/.test(type)) connections[data.connectionId] = { state: 'INACTIVE' };
  response.writeHead(204).end();
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
