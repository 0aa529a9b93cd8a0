import { type Command, Option } from 'commander';
import type { Decisions } from '../contract/generated/decisions.ts';
import { type EventType, eventTypes } from '../contract/generated/events.ts';
import type { EntityOf } from '../world/world.ts';
import type { controlClient } from './control-client.ts';
import { type ControlFlags, clientOf, controlCommand, namedByOption, pathOf, print } from './control-options.ts';
import { someEventTypes } from './event-options.ts';
import { UsageError } from './usage-error.ts';

interface Flags extends ControlFlags {
  readonly provider?: string;
  readonly experience?: string;
  readonly types: readonly EventType[];
  readonly alias?: string;
  readonly secret?: string;
}

type Subscription = EntityOf<'subscriptions'> & { readonly alias: string };

/** `xpk subscribe`: a subscription, as the platform operator creates one on request (Events › Subscription). */
export function subscribeCommand(): Command {
  return controlCommand('subscribe')
    .description('Subscribes an address to the events of a provider: what happens from now on is delivered to it.')
    .argument('[destination]', 'where deliveries go, such as http://127.0.0.1:3000/webhook; without it into the inbox (xpk inbox)')
    .option('--provider <name>', 'the provider that subscribes (alias or id); that of the Experience, or the only one there is')
    .option('--experience <name>', 'only events of this Experience (alias or id)')
    .addOption(
      new Option('--types <types>', 'event types with commas between them, or all').argParser(someEventTypes).default(eventTypes, 'all'),
    )
    .option('--alias <name>', 'what to call it; its id without')
    .option('--secret <secret>', 'signing secret: whsec_ and 24 to 64 bytes in base64; default: derived from the id')
    .addHelpText(
      'after',
      '\nExamples:\n  xpk subscribe http://127.0.0.1:3000/webhook --provider acme --alias mine\n  xpk subscribe --experience concierge --types experience.assignment.created,experience.assignment.deleted',
    )
    .action(subscribe);
}

async function subscribe(destinationUrl: string | undefined, flags: Flags): Promise<void> {
  const { experience, types, alias, secret } = flags;
  if (destinationUrl !== undefined) checkAddress(destinationUrl);
  const control = clientOf(flags);
  const provider = flags.provider ?? (await providerOf(control, experience));
  const created = await control.post<Subscription>('/state/subscriptions', { alias, provider, experience, types, destinationUrl, secret });
  const info = flags.json ? undefined : await control.get<{ readonly decisions: Partial<Decisions> }>('/info');
  const isSigned = info?.decisions['events.delivery.signature'] === 'standard-webhooks';
  print(flags, created, (subscription) => `${inWords(subscription)}${isSigned ? `\nSigning secret: ${subscription.secret}` : ''}`);
}

function checkAddress(text: string): void {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return;
  throw new UsageError(`The destination is an http or https address, such as http://127.0.0.1:3000/webhook, not ${text}.`);
}

async function providerOf(control: ReturnType<typeof controlClient>, experience: string | undefined): Promise<string> {
  // Events go to the provider of their Experience: any other would never get one.
  if (experience !== undefined)
    return (await namedByOption(control.get<EntityOf<'experiences'>>(`/state${pathOf('experiences', experience)}`))).provider;
  const names = Object.keys(await control.get<object>('/state/providers'));
  const [only] = names;
  if (only !== undefined && names.length === 1) return only;
  if (only === undefined) throw new Error('The world has no provider that could subscribe: xpk state add providers alias=acme name=Acme');
  throw new UsageError(`Say which provider subscribes, with --provider. There are: ${names.join(', ')}.`);
}

function inWords({ alias, id, provider, experience, types, destinationUrl }: Subscription): string {
  const what = types.length === eventTypes.length ? 'all event types' : types.join(', ');
  const whose = experience === undefined ? `of ${provider}` : `of the Experience ${experience} of ${provider}`;
  const where = destinationUrl ?? `the inbox, which xpk inbox --subscription ${alias} shows`;
  return `Subscribed ${alias === id ? id : `${alias} (${id})`}: ${what} ${whose} to ${where}.`;
}
