import type { ComponentChildren } from 'preact';

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

/** The worst state is first. */
const DELIVERY_STATES = {
  exhausted: ['bad', 'failed'],
  held: ['warn', 'held'],
  pending: ['info', 'pending'],
  acknowledged: ['good', 'delivered'],
} as const;

export type DeliveryState = keyof typeof DELIVERY_STATES;

export function DeliveryStateBadge({ state, count }: { state: DeliveryState; count?: number | undefined }) {
  const [tone, text] = DELIVERY_STATES[state];
  return <Badge tone={tone}>{count === undefined ? text : `${count} ${text}`}</Badge>;
}

/** A badge for each state that at least one delivery has. */
export const DeliveryCounts = ({ counts }: { counts: Readonly<Partial<Record<DeliveryState, number>>> }) => (
  <span class="row">
    {(Object.keys(DELIVERY_STATES) as DeliveryState[])
      .filter((state) => (counts[state] ?? 0) > 0)
      .map((state) => (
        <DeliveryStateBadge key={state} state={state} count={counts[state]} />
      ))}
  </span>
);
