import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import express from 'express';
import { defaultDecisions } from '../../contract/generated/decisions.ts';
import type { Exchange } from '../exchange.ts';
import { createHttpServer } from '../server.ts';
import { checkBody } from './body.ts';

test('the body is read even if the client closed its side of the connection before', async (t) => {
  const body = { accountId: '0f5ad5bc-63f2-4d6c-9d7e-2b7f1f0a5c11', experienceId: '019b76da-a800-7546-93d1-a837bd3bb86c' };
  const app = express();
  app.post('/', async (req, res) => {
    await once(req.socket, 'end');
    const exchange = { operationId: 'createExperienceConnection', req, res } as Exchange;
    res.json({ failure: await checkBody(exchange, defaultDecisions), body: exchange.body });
  });
  const server = createHttpServer({ listener: app, generateTraceId: () => 'a'.repeat(32) });
  t.after(() => server.close(0));
  const { port } = await server.listen(0);
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const json = JSON.stringify(body);
  socket.end(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`);
  const [, answer = ''] = (await text(socket)).split('\r\n\r\n');
  assert.deepEqual(JSON.parse(answer), { body });
});
