import { checkWebhook, type WebhookCheckOptions } from '../checks/webhook/check-webhook.ts';
import { startConsumer } from '../checks/webhook/testing/consumer.ts';
import type { Fault, Style } from '../checks/webhook/testing/faults.ts';
import { createControlClient } from '../control-client/client.ts';
import { createKit, type KitSettings } from '../kit.ts';
import type { World } from '../world/world.ts';

/** Three accounts, two of which have more users than one page of GET /users. */
export const WORLD: World = {
  world: 'consumers',
  providers: { acme: { name: 'Acme' } },
  accounts: { north: { name: 'North' }, south: { name: 'South' }, west: { name: 'West' } },
  telephoneNumbers: {
    '+12065550100': { account: 'north' },
    '+12065550101': { account: 'north' },
    '+12065550102': { account: 'south' },
    '+12065550103': { account: 'west' },
  },
  generate: {
    users: [
      { alias: 'south-user', account: 'south', count: 101 },
      { alias: 'west-user', account: 'west', count: 102 },
    ],
  },
  principals: { boss: { name: 'Boss', accounts: { north: 'manage', south: 'manage', west: 'manage' } } },
  clients: { web: { provider: 'acme', name: 'Web', secret: 'a-secret-of-the-tests', redirectUris: ['http://127.0.0.1:3000/callback'] } },
};

export async function startConsumerLab({
  fault,
  style,
  world = WORLD,
  set = {},
}: {
  readonly fault?: Fault | undefined;
  readonly style?: Style | undefined;
  readonly world?: World;
  readonly set?: KitSettings['set'];
}) {
  const kit = await createKit({ port: 0, fixtures: world, set });
  // Not `kit.control`, whose errors are of another class if the kit is the installed package: the checks use the sources.
  const control = createControlClient(kit.url);
  const token = await kit.mint({ client: 'web', principal: 'boss' });
  const accounts = await Promise.all(Object.keys(world.accounts ?? {}).map((alias) => kit.id('accounts', alias)));
  const providerId = await kit.id('providers', 'acme');
  const consumer = await startConsumer({ fault, style, api: { url: kit.url, token, accounts, providerId } });
  const options: WebhookCheckOptions = {
    url: consumer.url,
    kit: { url: kit.url, control },
    state: consumer.view,
    restart: consumer.restart,
    loseStore: consumer.loseStore,
    settleMs: 1000,
    answerWithinMs: 5000,
  };
  return {
    kitUrl: kit.url,
    control,
    consumer,
    options,
    check: (others: Partial<WebhookCheckOptions> = {}) => checkWebhook({ ...options, ...others }),
    async close(): Promise<void> {
      await consumer.close();
      await kit.close();
    },
  };
}
