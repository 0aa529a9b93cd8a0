import type { FixedScenario, Rewrite } from '../scenario.ts';
import { changeAndSend, compare, withUpdatedAt } from '../steps.ts';

function buildInstantScenario(id: string, title: string, older: Rewrite, newer: Rewrite): FixedScenario {
  return {
    id,
    title,
    rule: 'events.consumer.compares-instants',
    advice: 'Compare instants, not strings: parse both values of updatedAt, and compare numbers.',
    refusalBreaksRule: true,
    steps: [...changeAndSend('c1', 'created', older), ...changeAndSend('c1', 'activated', newer), compare],
  };
}

export const INSTANT_SCENARIOS: readonly FixedScenario[] = [
  buildInstantScenario(
    'instant-with-longer-fraction',
    'The newer updatedAt has a fraction of a second, and the older updatedAt has none.',
    withUpdatedAt(0, 0),
    withUpdatedAt(0.5, 1),
  ),
  buildInstantScenario(
    'instant-with-offset',
    'The newer updatedAt is written with +00:00 and microseconds, and the older one with Z.',
    withUpdatedAt(1.5, 1),
    withUpdatedAt(1.501001, 6, '+00:00'),
  ),
];
