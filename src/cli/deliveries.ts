import { type Command, InvalidArgumentError, Option } from 'commander';
import { didYouMean } from '../contract/did-you-mean.ts';
import type { components } from '../contract/generated/control.ts';
import { type EventType, eventTypes } from '../contract/generated/events.ts';
import {
  type ControlFlags,
  createClient,
  createControlCommand,
  createDurationParser,
  createWholeNumberParser,
  omitUndefined,
  print,
} from './command.ts';
import { getResponseData, RefusedError } from './control-client.ts';
import { formatPlural, formatTable } from './format.ts';
import { UsageError } from './usage-error.ts';

type Schemas = components['schemas'];
type Delivery = Schemas['Delivery'];

const DELIVERY_STATES: Readonly<Record<Schemas['DeliveryState'], true>> = {
  pending: true,
  acknowledged: true,
  exhausted: true,
  held: true,
};

interface FilterFlags extends ControlFlags {
  readonly subscription?: string;
  readonly type?: string;
  readonly state?: Schemas['DeliveryState'];
}

function addFilterOptions(command: Command, state: Option): Command {
  return command
    .option('--subscription <name>', 'only deliveries to this subscription (alias or id)')
    .addOption(
      new Option(
        '--type <type>',
        'only events of this type; raw selects payloads without a known type, sent with xpk trigger raw',
      ).argParser((text) => findType([...eventTypes, 'raw'], text)),
    )
    .addOption(state.choices(Object.keys(DELIVERY_STATES)));
}

export function createDeliveriesCommand(): Command {
  return addFilterOptions(
    createControlCommand('deliveries')
      .description("Lists a running kit's deliveries, the newest first. With an id, shows the delivery with its envelope and its attempts.")
      .argument('[id]', 'the id of a delivery to show with its envelope and its attempts'),
    new Option('--state <state>', 'only deliveries in this state'),
  )
    .addOption(
      new Option('--limit <count>', 'the maximum number of deliveries, up to 1000; default: 100').argParser(
        createWholeNumberParser(1, 1000),
      ),
    )
    .addHelpText('after', '\nExamples:\n  xpk deliveries --state exhausted\n  xpk deliveries --subscription mine --limit 5')
    .action((id: string | undefined, flags: ListFlags) => (id === undefined ? listDeliveries(flags) : showDelivery(id, flags)));
}

interface ListFlags extends FilterFlags {
  readonly limit?: number;
}

async function listDeliveries({ subscription, type, state, limit, ...flags }: ListFlags): Promise<void> {
  const query = omitUndefined({ subscription, type, state, limit });
  print(flags, await getResponseData(createClient(flags).GET('/_control/deliveries', { params: { query } })), (deliveries) =>
    deliveries.length === 0 ? 'No delivery matches. Cause an event with: xpk trigger TYPE' : formatDeliveryTable(deliveries),
  );
}

async function showDelivery(deliveryId: string, { subscription, type, state, limit, ...flags }: ListFlags): Promise<void> {
  if (subscription ?? type ?? state ?? limit) throw new UsageError('Give the id of a delivery, or options to list deliveries, not both.');
  print(
    flags,
    await getResponseData(createClient(flags).GET('/_control/deliveries/{deliveryId}', { params: { path: { deliveryId } } })),
    formatDelivery,
  );
}

function formatDelivery(delivery: Schemas['DeliveryWithAttempts']): string {
  const { body, attemptLog, webhookId } = delivery;
  const attempts = attemptLog.map(({ number, at, status, error, durationMs, nextAt }) => [
    `attempt ${number}`,
    at,
    [status, error].filter((part) => part !== undefined).join(', '),
    `${durationMs} ms`,
    ...(nextAt === undefined ? [] : [`next at ${nextAt}`]),
  ]);
  const envelope = JSON.stringify(body, null, 2);
  return `${formatDeliveryTable([delivery])}\n\nwebhook-id: ${webhookId}\n${envelope}\n\n${formatTable(attempts) || 'No attempt has ended yet.'}`;
}

/** Times are in kit time. */
export function formatDeliveryTable(deliveries: readonly Delivery[]): string {
  const rows = deliveries.map((delivery) => {
    const { createdAt, state, attempts, type, nextAttemptAt = '-', id } = delivery;
    return [createdAt, state, String(attempts), type, getRecipientName(delivery), nextAttemptAt, id];
  });
  return formatTable([['TIME', 'STATE', 'ATTEMPTS', 'TYPE', 'SUBSCRIPTION', 'NEXT ATTEMPT', 'ID'], ...rows]);
}

export const getRecipientName = ({ subscription, subscriptionId }: Delivery): string => subscription ?? subscriptionId;

export const parseEventType = (text: string): EventType => findType(eventTypes, text);

function findType<Type extends string>(types: readonly Type[], text: string): Type {
  const found = types.find((type) => type === text);
  if (found !== undefined) return found;
  throw new InvalidArgumentError(`There is no event type "${text}".${didYouMean(text, types) || ` There are: ${types.join(', ')}.`}`);
}

interface WaitFlags extends FilterFlags {
  readonly entity?: string;
  readonly since?: string;
  readonly count: number;
  readonly timeout: number;
}

export function createWaitCommand(): Command {
  return addFilterOptions(
    createControlCommand('wait').description(
      'Waits until --count deliveries match the options, and prints these deliveries. Without --since, deliveries from before the command also count. Without --subscription, deliveries to every subscription count, including those of the demo world. Exits with 1 if --timeout passes first.',
    ),
    new Option('--state <state>', 'the state to wait for').default('acknowledged'),
  )
    .option('--entity <id>', 'only events about this connection, assignment or user')
    .option('--since <position>', 'only deliveries created after this position (from xpk clock --json), or after the delivery with this id')
    .addOption(new Option('--count <count>', 'the minimum number of deliveries').default(1).argParser(createWholeNumberParser(1)))
    .addOption(
      new Option('--timeout <duration>', 'the maximum wall time to wait, at most 60s')
        .default(10_000, '10s')
        .argParser(createDurationParser('0ms', '60s')),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  xpk wait --type experience.assignment.created --subscription mine --timeout 5s\n  since=$(xpk clock --json | jq -r .position); npm run my-client; xpk wait --since "$since" --count 2',
    )
    .action(waitForDeliveries);
}

async function waitForDeliveries({
  subscription,
  type,
  entity: entityId,
  state,
  since,
  count,
  timeout: timeoutMs,
  ...flags
}: WaitFlags): Promise<void> {
  const body = omitUndefined({ subscription, type, entityId, state, since, count, timeoutMs });
  const deliveries = await getResponseData(createClient(flags).POST('/_control/deliveries/wait', { body })).catch((error: Error) => {
    // The control API responds with 404 if the wait times out. The message then omits the server's URL.
    throw error instanceof RefusedError && error.type === '/problems/control.not-found' ? new Error(error.detail) : error;
  });
  print(flags, deliveries, formatDeliveryTable);
}

export function createRedeliverCommand(): Command {
  return createControlCommand('redeliver')
    .description('Sends a delivery again immediately, whatever its state.')
    .argument('<id>', "the delivery's id, as shown by xpk deliveries")
    .addHelpText('after', '\nExample:\n  xpk redeliver "$(xpk deliveries --state exhausted --json | jq -r .[0].id)"')
    .action(redeliver);
}

async function redeliver(deliveryId: string, flags: ControlFlags): Promise<void> {
  const call = createClient(flags).POST('/_control/deliveries/{deliveryId}/redeliver', { params: { path: { deliveryId } } });
  print(
    flags,
    await getResponseData(call),
    (delivery) => `Sending ${delivery.type} to ${getRecipientName(delivery)} again; xpk deliveries ${deliveryId} shows the result.`,
  );
}

interface RecoverFlags extends ControlFlags {
  readonly since: string;
  readonly acknowledged?: boolean;
}

export function createRecoverCommand(): Command {
  return createControlCommand('recover')
    .description("Sends a subscription's unacknowledged deliveries again, if they were created at --since or later.")
    .argument('<subscription>', 'alias or id, as shown by xpk subscriptions')
    .requiredOption('--since <instant>', 'kit time, such as 2026-03-01T09:30:00Z')
    .option('--acknowledged', 'also send acknowledged deliveries again')
    .addHelpText('after', '\nExample:\n  xpk recover mine --since 2026-03-01T09:30:00Z')
    .action(recoverDeliveries);
}

async function recoverDeliveries(subscriptionId: string, { since, acknowledged, ...flags }: RecoverFlags): Promise<void> {
  const body = { since, ...omitUndefined({ acknowledged }) };
  const call = createClient(flags).POST('/_control/subscriptions/{subscriptionId}/recover', { params: { path: { subscriptionId } }, body });
  print(flags, await getResponseData(call), ({ deliveries }) =>
    deliveries === 0
      ? `No delivery since ${since} needs to be sent again.`
      : `Sending ${formatPlural(deliveries, 'delivery', 'deliveries')} again.`,
  );
}
