import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
