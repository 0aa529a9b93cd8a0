import { formatPlural } from '../../contract/format-plural.ts';
import type { Verb } from '../../contract/generated/control-table.ts';
import { eventTypes } from '../../contract/generated/events.ts';
import { toKebabCase } from '../../contract/kebab-case.ts';
import { getKitOfWorld } from '../../contract/world-url.ts';
import { type ControlOperationId, callOperation, type OperationResponse } from '../../control-client/call.ts';
import type { ControlFlags } from '../command.ts';
import { type ControlClient, getResponseData } from '../control-client.ts';
import { formatDuration, formatTable } from '../format.ts';
import { fillTemplate, formatColumns } from './template.ts';

interface Printed<Id extends ControlOperationId> {
  readonly answer: OperationResponse<Id>;
  /** The fields of the request. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The columns of the command's table. */
  readonly columns: Readonly<Record<string, string>>;
  readonly control: ControlClient;
  readonly verb: Verb;
  readonly flags: ControlFlags;
}

type Printers = { readonly [Id in ControlOperationId]?: (printed: Printed<Id>) => string | Promise<string> };
type Item<Id extends ControlOperationId> = OperationResponse<Id> extends readonly (infer One)[] ? One : never;
type Delivery = Item<'listDeliveries'>;
type Mode = NonNullable<OperationResponse<'readDeliveryMode'>['mode']>;

/** The texts that need more than a template. */
export const PRINTERS: Printers = {
  advanceClock({ answer }) {
    const { attempts, pending, settled } = answer;
    const lines = [fillTemplate('{now}, [{offsetMs:duration} ahead of wall time|the same as wall time]', answer)];
    if (attempts.length + pending > 0) lines.push(`${formatPlural(attempts.length, 'delivery attempt')} made, ${pending} still pending`);
    if (!settled)
      lines.push('Some attempts have not ended, because receivers did not respond within --max-wait. Allow more time with --max-wait.');
    return lines.join('\n');
  },
  addFault: ({ answer }) => formatFault(answer).join('  '),
  listFaults: ({ answer }) => formatTable(answer.map(formatFault)),
  async createSubscription({ answer, control }) {
    const { alias, id, provider, experience, types, destinationUrl, secret } = answer;
    const { decisions } = await getResponseData(callOperation(control, 'info', {}));
    const name = alias === id ? id : `${alias} (${id})`;
    const what = types.length === eventTypes.length ? 'all event types' : types.join(', ');
    const source = experience === undefined ? provider : `the Experience ${experience} of ${provider}`;
    const destination = destinationUrl ?? `the inbox, which xpk inbox --subscription ${alias} shows`;
    const isSigned = decisions['events.delivery.signature'] === 'standard-webhooks';
    return `Subscribed ${name}: ${what} of ${source} to ${destination}.${isSigned ? `\nSigning secret: ${secret}` : ''}`;
  },
  async createWorld({ answer, verb, flags: { url, controlToken } }) {
    if (verb.says !== undefined) return fillTemplate(verb.says, answer);
    const [{ connectKit }, { createVariables, formatExports }] = await Promise.all([
      import('../../sdk/connect.ts'),
      import('../kit-environment.ts'),
    ]);
    const given = controlToken === undefined ? {} : { controlToken };
    const world = connectKit(`${getKitOfWorld(url)}${answer.path}`, given);
    return formatExports(await createVariables({ ...world, name: answer.name }, given));
  },
  listSubscriptions: ({ answer }) => formatTable(answer.map(formatSubscription)),
  readDeliveryMode: ({ answer, values }) => formatMode(String(values.subscriptionId), answer, false),
  setDeliveryMode: ({ answer, values }) => formatMode(String(values.subscriptionId), answer, true),
  async releaseDeliveries({ answer: { released, held }, values, columns, control }) {
    const name = String(values.subscriptionId);
    if (released.length === 0 && held === 0)
      return `No delivery to ${name} is held. Hold its next deliveries with: xpk mode ${name} --hold`;
    const rest = held === 0 ? 'No deliveries are held now.' : `${formatHeld(held)} still held.`;
    if (released.length === 0) return `Released no delivery. ${rest}`;
    const sent: Delivery[] = [];
    for (const deliveryId of released) sent.push(await getResponseData(callOperation(control, 'readDelivery', { deliveryId })));
    return `${formatColumns(columns, sent)}\nReleased ${released.length}. ${rest}`;
  },
  readDelivery({ answer, columns }) {
    const { body, attemptLog, webhookId } = answer;
    const attempts = attemptLog.map(({ number, at, status, error, durationMs, nextAt }) => [
      `attempt ${number}`,
      at,
      [status, error].filter((part) => part !== undefined).join(', '),
      `${durationMs} ms`,
      ...(nextAt === undefined ? [] : [`next at ${nextAt}`]),
    ]);
    const envelope = JSON.stringify(body, null, 2);
    return `${formatColumns(columns, [answer])}\n\nwebhook-id: ${webhookId}\n${envelope}\n\n${formatTable(attempts) || 'No attempt has ended yet.'}`;
  },
  readInbox: ({ answer }) =>
    answer
      .map(({ deliveryId, receivedAt, headers, body }) => {
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
        return [`${receivedAt}  delivery ${deliveryId}`, ...lines, JSON.stringify(body, null, 2)].join('\n');
      })
      .join('\n\n'),
  triggerEvent({ answer: { did, type, deliveries, also } }) {
    const published = deliveries.map((delivery) => `Published ${type} for ${getRecipient(delivery)}: delivery ${delivery.id}.`);
    const others = [...Map.groupBy(also, (delivery) => delivery.type)].map(
      ([other, some]) => `Also published ${other} for ${[...new Set(some.map(getRecipient))].join(', ')}.`,
    );
    const nobody = `Published ${type}, but no subscription receives it. Add one with: xpk subscribe URL`;
    return [...did, ...(published.length > 0 ? published : [nobody]), ...others].join('\n');
  },
};

const getRecipient = ({ subscription, subscriptionId }: Delivery): string => subscription ?? subscriptionId;
const formatHeld = (held: number) => `${formatPlural(held, 'delivery', 'deliveries')} ${held === 1 ? 'is' : 'are'}`;

function formatFault(row: Item<'listFaults'>): string[] {
  const { id, fault, operation, match = {}, status, rule, undocumented, latencyMs, probability, seed, times, after = 0, hits } = row;
  const documented = fault === 'authorization-service-down' ? 503 : status;
  const ofRule = rule === undefined ? `every operation that documents ${documented}` : 'every operation with the rule';
  const any = (documented ?? rule) === undefined || undocumented ? 'every operation' : ofRule;
  const parameters = Object.entries(match).map(([name, value]) => ` ${name}=${value}`);
  const latency = latencyMs === undefined ? '' : fillTemplate(' {latencyMs}[-{latencyMaxMs}] ms', row);
  const conditions = [
    ...(after > 0 ? [`after ${after}`] : []),
    ...(probability === undefined ? [] : [`probability ${probability}`]),
    ...(seed === undefined ? [] : [`seed ${seed}`]),
    times === undefined ? 'every time' : formatPlural(times, 'time'),
  ];
  const effect = `${fault}${(rule ?? status) === undefined ? '' : ` ${rule ?? status}`}${latency}`;
  return [id, (operation ?? any) + parameters.join(''), effect, conditions.join(', '), `${hits} hits so far`];
}

function formatSubscription({ alias, provider, experience, types, destinationUrl, deliveries, mode }: Item<'listSubscriptions'>): string[] {
  const states = (['acknowledged', 'pending', 'held', 'exhausted'] as const).filter((state) => deliveries[state] > 0);
  return [
    alias,
    provider,
    experience ?? 'every Experience',
    destinationUrl ?? 'the inbox',
    types.length === eventTypes.length ? 'all types' : types.join(', '),
    states.map((state) => `${deliveries[state]} ${state}`).join(', ') || 'no deliveries',
    mode === undefined
      ? ''
      : formatSettings(mode)
          .map(([setting]) => setting)
          .join(', '),
  ];
}

type Row = readonly [setting: string, effect: string];

const SETTINGS: { readonly [Member in keyof Required<Mode>]: (value: Required<Mode>[Member]) => Row } = {
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
const SETTING_NAMES = Object.keys(SETTINGS) as (keyof Mode)[];

/** If deliveries are reordered without a seed, shows the default seed, 0. */
function formatSettings(mode: Mode): Row[] {
  const complete: Mode = mode.reorder === undefined ? mode : { seed: 0, ...mode };
  return SETTING_NAMES.filter((name) => complete[name] !== undefined).map((name) => SETTINGS[name](complete[name] as never));
}

function formatMode(name: string, { mode, held }: OperationResponse<'readDeliveryMode'>, isSet: boolean): string {
  const lines: string[] = [];
  if (mode === null) lines.push(`${name} has no delivery mode.`);
  else lines.push(`The delivery mode of ${name}:`, formatTable(formatSettings(mode).map(([setting, effect]) => [`  ${setting}`, effect])));
  if (mode !== null && isSet) {
    const off = SETTING_NAMES.filter((setting) => setting !== 'seed' && mode[setting] === undefined);
    lines.push(`This replaces the previous mode. Off: ${off.map(toKebabCase).join(', ')}.`);
  }
  lines.push(held === 0 ? 'No deliveries are held.' : `${formatHeld(held)} held. Send them with: xpk release ${name}`);
  return lines.join('\n');
}
