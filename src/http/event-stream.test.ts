import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { after, test } from 'node:test';
import { listen } from '../store/testing/listen.ts';
import { type EventStream, sendEventStream } from './event-stream.ts';
import { openConnection } from './testing/dial.ts';

type WriteEvents = (stream: EventStream, res: ServerResponse) => Promise<void>;

const LARGE_EVENT = { id: '1', event: 'big', data: { text: 'x'.repeat(200_000) } };
const server = createServer((_, res) => void responded.resolve(respond(res)));
let respond: (res: ServerResponse) => Promise<void>;
let responded: PromiseWithResolvers<void>;
const { port, close } = await listen(server);
after(close);

type Client = Awaited<ReturnType<typeof openConnection>> & { readonly closing: AbortController; readonly finished: Promise<void> };

async function openStream(write: WriteEvents, heartbeatMs = 60_000): Promise<Client> {
  const closing = new AbortController();
  responded = Promise.withResolvers();
  respond = (res) => sendEventStream(res, { closing: closing.signal, heartbeatMs }, (stream) => write(stream, res));
  const client = await openConnection(port);
  client.socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  return { ...client, closing, finished: responded.promise };
}

const waitUntilEnded: WriteEvents = async ({ ended }) => {
  if (!ended.aborted) await once(ended, 'abort');
};

test("a server-sent event has the message's id, type and data, with the data as one line of JSON", async () => {
  const { waitForText, finished } = await openStream(({ send }) => send({ id: '7', event: 'request', data: { path: '/a\nb' } }));
  assert.match(await waitForText(/\r\n0\r\n\r\n$/), /id: 7\nevent: request\ndata: {"path":"\/a\\nb"}\n\n/);
  await finished;
});

test('heartbeat comments are sent while there are no messages', async () => {
  const { waitForText, closing, finished } = await openStream(waitUntilEnded, 1);
  await waitForText(/(: still here\n\n[\s\S]*){2}/);
  closing.abort();
  await finished;
});

test('the stream ends when the client disconnects', async () => {
  const { socket, waitForText, finished } = await openStream(waitUntilEnded);
  await waitForText(/the stream is open/);
  socket.destroy();
  await finished;
});

test('nothing is written to a stream whose client disconnected before the stream began', async () => {
  let isWritten = false;
  responded = Promise.withResolvers();
  respond = async (res) => {
    await once(res, 'close');
    await sendEventStream(res, { closing: new AbortController().signal }, async () => {
      isWritten = true;
    });
  };
  const requested = once(server, 'request');
  const { socket } = await openConnection(port);
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await requested;
  socket.destroy();
  await responded.promise;
  assert.equal(isWritten, false);
});

/** When the buffer is full, resolves `stalled` with the number of bytes in it. */
function sendUntilEnded(stalled: PromiseWithResolvers<number>): WriteEvents {
  return async ({ send, ended }, res) => {
    while (!ended.aborted) {
      const sent = send(LARGE_EVENT);
      if (res.writableNeedDrain) stalled.resolve(res.writableLength);
      await sent;
    }
  };
}

test('if a client does not read, at most one message is kept in memory', async () => {
  const stalled = Promise.withResolvers<number>();
  const { socket, closing, finished } = await openStream(sendUntilEnded(stalled));
  socket.pause();
  assert.ok((await stalled.promise) < 2 * LARGE_EVENT.data.text.length);
  socket.resume();
  closing.abort();
  await finished;
});

test('a stream ends when the server closes, even if the client does not read', async () => {
  const stalled = Promise.withResolvers<number>();
  const { socket, closing, finished } = await openStream(sendUntilEnded(stalled));
  socket.on('error', () => {});
  socket.pause();
  await stalled.promise;
  closing.abort();
  await finished;
  socket.resume();
  await once(socket, 'close');
});
