import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** A message of server-sent events. */
export interface Message {
  /** What a client sends back as Last-Event-ID. */
  readonly id: string;
  /** Its type. */
  readonly event: string;
  readonly data: object;
}

export interface EventStream {
  /** Aborted when the client has gone or the server closes. */
  readonly ended: AbortSignal;
  /** Resolves when the client has taken so much that there is room for more, or the stream has ended: whoever waits for it keeps nothing. */
  send(message: Message): Promise<void>;
}

interface StreamOptions {
  /** Aborted when the server closes. */
  readonly closing: AbortSignal;
  /** Wall milliseconds of silence after which a comment is sent, so that nobody on the way takes the connection for a dead one. */
  readonly heartbeatMs?: number;
}

/**
 * Answers with server-sent events, as long as the client listens and the server is open.
 *
 * @param write sends until `ended`. What it throws after that is nobody's concern.
 */
export async function sendEventStream(
  res: ServerResponse,
  { closing, heartbeatMs = 15_000 }: StreamOptions,
  write: (stream: EventStream) => Promise<void>,
): Promise<void> {
  const gone = new AbortController();
  const ended = AbortSignal.any([gone.signal, closing]);
  res.once('close', () => gone.abort());
  ended.addEventListener('abort', () => end(res));
  res.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
  // Not only the headers: some clients take them for the beginning only when there is more.
  res.write(': the stream is open\n\n');
  const heartbeat = setInterval(() => {
    // Who has not taken what came before is not helped by more.
    if (!res.writableNeedDrain) res.write(': still here\n\n');
  }, heartbeatMs);
  try {
    if (!ended.aborted && res.req.method !== 'HEAD') {
      await write({
        ended,
        async send({ id, event, data }) {
          if (ended.aborted) return;
          heartbeat.refresh();
          if (!res.write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)) await drained(res, ended);
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

/** What somebody has not taken who does not read would keep the connection, and the server that closes, for as long as it is waited for. */
function end(res: ServerResponse): void {
  if (res.writableNeedDrain) res.destroy();
  else res.end();
}
