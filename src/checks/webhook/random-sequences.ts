import fc from 'fast-check';
import type { EventType } from '../../contract/generated/events.ts';
import type { WebhookRuleId } from '../rules.ts';
import { type EntityKind, getEntityKind } from './check-entities.ts';
import type { ScenarioResult } from './result.ts';
import type { EventName, Rewrite, Step, WebhookScenario } from './scenario.ts';

const CHANGES_BY_ENTITY = {
  c1: ['experience.connection.created', 'experience.connection.activated', 'experience.connection.deactivated'],
  c2: ['experience.connection.created', 'experience.connection.activated', 'experience.connection.deleted'],
  a1: ['experience.assignment.created', 'experience.assignment.deleted'],
  u1: ['provisioning.user.created', 'provisioning.user.deleted'],
  u2: ['provisioning.user.created', 'provisioning.user.deleted'],
} satisfies Record<string, EventType[]>;
const entityNames = Object.keys(CHANGES_BY_ENTITY) as (keyof typeof CHANGES_BY_ENTITY)[];

interface Delivery {
  readonly entity: (typeof entityNames)[number];
  /** The index of the change in CHANGES_BY_ENTITY. */
  readonly change: number;
  /** Whether to send the delivery in parallel with the previous one. */
  readonly atOnce: boolean;
}

/** Deliveries in any order. The check makes each change before it delivers the change's event. */
export interface Sequence {
  /** Whether instants have several formats, some with fractions of a millisecond. */
  readonly variesInstantFormats: boolean;
  /** A list with an event also contains all earlier events of the same entity. */
  readonly deliveries: readonly Delivery[];
}

export class RandomSequences extends fc.Arbitrary<Sequence> {
  readonly #sequences: fc.Arbitrary<Sequence & { readonly inOrder: boolean }>;

  /** @param kinds at least one */
  constructor(kinds: readonly EntityKind[]) {
    super();
    const delivery = fc
      .constantFrom(...entityNames.filter((entity) => kinds.includes(getEntityKind(CHANGES_BY_ENTITY[entity][0]!))))
      .chain((entity) =>
        fc.record({ entity: fc.constant(entity), change: fc.nat(CHANGES_BY_ENTITY[entity].length - 1), atOnce: fc.boolean() }),
      );
    this.#sequences = fc.record({
      variesInstantFormats: fc.boolean(),
      inOrder: fc.boolean(),
      deliveries: fc.array(delivery, { minLength: 1, maxLength: 12 }),
    });
  }

  generate(random: fc.Random, bias: number | undefined): fc.Value<Sequence> {
    const { variesInstantFormats, inOrder, deliveries } = this.#sequences.generate(random, bias).value;
    const complete = addEarlierEvents(deliveries);
    return new fc.Value(
      { variesInstantFormats, deliveries: inOrder ? complete.toSorted((a, b) => a.change - b.change) : complete },
      undefined,
    );
  }

  canShrinkWithoutContext(_: unknown): _ is Sequence {
    return true;
  }

  shrink(sequence: Sequence): fc.Stream<fc.Value<Sequence>> {
    return fc.stream(generateSimplerSequences(sequence)).map((each) => new fc.Value(each, undefined));
  }
}

function addEarlierEvents(deliveries: readonly Delivery[]): Delivery[] {
  const missing = entityNames.flatMap((entity) => {
    const sent = deliveries.filter((each) => each.entity === entity).map(({ change }) => change);
    const earlier = Array.from({ length: Math.max(0, ...sent) }, (_, change) => change);
    return earlier.filter((change) => !sent.includes(change)).map((change) => ({ entity, change, atOnce: false }));
  });
  return [...deliveries, ...missing];
}

function* generateSimplerSequences({ variesInstantFormats, deliveries }: Sequence): Generator<Sequence> {
  if (variesInstantFormats) yield { variesInstantFormats: false, deliveries };
  const shorter = [
    ...entityNames.map((entity) => deliveries.filter((each) => each.entity !== entity)),
    ...deliveries.map((each) => removeEvent(deliveries, each)),
    ...deliveries
      .filter((each, index) => deliveries.some((other, at) => at !== index && isSameEvent(other, each)))
      .map((each) => deliveries.filter((other) => other !== each)),
  ];
  for (const each of shorter) if (each.length > 0 && each.length < deliveries.length) yield { variesInstantFormats, deliveries: each };
  for (const [index, each] of deliveries.entries()) {
    const before = deliveries[index - 1];
    if (each.atOnce && before) {
      // Parallel deliveries may arrive in either order.
      yield { variesInstantFormats, deliveries: deliveries.with(index, { ...each, atOnce: false }) };
      const swapped = [
        { ...each, atOnce: before.atOnce },
        { ...before, atOnce: false },
      ];
      yield { variesInstantFormats, deliveries: deliveries.toSpliced(index - 1, 2, ...swapped) };
    }
    const earlier = deliveries.slice(0, index);
    if (!earlier.some(({ entity, change }) => entity === each.entity && change > each.change)) continue;
    const first = earlier.findLastIndex(({ entity, change }) => entity === each.entity && change < each.change) + 1;
    for (let position = first; position < index; position++)
      yield { variesInstantFormats, deliveries: deliveries.toSpliced(index, 1).toSpliced(position, 0, each) };
  }
}

function removeEvent(deliveries: readonly Delivery[], event: Delivery): Delivery[] {
  const others = deliveries.filter((each) => !isSameEvent(each, event));
  return others.map((each) => (each.entity === event.entity && each.change > event.change ? { ...each, change: each.change - 1 } : each));
}

function isSameEvent(first: Delivery, second: Delivery): boolean {
  return first.entity === second.entity && first.change === second.change;
}

function groupSimultaneous({ deliveries }: Sequence): Delivery[][] {
  const groups: Delivery[][] = [];
  for (const each of deliveries) {
    if (each.atOnce && groups.length > 0) groups.at(-1)!.push(each);
    else groups.push([each]);
  }
  return groups;
}

export function toScenario(sequence: Sequence): WebhookScenario {
  const published: EventName[] = [];
  const steps: Step[] = [];
  for (const group of groupSimultaneous(sequence)) {
    for (const { entity, change } of group) {
      for (const [index, type] of CHANGES_BY_ENTITY[entity].slice(0, change + 1).entries()) {
        const event = toEventName(entity, index);
        if (published.includes(event)) continue;
        published.push(event);
        steps.push({ step: 'change', type, entity, event, account: entity === 'c2' ? 1 : 0 });
      }
    }
    const sends = group.map(({ entity, change }) => {
      const event = toEventName(entity, change);
      return { event, ...(sequence.variesInstantFormats && { as: createInstantRewrite(published.indexOf(event)) }) };
    });
    steps.push(sends.length === 1 ? { step: 'send', ...sends[0]! } : { step: 'burst', sends });
  }
  return {
    id: 'random',
    title: 'Events arrive in a random order.',
    steps: [...steps, { step: 'compare' }, { step: 'compare', what: 'applied' }],
  };
}

const toEventName = (entity: Delivery['entity'], change: number): EventName =>
  `${entity}-${CHANGES_BY_ENTITY[entity][change]!.split('.')[2]}`;

/** Different indexes give instants at least a millisecond apart, because a consumer may ignore smaller fractions. */
function createInstantRewrite(index: number): Rewrite {
  const formats = [
    [0, 0],
    [0.001001, 6],
    [0.0025, 4],
    [0.5, 1],
  ] as const;
  const [fraction, digits] = formats[index % formats.length]!;
  const seconds = Math.floor(index / formats.length) + fraction;
  return { updatedAt: { seconds, digits, zone: index % 3 === 1 ? '+00:00' : 'Z' } };
}

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
  { variesInstantFormats, deliveries }: Sequence,
  failure: ScenarioResult['failure'],
  isFullyShrunk: boolean,
): BrokenRule {
  if (failure === 'not-acknowledged') return 'events.endpoint.acknowledges-with-2xx';
  if (failure === 'late') return 'events.endpoint.answers-in-time';
  if (!isFullyShrunk) return 'events.consumer.any-order';
  if (variesInstantFormats) return 'events.consumer.compares-instants';
  const pairs = deliveries.flatMap((earlier, index) => deliveries.slice(index + 1).map((later) => ({ earlier, later })));
  if (pairs.some(({ earlier, later }) => isSameEvent(earlier, later))) return 'events.consumer.deduplicates';
  if (deliveries.some(({ atOnce }, index) => atOnce && index > 0)) return 'events.consumer.any-order';
  const reordered = pairs.filter(({ earlier, later }) => earlier.entity === later.entity && earlier.change > later.change);
  if (reordered.length === 0) return 'events.endpoint.acknowledges-what-it-keeps';
  const isDeletion = ({ entity, change }: Delivery) => CHANGES_BY_ENTITY[entity][change]!.endsWith('.deleted');
  return reordered.some(({ earlier }) => isDeletion(earlier)) ? 'events.consumer.remembers-deletions' : 'events.consumer.discards-older';
}

/** Returns a copy that does not test the rule, for example without repeated deliveries. Returns undefined if no such copy exists. */
export function createSequenceWithoutRule({ variesInstantFormats, deliveries }: Sequence, rule: BrokenRule): Sequence | undefined {
  switch (rule) {
    case 'events.consumer.compares-instants':
      return { variesInstantFormats: false, deliveries };
    case 'events.consumer.deduplicates':
      return {
        variesInstantFormats,
        deliveries: deliveries.filter((each, index) => deliveries.findIndex((other) => isSameEvent(each, other)) === index),
      };
    case 'events.consumer.discards-older':
    case 'events.consumer.remembers-deletions':
      return { variesInstantFormats, deliveries: deliveries.toSorted((a, b) => a.change - b.change) };
    default:
      return undefined;
  }
}
