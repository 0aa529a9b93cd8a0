import { type Command, Option } from 'commander';
import type { components } from '../contract/generated/control.ts';
import {
  type ControlFlags,
  createClient,
  createControlCommand,
  createDurationParser,
  createWholeNumberParser,
  omitUndefined,
  print,
} from './command.ts';
import { getResponseData } from './control-client.ts';
import { formatDeliveryTable } from './deliveries.ts';
import { formatDuration, formatPlural, formatTable } from './format.ts';
import { UsageError } from './usage-error.ts';

type Schemas = components['schemas'];
type Mode = Schemas['DeliveryMode'];
type ModeInForce = Schemas['DeliveryModeInForce'];
type Order = Extract<Schemas['Release']['order'], string>;

type Row = readonly [setting: string, effect: string];

const MODE_DESCRIPTIONS: { readonly [Member in keyof Required<Mode>]: (value: Required<Mode>[Member]) => Row } = {
  duplicate: (count) => [
    `duplicate ${count}`,
    `each delivery is sent ${count === 1 ? 'once more' : `${count} more times`} after it is acknowledged`,
  ],
  reorder: ({ window }) => [
    `reorder ${formatDuration(window)}`,
    'first attempts from the first half of each time window are sent at random times in the second half of the window',
  ],
  seed: (seed) => [`seed ${seed}`, 'the seed for reorder: with the same seed, the same events are sent in the same order'],
  delay: (ms) => [`delay ${formatDuration(ms)}`, 'first attempts are delayed by this duration, in kit time'],
  dropAcknowledgement: (count) => [
    `drop-acknowledgement ${count}`,
    `${count === 1 ? 'the first acknowledgement of each delivery is' : `the first ${count} acknowledgements of each delivery are`} treated as lost`,
  ],
  hold: () => ['hold', 'first attempts are held until they are released'],
};
const MODE_NAMES = Object.keys(MODE_DESCRIPTIONS) as (keyof Mode)[];

/** If deliveries are reordered without a seed, shows the default seed, 0. */
export function formatModeRows(mode: Mode): Row[] {
  const complete: Mode = mode.reorder === undefined ? mode : { seed: 0, ...mode };
  return MODE_NAMES.filter((name) => complete[name] !== undefined).map((name) => MODE_DESCRIPTIONS[name](complete[name] as never));
}

interface ModeFlags extends ControlFlags, Mode {
  readonly none?: true;
}

const parseCount = createWholeNumberParser(1, 10);
const parseDelay = createDurationParser('1ms', '365d');

export function createModeCommand(): Command {
  return createControlCommand('mode')
    .description(
      "Shows or sets a subscription's delivery mode. The mode makes deliveries fail on purpose. Options that are not given are off. xpk reset restores the delivery modes that the world started with.",
    )
    .argument('<subscription>', 'alias or id, as xpk subscriptions shows it')
    .addOption(new Option('--duplicate <count>', 'how many times to repeat each acknowledged delivery, at most 10').argParser(parseCount))
    .addOption(
      new Option('--reorder <duration>', 'send first attempts in random order within time windows, such as 10s of kit time').argParser(
        (text) => ({
          window: parseDelay(text),
        }),
      ),
    )
    .addOption(new Option('--delay <duration>', 'delay first attempts by this duration, in kit time').argParser(parseDelay))
    .addOption(
      new Option('--drop-acknowledgement <count>', 'how many acknowledgements of each delivery to treat as lost, at most 10').argParser(
        parseCount,
      ),
    )
    .option('--hold', 'hold first attempts until xpk release sends them')
    .addOption(
      new Option('--seed <number>', 'the seed for --reorder; default: 0').argParser(createWholeNumberParser(0, Number.MAX_SAFE_INTEGER)),
    )
    .option('--none', 'remove the delivery mode; held deliveries stay held')
    .addHelpText(
      'after',
      '\nExamples:\n  xpk mode mine --duplicate 1 --drop-acknowledgement 1\n  xpk mode mine --reorder 10s --seed 7\n  xpk mode mine --none',
    )
    .action(showOrSetMode);
}

async function showOrSetMode(subscription: string, flags: ModeFlags): Promise<void> {
  const { url: _url, controlToken: _token, json: _json, none, ...body } = flags;
  const isSet = Object.keys(body).length > 0;
  if (none && isSet) throw new UsageError('Give --none or a delivery mode, not both.');
  const control = createClient(flags);
  const path = '/_control/subscriptions/{subscriptionId}/delivery-mode';
  const params = { path: { subscriptionId: subscription } };
  if (none) await control.DELETE(path, { params });
  const inForce = await getResponseData<ModeInForce>(isSet ? control.PUT(path, { params, body }) : control.GET(path, { params }));
  print(flags, inForce, () => `${formatMode(subscription, inForce, isSet)}\n${formatHeld(subscription, inForce.held)}`);
}

function formatMode(subscription: string, { mode: inForce }: ModeInForce, isSet: boolean): string {
  if (inForce === null) return `${subscription} has no delivery mode.`;
  const rows = formatTable(formatModeRows(inForce).map(([setting, effect]) => [`  ${setting}`, effect]));
  if (!isSet) return `The delivery mode of ${subscription}:\n${rows}`;
  const off = MODE_NAMES.filter((name) => name !== 'seed' && inForce[name] === undefined).map((name) =>
    name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  );
  return `The delivery mode of ${subscription}:\n${rows}\nThis replaces the previous mode. Off: ${off.join(', ')}.`;
}

function formatHeld(subscription: string, held: number): string {
  return held === 0 ? 'No deliveries are held.' : `${formatHeldCount(held)} held. Send them with: xpk release ${subscription}`;
}

const formatHeldCount = (held: number) => `${formatPlural(held, 'delivery', 'deliveries')} ${held === 1 ? 'is' : 'are'}`;

interface ReleaseFlags extends ControlFlags {
  readonly order?: Order;
  readonly count?: number;
  readonly maxWait?: number;
}

const RELEASE_ORDERS: Readonly<Record<Order, true>> = { 'oldest-first': true, 'newest-first': true };

export function createReleaseCommand(): Command {
  return createControlCommand('release')
    .description(
      "Sends a subscription's held deliveries in sequence. Each delivery is sent after the previous delivery's first attempt has ended.",
    )
    .argument('<subscription>', 'alias or id, as xpk subscriptions shows it')
    .argument('[delivery...]', 'the held deliveries to send, in this order; default: all held deliveries')
    .addOption(
      new Option('--order <order>', 'the order in which to send all held deliveries; default: oldest-first').choices(
        Object.keys(RELEASE_ORDERS),
      ),
    )
    .addOption(new Option('--count <count>', 'the maximum number of deliveries to send').argParser(createWholeNumberParser(1)))
    .addOption(
      new Option(
        '--max-wait <duration>',
        'the maximum wall time for all deliveries, at most 60s; default: 30s; deliveries that are not sent in this time stay held',
      ).argParser(createDurationParser('0ms', '60s')),
    )
    .addHelpText('after', '\nExamples:\n  xpk release mine --order newest-first\n  xpk deliveries --subscription mine --state held')
    .action(releaseDeliveries);
}

async function releaseDeliveries(
  subscription: string,
  ids: string[],
  { order, count, maxWait: maxWaitMs, ...flags }: ReleaseFlags,
): Promise<void> {
  if (order !== undefined && ids.length > 0) throw new UsageError('Give delivery ids or --order, not both.');
  const control = createClient(flags);
  const answer = await getResponseData(
    control.POST('/_control/subscriptions/{subscriptionId}/release', {
      params: { path: { subscriptionId: subscription } },
      body: omitUndefined({ order: ids.length > 0 ? ids : order, count, maxWaitMs }),
    }),
  );
  const sent: Schemas['Delivery'][] = [];
  if (!flags.json)
    for (const deliveryId of answer.released)
      sent.push(await getResponseData(control.GET('/_control/deliveries/{deliveryId}', { params: { path: { deliveryId } } })));
  print(flags, answer, () => formatReleased(subscription, answer, sent));
}

function formatReleased(subscription: string, { released, held }: Schemas['Released'], sent: readonly Schemas['Delivery'][]): string {
  if (released.length === 0 && held === 0)
    return `No delivery to ${subscription} is held. Hold its next deliveries with: xpk mode ${subscription} --hold`;
  const rest = held === 0 ? 'No deliveries are held now.' : `${formatHeldCount(held)} still held.`;
  return released.length === 0 ? `Released no delivery. ${rest}` : `${formatDeliveryTable(sent)}\nReleased ${released.length}. ${rest}`;
}
