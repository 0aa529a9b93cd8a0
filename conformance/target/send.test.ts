import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { send } from './send.ts';

test('a request is sent again if the server closes a reused connection, and fails if the server closes a new connection', async () => {
  const used = new WeakSet<object>();
  let closesNew = false;
  const server = createServer((request, response) => {
    if (used.has(request.socket) || closesNew) return void request.socket.resetAndDestroy();
    used.add(request.socket);
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const post = () => send('POST', url, { body: {} }, { headers: {}, timeoutMs: 5000 });
  try {
    for (let count = 0; count < 3; count++) assert.equal((await post()).status, 200);
    closesNew = true;
    await assert.rejects(post(), /ECONNRESET/);
  } finally {
    server.close();
  }
});
