import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../../src/store/testing/listen.ts';

/** Starts a relay that loses every third event about a connection and treats a 4xx as an acknowledgement. */
export async function startCarelessRelay(destinationUrl: string) {
  const eventsOf = new Map<string, string[]>();

  function isLostDelivery(webhookId: string, body: string): boolean {
    const { connectionId } = (JSON.parse(body) as { readonly data: { readonly connectionId?: string } }).data;
    if (connectionId === undefined) return false;
    const events = eventsOf.get(connectionId) ?? [];
    eventsOf.set(connectionId, events);
    if (!events.includes(webhookId)) events.push(webhookId);
    return (events.indexOf(webhookId) + 1) % 3 === 0;
  }

  const server = createServer(async (request, response) => {
    const [body, headers] = [await text(request), request.headers as Record<string, string>];
    const forwardDelivery = () =>
      fetch(destinationUrl, {
        method: 'POST',
        headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('webhook-') || name === 'content-type')),
        body,
        redirect: 'manual',
      }).then(
        ({ status }) => status,
        () => 502,
      );
    const status = isLostDelivery(headers['webhook-id'] ?? '', body) ? 204 : await forwardDelivery();
    response.writeHead(status >= 400 && status < 500 ? 204 : status).end();
  });
  return listen(server);
}
