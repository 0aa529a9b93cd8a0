import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { openConnection } from '../http/testing/dial.ts';
import { sendRaw } from '../http/testing/raw-client.ts';
import { startEndlessServer } from '../testing/endless-server.ts';
import { openProxy, startProxy } from '../testing/proxy.ts';

async function readResponse(sent: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

test('the headers and the first part of a response arrive before the target has sent the rest', async (t) => {
  const { promise: answering, resolve } = Promise.withResolvers<ServerResponse>();
  const { url } = await startProxy(t, (_, res) => {
    res.flushHeaders();
    resolve(res);
  });
  const response = await fetch(`${url}/x`);
  const target = await answering;
  const reader = response.body!.getReader();
  for (const part of ['first', 'second']) {
    target.write(part);
    assert.equal(Buffer.from((await reader.read()).value!).toString(), part);
  }
  target.end();
  assert.equal((await reader.read()).done, true);
});

test('the first part of a request body arrives before the client has sent the rest', async (t) => {
  const { promise: arriving, resolve } = Promise.withResolvers<IncomingMessage>();
  const { url } = await startProxy(t, async (req, res) => {
    resolve(req);
    for await (const chunk of req) res.write(chunk);
    res.end();
  });
  const sent = request(`${url}/x`, { method: 'POST' });
  sent.write('first');
  const target = await arriving;
  assert.equal(String((await once(target, 'data'))[0]), 'first');
  sent.end('second');
  const response = await readResponse(sent);
  assert.equal(
    Buffer.concat(await response.toArray())
      .toString()
      .endsWith('second'),
    true,
  );
});

for (const [form, headers] of [
  ['a length', { 'content-length': 100 }],
  ['chunks', {}],
] as const) {
  test(`a response with ${form} that the target cuts is cut for the client, and recorded as no response`, async (t) => {
    const { url, targetUrl, waitForEntry } = await startProxy(t, (_, res) => {
      res.writeHead(200, headers);
      res.write('a part', () => res.destroy());
    });
    const response = await fetch(`${url}/cut`);
    assert.equal(response.status, 200);
    await assert.rejects(response.text());
    const { status, step, problem, traceId } = await waitForEntry('/cut');
    assert.deepEqual([status, step, problem?.type], [undefined, undefined, '/problems/proxy.cut']);
    const explained = (await (await fetch(`${url}/_control/explain/${traceId}`)).json()) as { summary: string };
    assert.equal(
      explained.summary,
      `The connection ended without a response. ${targetUrl} answered 200, and then closed the connection before the end of its response.`,
    );
  });
}

test('if a client goes away, the request to the target ends, before and within the response', async (t) => {
  for (const begins of [false, true]) {
    const { promise: left, resolve } = Promise.withResolvers<void>();
    const { port, waitForEntry } = await startProxy(t, (req, res) => {
      if (begins) res.write('a part');
      req.socket.once('close', () => resolve());
      arrived.resolve();
    });
    const arrived = Promise.withResolvers<void>();
    const { socket, waitForText } = await openConnection(port, 'GET /left HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await arrived.promise;
    if (begins) await waitForText(/a part/);
    socket.destroy();
    await left;
    const { status, problem } = await waitForEntry('/left');
    assert.deepEqual([status, problem], [undefined, undefined]);
  }
});

test('if the target answers before it has read the body, the client gets the response, and can use its connection again', async (t) => {
  const { port } = await startProxy(t, (_, res) => res.writeHead(413).end('too large'));
  const head = 'POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000000\r\n\r\n';
  const bytes = Buffer.concat([Buffer.from(head), Buffer.alloc(5_000_000), Buffer.from('GET /y HTTP/1.1\r\nHost: localhost\r\n\r\n')]);
  const { responses } = await sendRaw({ port, bytes, responses: 2 });
  assert.deepEqual(
    responses.map(({ status, body }) => [status, body]),
    [
      [413, 'too large'],
      [413, 'too large'],
    ],
  );
});

test('bodies of 200 MB pass in both directions, and take no more than 120 MB', async (t) => {
  const CHUNK = Buffer.alloc(1_000_000, 'a');
  function* createBody(megabytes: number) {
    for (let i = 0; i < megabytes; i++) yield CHUNK;
  }
  const { url, list } = await startProxy(t, async (req, res) => {
    let size = 0;
    for await (const chunk of req) size += (chunk as Buffer).length;
    await pipeline(Readable.from(createBody(size / 1_000_000)), res);
  });
  let peak = 0;
  async function pass(megabytes: number): Promise<void> {
    const sent = request(`${url}/large`, { method: 'POST' });
    const [response] = await Promise.all([readResponse(sent), pipeline(Readable.from(createBody(megabytes)), sent)]);
    let size = 0;
    for await (const chunk of response) {
      size += (chunk as Buffer).length;
      peak = Math.max(peak, process.memoryUsage.rss());
    }
    assert.equal(size, megabytes * 1_000_000);
  }
  // The first body fills the buffers of the client and the target, which are in the same process.
  await pass(50);
  const before = process.memoryUsage.rss();
  await pass(200);
  assert.ok(peak - before < 120_000_000, `${peak - before} more bytes`);
  const [entry] = await list();
  assert.deepEqual([entry!.request!.bodyBytes, entry!.response!.bodyBytes], [200_000_000, 200_000_000]);
  assert.ok(JSON.stringify(entry).length < 40_000);
});

test('a client that does not read stops the target, so that the proxy keeps nothing for it', async (t) => {
  await using target = await startEndlessServer();
  const { port } = await openProxy(t, { upstream: { api: target.url } });
  // Without a listener for data, the socket reads only until its buffer is full.
  const client = connect({ port, host: '127.0.0.1' });
  t.after(() => client.destroy());
  client.write('GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(client, 'readable');
  for (let turn = 0; turn < 20_000 && target.taken < 100_000_000; turn++) await setImmediate();
  assert.ok(target.taken < 50_000_000, `${target.taken} bytes`);
});
