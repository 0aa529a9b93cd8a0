import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { type EventStream, sendEventStream } from './event-stream.ts';
import { dial } from './testing/dial.ts';

type Write = (stream: EventStream, res: ServerResponse) => Promise<void>;

const BIG = { id: '1', event: 'big', data: { text: 'x'.repeat(200_000) } };
const server = createServer((_, res) => void answered.resolve(answer(res)));
let answer: (res: ServerResponse) => Promise<void>;
let answered: PromiseWithResolvers<void>;
before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
after(() => server.close());

type Client = Awaited<ReturnType<typeof dial>> & { readonly closing: AbortController; readonly over: Promise<void> };

/** Opens a stream. The member `over` is the promise that `sendEventStream` returns. */
async function streaming(write: Write, heartbeatMs = 60_000): Promise<Client> {
  const closing = new AbortController();
  answered = Promise.withResolvers();
  answer = (res) => sendEventStream(res, { closing: closing.signal, heartbeatMs }, (stream) => write(stream, res));
  const client = await dial((server.address() as AddressInfo).port);
  client.socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  return { ...client, closing, over: answered.promise };
}

const untilEnded: Write = async ({ ended }) => {
  if (!ended.aborted) await once(ended, 'abort');
};

test('a server-sent event has the id, the type and the data of the message, as one line of JSON', async () => {
  const { until, over } = await streaming(({ send }) => send({ id: '7', event: 'request', data: { path: '/a\nb' } }));
  assert.match(await until(/\r\n0\r\n\r\n$/), /id: 7\nevent: request\ndata: {"path":"\/a\\nb"}\n\n/);
  await over;
});

test('heartbeat comments are sent while there are no messages', async () => {
  const { until, closing, over } = await streaming(untilEnded, 1);
  await until(/(: still here\n\n[\s\S]*){2}/);
  closing.abort();
  await over;
});

test('the stream ends when the client disconnects', async () => {
  const { socket, until, over } = await streaming(untilEnded);
  await until(/the stream is open/);
  socket.destroy();
  await over;
});

/**
 * Sends messages until the stream ends. When the client must read before more data can be sent, resolves `stalled` with the number of bytes
 * in memory.
 */
function stallingAt(stalled: PromiseWithResolvers<number>): Write {
  return async ({ send, ended }, res) => {
    while (!ended.aborted) {
      const sent = send(BIG);
      if (res.writableNeedDrain) stalled.resolve(res.writableLength);
      await sent;
    }
  };
}

test('if a client does not read, at most one message is kept in memory', async () => {
  const stalled = Promise.withResolvers<number>();
  const { socket, closing, over } = await streaming(stallingAt(stalled));
  socket.pause();
  assert.ok((await stalled.promise) < 2 * BIG.data.text.length);
  socket.resume();
  closing.abort();
  await over;
});

test('a stream ends when the server closes, even if the client does not read', async () => {
  const stalled = Promise.withResolvers<number>();
  const { socket, closing, over } = await streaming(stallingAt(stalled));
  socket.on('error', () => {});
  socket.pause();
  await stalled.promise;
  closing.abort();
  await over;
  socket.resume();
  await once(socket, 'close');
});
