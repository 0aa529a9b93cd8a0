import type { ComponentChildren } from 'preact';
import type { Schemas } from '../kit/control.ts';
import { formatTime } from './time.tsx';

export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'plain';

/** A short coloured text. Its words alone carry the meaning. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }) {
  return (
    <span class="badge" data-tone={tone}>
      {children}
    </span>
  );
}

const STATUS_CLASSES: Readonly<Record<string, Tone>> = { 2: 'good', 3: 'info', 4: 'warn', 5: 'bad' };

/** Undefined if the connection ended without a response. */
export function Status({ status }: { status: number | undefined }) {
  if (status === undefined) return <Badge tone="bad">none</Badge>;
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
  bad: ['failing', 'exhausted', 'failed', 'error', 'no answer', 'down'],
  warn: ['held', 'inconclusive', 'partly-tested', 'refused', 'injected response', 'busy', 'read-only'],
  info: ['pending', 'running', 'empty list', 'not assignable', 'read'],
};
export const getTone = (state: string) => (Object.keys(STATE_TONES).find((tone) => STATE_TONES[tone]?.includes(state)) ?? 'plain') as Tone;

export const StateBadge = ({ state, children = state }: { state: string; children?: ComponentChildren }) => (
  <Badge tone={getTone(state)}>{children}</Badge>
);

/** The worst state is first. A pending delivery with a failed attempt is `failing`. */
export const deliveryStates = ['failing', 'exhausted', 'held', 'pending', 'acknowledged'] as const;
type DeliveryState = (typeof deliveryStates)[number];

type Delivery = Pick<Schemas['Delivery'], 'state' | 'attempts' | 'nextAttemptAt'>;
const getDeliveryState = ({ state, attempts }: Delivery): DeliveryState => (state === 'pending' && attempts > 0 ? 'failing' : state);

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
          <StateBadge key={state} state={state}>
            {others.length > 0 ? `${others.length + 1} ${state}` : state}
            {at && <span class="wide-only">{`, ${others.length > 0 ? 'next' : `attempt ${first.attempts + 1}`}${at}`}</span>}
          </StateBadge>
        );
      })}
    </span>
  );
}
