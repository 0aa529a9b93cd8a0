import type { TimelineEntry } from '../../contract/generated/results.ts';
import type { Entity } from './check-entities.ts';
import type { Attempt } from './endpoint.ts';
import type { Delivery } from './rewrite.ts';

export function describeEntity(name: string, { id, account, target }: Entity): string {
  return `${name} (${id}${target === undefined ? '' : `, ${target}`}) in the account ${account.name}`;
}

export function describeAttempt({ result, lost }: Attempt): string {
  if (lost) return 'the HTTP connection was closed before the response was read';
  const body = 'body' in result && result.body && !/^2/.test(String(result.status)) ? ` ${JSON.stringify(result.body.slice(0, 200))}` : '';
  return 'status' in result ? `answered ${result.status}${body}` : `no answer (${result.error})`;
}

export function toTimelineEntry(attempt: Attempt, delivery: Delivery, description: string): TimelineEntry {
  const { at, headers, result } = attempt;
  return {
    at,
    by: 'service',
    text: `${description} (updatedAt ${delivery.updatedAt}): ${describeAttempt(attempt)} after ${result.durationMs} ms`,
    webhookId: delivery.webhookId,
    request: { headers, body: JSON.parse(delivery.body) as unknown },
    response: 'status' in result ? { status: result.status, body: result.body } : { error: result.error },
  };
}
