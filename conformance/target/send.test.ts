import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { listen } from '../../src/store/testing/listen.ts';
import { send } from './send.ts';

test('a request is sent again if the server closes a reused connection, and fails if the server closes a new connection', async () => {
  const used = new WeakSet<object>();
  let closesNew = false;
  const server = createServer((request, response) => {
    if (used.has(request.socket) || closesNew) return void request.socket.resetAndDestroy();
    used.add(request.socket);
    response.end('{}');
  });
  await using listening = await listen(server);
  const post = () => send('POST', `${listening.url}/`, { body: {} }, { headers: {}, timeoutMs: 5000 });
  for (let count = 0; count < 3; count++) assert.equal((await post()).status, 200);
  closesNew = true;
  await assert.rejects(post(), /ECONNRESET/);
});
