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

export function Method({ method }: { method: string }) {
  return (
    <span class="method" data-method={method}>
      {method}
    </span>
  );
}

export const DELIVERY_STATES: Readonly<Record<'pending' | 'acknowledged' | 'exhausted' | 'held', [Tone, string]>> = {
  acknowledged: ['good', 'delivered'],
  pending: ['info', 'pending'],
  held: ['warn', 'held'],
  exhausted: ['bad', 'failed'],
};

export function DeliveryStateBadge({ state }: { state: keyof typeof DELIVERY_STATES }) {
  const [tone, text] = DELIVERY_STATES[state];
  return <Badge tone={tone}>{text}</Badge>;
}
