import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

export interface Message {
  /**
   * The id of the event. When a client reconnects, its header Last-Event-ID contains the id of the last event that it received. An event
   * without an id does not change that position.
   */
  readonly id?: string | undefined;
  /** The event type. */
  readonly event: string;
  readonly data: object;
}

export interface EventStream {
  /** This signal is aborted when the client disconnects or the server closes. */
  readonly ended: AbortSignal;
  /**
   * Sends an event. Resolves when the client can receive more data, or when the stream has ended. The caller must wait for each call before
   * the next, so that unsent events do not accumulate in memory.
   */
  send(message: Message): Promise<void>;
}

interface StreamOptions {
  /** This signal is aborted when the server closes. */
  readonly closing: AbortSignal;
  /** If no event is sent for this time, a comment is sent, so that proxies do not close the connection. In milliseconds of wall time. */
  readonly heartbeatMs?: number;
}

/** The JSON of the data of messages. The same data is often sent to many streams. */
const texts = new WeakMap<object, string>();

function textOf(data: object): string {
  let text = texts.get(data);
  if (text === undefined) {
    text = JSON.stringify(data);
    texts.set(data, text);
  }
  return text;
}

/**
 * Responds with server-sent events until the client disconnects or the server closes.
 * @param write sends events until `ended` is aborted. After that, errors that `write` throws are ignored.
 */
export async function sendEventStream(
  res: ServerResponse,
  { closing, heartbeatMs = 15_000 }: StreamOptions,
  write: (stream: EventStream) => Promise<void>,
): Promise<void> {
  const disconnected = new AbortController();
  const ended = AbortSignal.any([disconnected.signal, closing]);
  res.once('close', () => disconnected.abort());
  ended.addEventListener('abort', () => end(res));
  res.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
  // Some clients regard the stream as open only after they have received the first bytes of the body.
  res.write(': the stream is open\n\n');
  const heartbeat = setInterval(() => {
    // Without this check, comments would accumulate in memory for a client that does not read.
    if (!res.writableNeedDrain) res.write(': still here\n\n');
  }, heartbeatMs);
  try {
    if (!ended.aborted && res.req.method !== 'HEAD') {
      await write({
        ended,
        async send({ id, event, data }) {
          if (ended.aborted) return;
          heartbeat.refresh();
          if (!res.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${textOf(data)}\n\n`)) await drained(res, ended);
        },
      });
    }
  } catch (error) {
    if (!ended.aborted) throw error;
  } finally {
    clearInterval(heartbeat);
    end(res);
  }
}

async function drained(res: ServerResponse, ended: AbortSignal): Promise<void> {
  await once(res, 'drain', { signal: ended }).catch((error: unknown) => {
    if (!ended.aborted) throw error;
  });
}

/**
 * Ends the response. If the client does not read, destroys the connection, because waiting for the client would delay the close of the
 * server.
 */
function end(res: ServerResponse): void {
  if (res.writableNeedDrain) res.destroy();
  else res.end();
}
