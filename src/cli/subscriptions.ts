import { type Command, Option } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { type EventType, eventTypes } from '../contract/generated/events.ts';
import type { EntityOf } from '../world/world.ts';
import { type ControlFlags, convertNotFound, createClient, createControlCommand, omitUndefined, print } from './command.ts';
import { type ControlClient, getResponseData } from './control-client.ts';
import { parseEventType } from './deliveries.ts';
import { formatModeRows } from './delivery-mode.ts';
import { formatTable } from './format.ts';
import { UsageError } from './usage-error.ts';

type SubscriptionState = components['schemas']['SubscriptionInForce'];
type CreatedSubscription = EntityOf<'subscriptions'> & { readonly alias: string };

interface SubscribeFlags extends ControlFlags {
  readonly provider?: string;
  readonly experience?: string;
  readonly types: readonly EventType[];
  readonly alias?: string;
  readonly secret?: string;
}

export function createSubscribeCommand(): Command {
  return createControlCommand('subscribe')
    .description("Creates a subscription to a provider's future events.")
    .argument('[destination]', 'the URL to deliver to, such as http://127.0.0.1:3000/webhook; default: the inbox (xpk inbox)')
    .option(
      '--provider <name>',
      'the provider that subscribes (alias or id); default: the provider of --experience, or the only provider in the world',
    )
    .option('--experience <name>', 'only events about this Experience (alias or id)')
    .addOption(
      new Option('--types <types>', 'event types separated by commas, or all').argParser(parseEventTypes).default(eventTypes, 'all'),
    )
    .option('--alias <name>', 'a name for the subscription; default: its id')
    .option('--secret <secret>', 'signing secret: whsec_ followed by 24 to 64 bytes in base64; default: derived from the id')
    .addHelpText(
      'after',
      '\nExamples:\n  xpk subscribe http://127.0.0.1:3000/webhook --provider acme --alias mine\n  xpk subscribe --experience concierge --types experience.assignment.created,experience.assignment.deleted',
    )
    .action(subscribe);
}

function parseEventTypes(text: string): readonly EventType[] {
  return text === 'all' ? eventTypes : [...new Set(text.split(',').map((part) => parseEventType(part.trim())))];
}

async function subscribe(destinationUrl: string | undefined, flags: SubscribeFlags): Promise<void> {
  const { experience, types, alias, secret } = flags;
  if (destinationUrl !== undefined && !/^https?:$/.test(URL.parse(destinationUrl)?.protocol ?? ''))
    throw new UsageError(`The destination must be an http or https URL, such as http://127.0.0.1:3000/webhook, not ${destinationUrl}.`);
  const control = createClient(flags);
  const provider = flags.provider ?? (await findProvider(control, experience));
  const created = await getResponseData(
    control.POST('/_control/state/{collection}', {
      params: { path: { collection: 'subscriptions' } },
      body: { provider, types, ...omitUndefined({ alias, experience, destinationUrl, secret }) },
    }),
  );
  const { decisions } = flags.json ? {} : await getResponseData(control.GET('/_control/info'));
  const isSigned = decisions?.['events.delivery.signature'] === 'standard-webhooks';
  print(flags, created as unknown as CreatedSubscription, (subscription) => formatCreated(subscription, isSigned));
}

/** With `experience`, returns the Experience's provider, because only this provider receives its events. */
async function findProvider(control: ControlClient, experience: string | undefined): Promise<string> {
  if (experience !== undefined) {
    const path = { collection: 'experiences', id: experience } as const;
    const found = await convertNotFound(getResponseData(control.GET('/_control/state/{collection}/{id}', { params: { path } })));
    return (found as unknown as EntityOf<'experiences'>).provider;
  }
  const path = { collection: 'providers' } as const;
  const providers = Object.keys(await getResponseData(control.GET('/_control/state/{collection}', { params: { path } })));
  const [only] = providers;
  if (only === undefined) throw new Error('The world has no provider. Add one with: xpk state add providers alias=acme name=Acme');
  if (providers.length > 1) throw new UsageError(`Choose a provider for the subscription with --provider: ${providers.join(', ')}.`);
  return only;
}

function formatCreated({ alias, id, provider, experience, types, destinationUrl, secret }: CreatedSubscription, isSigned: boolean): string {
  const name = alias === id ? id : `${alias} (${id})`;
  const what = types.length === eventTypes.length ? 'all event types' : types.join(', ');
  const source = experience === undefined ? provider : `the Experience ${experience} of ${provider}`;
  const destination = destinationUrl ?? `the inbox, which xpk inbox --subscription ${alias} shows`;
  return `Subscribed ${name}: ${what} of ${source} to ${destination}.${isSigned ? `\nSigning secret: ${secret}` : ''}`;
}

export function createUnsubscribeCommand(): Command {
  return createControlCommand('unsubscribe')
    .description('Removes a subscription. Its pending deliveries are not sent.')
    .argument('<name>', 'alias or id, as shown by xpk subscriptions')
    .addHelpText('after', '\nExample:\n  xpk unsubscribe mine')
    .action(async (name: string, flags: ControlFlags) => {
      const path = { collection: 'subscriptions', id: name } as const;
      await createClient(flags).DELETE('/_control/state/{collection}/{id}', { params: { path } });
      print(flags, { unsubscribed: name }, () => `Unsubscribed ${name}.`);
    });
}

export function createSubscriptionsCommand(): Command {
  return createControlCommand('subscriptions')
    .description(
      "Lists a running kit's subscriptions: provider, Experience, destination, event types, deliveries by state, and delivery mode.",
    )
    .addHelpText('after', '\nExamples:\n  xpk subscriptions\n  xpk subscriptions --json')
    .action(listSubscriptions);
}

async function listSubscriptions(flags: ControlFlags): Promise<void> {
  const subscriptions = await getResponseData(createClient(flags).GET('/_control/subscriptions'));
  print(flags, subscriptions, () =>
    subscriptions.length === 0 ? 'There are no subscriptions. Add one with: xpk subscribe URL' : formatTable(subscriptions.map(formatRow)),
  );
}

const DELIVERY_STATES: Readonly<Record<keyof SubscriptionState['deliveries'], true>> = {
  acknowledged: true,
  pending: true,
  held: true,
  exhausted: true,
};

function formatRow({ alias, provider, experience, types, destinationUrl, deliveries, mode }: SubscriptionState): string[] {
  const states = (Object.keys(DELIVERY_STATES) as (keyof typeof DELIVERY_STATES)[]).filter((state) => deliveries[state] > 0);
  const settings = mode === undefined ? [] : formatModeRows(mode).map(([setting]) => setting);
  return [
    alias,
    provider,
    experience ?? 'every Experience',
    destinationUrl ?? 'the inbox',
    types.length === eventTypes.length ? 'all types' : types.join(', '),
    states.map((state) => `${deliveries[state]} ${state}`).join(', ') || 'no deliveries',
    settings.join(', '),
  ];
}
