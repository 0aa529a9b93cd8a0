import type { FixedScenario } from '../scenario.ts';
import { change, changeAndSend, compare, comparePrecondition, inOrder, send, withUpdatedAt } from '../steps.ts';

export const REPEAT_SCENARIOS: readonly FixedScenario[] = [
  {
    id: 'repeat-at-once',
    title: 'A delivery is repeated immediately.',
    rule: 'events.consumer.deduplicates',
    advice: 'Store the webhook-id of every event that you applied, and acknowledge a delivery with a known webhook-id without applying it.',
    steps: [...buildEqualUpdatedAtSteps(send('c1 activated')), { step: 'compare', what: 'applied' }],
  },
  {
    id: 'repeat-after-lost-answer',
    title: 'The sender closes the HTTP connection before it reads the acknowledgement, and repeats the delivery.',
    rule: 'events.consumer.deduplicates',
    advice: 'Store the webhook-id in the transaction that applies the event, not after you have sent the response.',
    steps: [
      ...changeAndSend('c1', 'created', withUpdatedAt(0)),
      change('c1', 'activated'),
      send('c1 activated', withUpdatedAt(1), { loseAnswer: true }),
      { step: 'compare', what: 'applied' },
      comparePrecondition,
      ...changeAndSend('c1', 'deactivated', withUpdatedAt(1)),
      comparePrecondition,
      send('c1 activated'),
      compare,
    ],
  },
  {
    id: 'repeat-spelled-differently',
    title: 'A repeated delivery has its JSON members in another order, capitals in header names, and a charset.',
    rule: 'events.consumer.deduplicates',
    advice: 'Deduplicate by the webhook-id header, in any letter case, and not by the body.',
    requires: ['repeat-at-once'],
    steps: [...buildEqualUpdatedAtSteps(send('c1 activated', { otherSpelling: true })), { step: 'compare', what: 'applied' }],
  },
  {
    id: 'repeat-later',
    title: 'A delivery is repeated later, after many other events.',
    rule: 'events.consumer.deduplicates',
    advice:
      'Keep every webhook-id. The specification shows no retry schedule, so a repeat may arrive at any time: a few seconds, or the last hundred events, are not enough.',
    requires: ['repeat-at-once'],
    steps: [...buildEqualUpdatedAtSteps({ step: 'later' }, send('c1 activated')), { step: 'compare', what: 'applied' }],
  },
  {
    id: 'activated-again',
    title: 'A connection is activated, deactivated and activated again.',
    rule: 'events.consumer.deduplicates',
    advice: 'Deduplicate by the webhook-id header alone. Two events of the same type about the same connection are two events.',
    steps: [
      ...inOrder('c1 created', 'c1 activated', 'c1 deactivated'),
      comparePrecondition,
      { ...change('c1', 'activated'), event: 'c1 activated again' },
      send('c1 activated again'),
      compare,
    ],
  },
];

/**
 * Sends two events with the same `updatedAt`, then repeats the first. If the consumer does not recognize the repeat, its state becomes
 * wrong.
 */
export function buildEqualUpdatedAtSteps(...repeatSteps: readonly FixedScenario['steps'][number][]): FixedScenario['steps'] {
  return [
    ...changeAndSend('c1', 'created', withUpdatedAt(0)),
    ...changeAndSend('c1', 'activated', withUpdatedAt(1)),
    comparePrecondition,
    ...changeAndSend('c1', 'deactivated', withUpdatedAt(1)),
    comparePrecondition,
    ...repeatSteps,
    compare,
  ];
}
