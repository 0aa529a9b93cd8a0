import type { WebhookRuleId } from '../rules.ts';
import { type Delivery, getLife, isSameEvent, type Sequence } from './random-sequences.ts';
import type { ScenarioResult } from './result.ts';

/** The rules that a consumer may have broken if its state is wrong after a sequence. */
export const SEQUENCE_RULES = [
  'events.consumer.any-order',
  'events.consumer.compares-instants',
  'events.consumer.deduplicates',
  'events.consumer.discards-older',
  'events.consumer.remembers-deletions',
  'events.endpoint.acknowledges-what-it-keeps',
] as const satisfies WebhookRuleId[];

type BrokenRule = (typeof SEQUENCE_RULES)[number] | 'events.endpoint.acknowledges-with-2xx' | 'events.endpoint.answers-in-time';

/**
 * Returns the rule that a failed sequence breaks. If a shorter sequence might fail, too, the cause is unclear and the rule is
 * `events.consumer.any-order`.
 */
export function guessBrokenRule(
  { variesInstantFormats, restarts, deliveries }: Sequence,
  failure: ScenarioResult['failure'],
  isFullyShrunk: boolean,
): BrokenRule {
  if (failure === 'not-acknowledged') return 'events.endpoint.acknowledges-with-2xx';
  if (failure === 'late') return 'events.endpoint.answers-in-time';
  if (!isFullyShrunk) return 'events.consumer.any-order';
  if (variesInstantFormats) return 'events.consumer.compares-instants';
  if (restarts) return 'events.endpoint.acknowledges-what-it-keeps';
  const pairs = deliveries.flatMap((earlier, index) => deliveries.slice(index + 1).map((later) => ({ earlier, later })));
  if (pairs.some(({ earlier, later }) => isSameEvent(earlier, later))) return 'events.consumer.deduplicates';
  if (deliveries.some(({ atOnce }, index) => atOnce && index > 0)) return 'events.consumer.any-order';
  const reordered = pairs.filter(({ earlier, later }) => earlier.entity === later.entity && earlier.change > later.change);
  if (reordered.length === 0) return 'events.endpoint.acknowledges-what-it-keeps';
  const isDeletion = ({ entity, change }: Delivery) => getLife(entity).changes[change]!.endsWith('.deleted');
  return reordered.some(({ earlier }) => isDeletion(earlier)) ? 'events.consumer.remembers-deletions' : 'events.consumer.discards-older';
}

/** Returns a copy that does not test the rule, for example without repeated deliveries. Returns undefined if no such copy exists. */
export function createSequenceWithoutRule({ deliveries, ...others }: Sequence, rule: BrokenRule): Sequence | undefined {
  switch (rule) {
    case 'events.consumer.compares-instants':
      return { ...others, variesInstantFormats: false, deliveries };
    case 'events.consumer.deduplicates':
      return {
        ...others,
        deliveries: deliveries.filter((each, index) => deliveries.findIndex((other) => isSameEvent(each, other)) === index),
      };
    case 'events.consumer.discards-older':
    case 'events.consumer.remembers-deletions':
      return { ...others, deliveries: deliveries.toSorted((a, b) => a.change - b.change) };
    default:
      return undefined;
  }
}
