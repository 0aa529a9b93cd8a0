import type { ComponentChildren } from 'preact';
import type { Schemas } from '../kit/control.ts';
import { getName } from '../kit/names.ts';
import { kitDay } from '../kit/state.ts';
import { CopyButton } from './code.tsx';
import { buildHref } from './page.tsx';

export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'plain';

type BadgeProps = { readonly tone?: Tone; readonly title?: string | undefined; readonly children: ComponentChildren };

/** A short coloured text. Its words alone carry the meaning. */
export const Badge = ({ tone = 'plain', title, children }: BadgeProps) => (
  <span class="badge" data-tone={tone} title={title}>
    {children}
  </span>
);

const STATUS_CLASSES: Readonly<Record<string, Tone>> = { 2: 'good', 3: 'info', 4: 'warn', 5: 'bad' };

/** Undefined if the connection ended without a response. */
export function Status({ status }: { status: number | undefined }) {
  if (status === undefined) return <Badge tone="bad">no response</Badge>;
  return <Badge tone={STATUS_CLASSES[String(status)[0] ?? ''] ?? 'plain'}>{status}</Badge>;
}

const METHOD_TONES: Readonly<Record<string, Tone>> = { POST: 'info', PUT: 'info', PATCH: 'info', DELETE: 'bad' };

export const Method = ({ method }: { method: string }) => (
  <span class="method" data-tone={METHOD_TONES[method] ?? 'plain'}>
    {method}
  </span>
);

/** The tones of states and outcomes. Others are plain. */
const STATE_TONES: Readonly<Record<string, readonly string[]>> = {
  good: ['acknowledged', 'passed', 'succeeded', 'up', 'ACTIVE', 'manage'],
  bad: ['failing', 'exhausted', 'failed', 'flaky', 'error', 'no answer', 'down'],
  warn: ['held', 'inconclusive', 'partly-tested', 'refused', 'injected response', 'busy', 'read-only'],
  info: ['pending', 'running', 'empty list', 'not assignable', 'read'],
};
export const getTone = (state: string) => (Object.keys(STATE_TONES).find((tone) => STATE_TONES[tone]?.includes(state)) ?? 'plain') as Tone;

export const StateBadge = ({ state, children = state, title }: Partial<BadgeProps> & { state: string }) => (
  <Badge tone={getTone(state)} title={title}>
    {children}
  </Badge>
);

/** The worst state is first. A pending delivery with a failed attempt is `failing`. */
export const deliveryStates = ['failing', 'exhausted', 'held', 'pending', 'acknowledged'] as const;
type DeliveryState = (typeof deliveryStates)[number];

type Delivery = Pick<Schemas['Delivery'], 'state' | 'attempts' | 'nextAttemptAt' | 'subscription'>;
const getDeliveryState = ({ state, attempts }: Delivery): DeliveryState => (state === 'pending' && attempts > 0 ? 'failing' : state);

const nameReceivers = (deliveries: readonly Delivery[]): string =>
  deliveries.map(({ subscription }) => nameIds(subscription ?? 'deleted subscription')).join('\n');

/** A badge for each state that at least one of the deliveries has, with the time of the next attempt if attempts have failed. */
export function DeliveryBadges({ deliveries }: { deliveries: readonly Delivery[] }) {
  const groups = Map.groupBy(deliveries, getDeliveryState);
  return (
    <span class="row">
      {deliveryStates.map((state) => {
        const [first, ...others] = groups.get(state) ?? [];
        if (!first) return null;
        const at = state === 'failing' && first.nextAttemptAt ? ` at ${formatTime(first.nextAttemptAt).slice(0, -3)}` : '';
        return (
          <StateBadge key={state} state={state} title={nameReceivers([first, ...others])}>
            {others.length > 0 ? `${others.length + 1} ${state}` : state}
            {at && <span class="wide-only">{`, ${others.length > 0 ? 'next' : `attempt ${first.attempts + 1}`}${at}`}</span>}
          </StateBadge>
        );
      })}
    </span>
  );
}

/**
 * @param at an ISO time, or milliseconds since the Unix epoch
 * @param format `time` omits the date if it is today's in kit time
 */
export function TimeText({ at, format = 'full' }: { at: string | number; format?: 'full' | 'time' }) {
  const iso = new Date(at).toISOString();
  return (
    <time class="num" dateTime={iso} title={iso}>
      {format === 'time' ? formatTime(iso) : formatInstant(iso)}
    </time>
  );
}

export const formatInstant = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)}Z`;

const formatDay = new Intl.DateTimeFormat('en', { timeZone: 'UTC', month: 'short', day: 'numeric' });

/** Returns a time with seconds, after the date if it is not today's in kit time. */
export function formatTime(iso: string): string {
  const time = iso.slice(11, 19);
  return iso.startsWith(kitDay.value) ? time : `${formatDay.format(new Date(iso))}, ${time}`;
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/** Formats a duration in its two largest units, such as `2h 30m`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`;
  let rest = ms;
  const parts = UNITS.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? [] : [`${count}${unit}`];
  });
  return parts.slice(0, 2).join(' ');
}

export function formatOffset(offsetMs: number): string {
  return Math.abs(offsetMs) < 1000 ? 'same as wall time' : `${formatDuration(offsetMs)} ahead`;
}

const UUIDS = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/i;
/** Without a name, shows the end of an id, because ids of the same time begin with the same digits. */
const nameId = (id: string) => getName(id.toLowerCase())?.name ?? `…${id.slice(-6)}`;

export function Named({ text }: { text: string }): ComponentChildren {
  return text.split(UUIDS).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={index} class="name" title={part}>
        {nameId(part)}
      </span>
    ),
  );
}

export const isNarrow = matchMedia('(width < 48rem)').matches;
const MAX_LENGTH = isNarrow ? 21 : 72;
const END_LENGTH = isNarrow ? 12 : 36;

/** For attributes and options, which contain only text. */
export const nameIds = (text: string): string => text.replaceAll(new RegExp(UUIDS, 'gi'), nameId);

/** Returns a path with names for ids. If it is too long, its middle is omitted, because the end says most. */
export function formatPath(path: string): string {
  const text = nameIds(path);
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - END_LENGTH - 1)}…${text.slice(-END_LENGTH)}`;
}

/** An entity's name with a link to the entity, and a button that copies the id. */
export function EntityName({ id }: { id: string }) {
  const found = getName(id);
  return (
    <span class="copy-line">
      {found ? (
        <a href={buildHref(`/world/${found.collection}/${encodeURIComponent(id)}`)} title={id}>
          {found.name}
        </a>
      ) : (
        <code title={id}>{UUIDS.test(id) ? nameId(id) : id}</code>
      )}
      <CopyButton text={id} label={`id of ${found?.name ?? id}`} />
    </span>
  );
}
