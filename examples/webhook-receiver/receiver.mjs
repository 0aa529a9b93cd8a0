// Prints its URL, acknowledges every delivery, and prints each event once. To start the receiver:
// node examples/webhook-receiver/receiver.mjs [port]
import { createServer } from 'node:http';

const seen = new Set();

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const id = request.headers['webhook-id'];
  // Deliveries may be repeated and may arrive in any order. Ignore a known webhook-id, and data older than the stored data.
  if (!seen.has(id)) {
    seen.add(id);
    const { type, data } = JSON.parse(body);
    console.log(`${type} ${data.connectionId ?? data.assignmentId ?? data.userId} ${data.updatedAt}`);
  }
  response.writeHead(204).end();
});
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/events`));
