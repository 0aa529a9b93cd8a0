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

/** The worst state is first. A pending delivery with a failed attempt is `failing`. */
const DELIVERY_TONES = { failing: 'bad', exhausted: 'bad', held: 'warn', pending: 'info', acknowledged: 'good' } as const;
export type DeliveryState = keyof typeof DELIVERY_TONES;
export const deliveryStates = Object.keys(DELIVERY_TONES) as DeliveryState[];

type Delivery = Pick<Schemas['Delivery'], 'state' | 'attempts' | 'nextAttemptAt'>;
export const getDeliveryState = ({ state, attempts }: Delivery): DeliveryState => (state === 'pending' && attempts > 0 ? 'failing' : state);

export const StateBadge = ({ state, children = state }: { state: DeliveryState; children?: ComponentChildren }) => (
  <Badge tone={DELIVERY_TONES[state]}>{children}</Badge>
);

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
