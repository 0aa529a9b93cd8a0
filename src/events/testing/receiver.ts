import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import type { ProviderEvent } from '../../domain/events.ts';
import { listen } from '../../store/testing/listen.ts';

export interface ReceivedDelivery {
  readonly headers: IncomingHttpHeaders;
  readonly event: ProviderEvent;
  readonly text: string;
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

export async function startReceiver() {
  const received: ReceivedDelivery[] = [];
  const waiting = new Set<() => void>();
  let respond: (response: ServerResponse) => void = (response) => void response.writeHead(204).end();
  const server = createServer(async (request, response) => {
    const text = await readText(request);
    received.push({
      headers: request.headers,
      // Parsed only when a test reads this property, because operators can send bodies that are not JSON.
      get event() {
        return JSON.parse(text) as ProviderEvent;
      },
      text,
    });
    for (const check of waiting) check();
    respond(response);
  });
  const { url, close } = await listen(server);
  return {
    url: `${url}/hook`,
    received: received as readonly ReceivedDelivery[],
    answerWith(given: number | ((response: ServerResponse) => void)): void {
      respond = typeof given === 'number' ? (response) => void response.writeHead(given).end() : given;
    },
    atLeast: (count: number) =>
      new Promise<readonly ReceivedDelivery[]>((resolve) => {
        const check = () => {
          if (received.length < count) return;
          waiting.delete(check);
          resolve(received);
        };
        waiting.add(check);
        check();
      }),
    close,
  };
}
