import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

export interface StreamMessage {
  /** A client that reconnects sends its last event id in the Last-Event-ID header. */
  readonly id?: string | undefined;
  readonly event: string;
  readonly data: object;
}

export interface EventStream {
  /** Aborted when the client disconnects or the server closes. */
  readonly ended: AbortSignal;
  /** Await each call, so that unsent events do not fill the memory. */
  send(message: StreamMessage): Promise<void>;
}

interface StreamOptions {
  readonly closing: AbortSignal;
  /** The wall time without events, in milliseconds, after which a comment is sent, so that proxies do not close the connection. */
  readonly heartbeatMs?: number;
}

/** The JSON text of each message's data, which is often sent to many streams. */
const jsonCache = new WeakMap<object, string>();

function toJson(data: object): string {
  let text = jsonCache.get(data);
  if (text === undefined) {
    text = JSON.stringify(data);
    jsonCache.set(data, text);
  }
  return text;
}

/** @param write sends events until `ended` is aborted; later errors are ignored */
export async function sendEventStream(
  res: ServerResponse,
  { closing, heartbeatMs = 15_000 }: StreamOptions,
  write: (stream: EventStream) => Promise<void>,
): Promise<void> {
  const disconnected = new AbortController();
  const ended = AbortSignal.any([disconnected.signal, closing]);
  // A response that is already closed emits no further `close` event.
  if (res.destroyed) disconnected.abort();
  else res.once('close', () => disconnected.abort());
  ended.addEventListener('abort', () => endResponse(res));
  res.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
  // Some clients regard the stream as open only after the body's first bytes.
  res.write(': the stream is open\n\n');
  const heartbeat = setInterval(() => {
    // Send no comment while the client does not read, because comments would accumulate in memory.
    if (!res.writableNeedDrain) res.write(': still here\n\n');
  }, heartbeatMs);
  try {
    if (!ended.aborted && res.req.method !== 'HEAD') {
      await write({
        ended,
        async send({ id, event, data }) {
          if (ended.aborted) return;
          heartbeat.refresh();
          if (!res.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${toJson(data)}\n\n`))
            await waitForDrain(res, ended);
        },
      });
    }
  } catch (error) {
    if (!ended.aborted) throw error;
  } finally {
    clearInterval(heartbeat);
    endResponse(res);
  }
}

async function waitForDrain(res: ServerResponse, ended: AbortSignal): Promise<void> {
  await once(res, 'drain', { signal: ended }).catch((error: unknown) => {
    if (!ended.aborted) throw error;
  });
}

/** Destroys the connection if the client does not read, because waiting would block the server's shutdown. */
function endResponse(res: ServerResponse): void {
  if (res.writableNeedDrain) res.destroy();
  else res.end();
}
