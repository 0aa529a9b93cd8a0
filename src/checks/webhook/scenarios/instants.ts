import type { FixedScenario } from '../scenario.ts';
import { change, changeAndSend, compare, comparePrecondition, send, withUpdatedAt } from '../steps.ts';

const COMPARE_INSTANTS_ADVICE = 'Compare instants, not strings: parse both values of updatedAt, and compare numbers.';

export const INSTANT_SCENARIOS: readonly FixedScenario[] = [
  {
    id: 'instant-with-longer-fraction',
    title: 'The newer updatedAt has a fraction of a second, and the older updatedAt has none.',
    rule: 'events.consumer.compares-instants',
    advice: COMPARE_INSTANTS_ADVICE,
    refusalBreaksRule: true,
    steps: [...changeAndSend('c1', 'created', withUpdatedAt(0, 0)), ...changeAndSend('c1', 'activated', withUpdatedAt(0.5, 1)), compare],
  },
  {
    id: 'instant-with-offset',
    title: 'The newer updatedAt is written with +00:00 and microseconds, and the older one with Z.',
    rule: 'events.consumer.compares-instants',
    advice: COMPARE_INSTANTS_ADVICE,
    refusalBreaksRule: true,
    steps: [
      ...changeAndSend('c1', 'created', withUpdatedAt(1.5, 1)),
      ...changeAndSend('c1', 'activated', withUpdatedAt(1.501001, 6, '+00:00')),
      compare,
    ],
  },
  {
    id: 'older-by-a-microsecond',
    title: 'An event that is one microsecond older arrives after the newer event.',
    rule: 'events.consumer.compares-instants',
    advice: '',
    observation:
      'If the updatedAt values of two events are in the same millisecond, the consumer treats them as equal and keeps the event that arrives later. The specification states no precision, and the kit writes milliseconds.',
    requires: ['older-after-newer'],
    steps: [
      ...changeAndSend('c1', 'created', withUpdatedAt(0)),
      change('c1', 'activated'),
      ...changeAndSend('c1', 'deactivated', withUpdatedAt(1.000002, 6)),
      comparePrecondition,
      send('c1 activated', withUpdatedAt(1.000001, 6)),
      compare,
    ],
  },
];
