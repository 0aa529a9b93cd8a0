import assert from 'node:assert/strict';
import type { components } from '../contract/generated/control.ts';
import { eventTypes } from '../contract/generated/events.ts';
import { callControl } from '../control/testing/call.ts';
import { startReceiver } from '../events/testing/receiver.ts';
import { createKit, type KitSettings } from '../kit.ts';
import type { World } from '../world/world.ts';

type Schemas = components['schemas'];

export const world: World = {
  world: 'deliveries',
  providers: { acme: { name: 'Acme' } },
  experiences: { desk: { provider: 'acme', name: 'Desk', type: 'GENERAL' } },
  accounts: { north: { name: 'North' }, south: { name: 'South' } },
  telephoneNumbers: { '+12065550100': { account: 'north' } },
  users: { ann: { account: 'north' } },
  principals: { boss: { name: 'Boss', accounts: { north: 'manage', south: 'manage' } } },
  clients: { web: { provider: 'acme', name: 'Web', secret: 'a-secret-of-the-tests', redirectUris: ['http://127.0.0.1:3000/callback'] } },
};

export type Lab = Awaited<ReturnType<typeof startLab>>;

export async function startLab(settings: KitSettings = {}, subscribed = true) {
  const receiver = await startReceiver();
  const kit = await createKit({ port: 0, fixtures: world, ...settings });
  const control = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const answer = await callControl<Body>(kit.url, method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const accessToken = await kit.mint({ client: 'web', principal: 'boss' });
  const subscribe = async () => {
    await control('POST', '/state/subscriptions', { alias: 'all', provider: 'acme', types: eventTypes, destinationUrl: receiver.url });
  };
  if (subscribed) await subscribe();
  return {
    kit,
    receiver,
    control,
    subscribe,
    async api<Body>(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: Body }> {
      const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
      const response = await fetch(`${kit.url}${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
      const text = await response.text();
      return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as Body };
    },
    getId: async (collection: string, alias: string): Promise<string> =>
      (await control<{ id: string }>('GET', `/state/${collection}/${alias}`)).id,
    deliveries: () => control<Schemas['Delivery'][]>('GET', '/deliveries?limit=1000'),
    /** Waits until no delivery is due or in flight. */
    settled: async () => void (await control('POST', '/clock/advance', { by: 0 })),
    async close() {
      await kit.close();
      await receiver.close();
    },
    [Symbol.asyncDispose](): Promise<void> {
      return this.close();
    },
  };
}
