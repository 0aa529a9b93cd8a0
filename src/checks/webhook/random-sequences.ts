import fc from 'fast-check';
import type { EventType } from '../../contract/generated/events.ts';
import { type AssignmentTarget, type EntityKind, getEntityKind } from './check-entities.ts';
import type { EventName, Rewrite, Step, WebhookScenario } from './scenario.ts';

const [CREATED, ACTIVATED, DEACTIVATED, DISCONNECTED] = [
  'experience.connection.created',
  'experience.connection.activated',
  'experience.connection.deactivated',
  'experience.connection.deleted',
] as const;
const ASSIGNMENT = ['experience.assignment.created', 'experience.assignment.deleted'] as const;
const USER = ['provisioning.user.created', 'provisioning.user.deleted'] as const;

interface Life {
  readonly account: number;
  /** The entity's changes, in order. A sequence may end before the last ones. */
  readonly changes: readonly EventType[];
  readonly targetType?: AssignmentTarget;
}

/** The entities share accounts and Experiences, so that a change of one shows whether the consumer changes another. */
const LIVES = {
  c1: { account: 0, changes: [CREATED, ACTIVATED, DEACTIVATED] },
  c2: { account: 1, changes: [CREATED, ACTIVATED, DISCONNECTED] },
  c3: { account: 0, changes: [CREATED, ACTIVATED, DEACTIVATED, ACTIVATED] },
  c4: { account: 1, changes: [CREATED, ACTIVATED] },
  c5: { account: 2, changes: [CREATED, ACTIVATED, DEACTIVATED, DISCONNECTED] },
  a1: { account: 0, changes: ASSIGNMENT },
  a2: { account: 1, changes: ASSIGNMENT, targetType: 'FOREIGN_NUMBER' },
  a3: { account: 2, changes: ASSIGNMENT, targetType: 'USER' },
  a4: { account: 0, changes: ASSIGNMENT, targetType: 'ACCOUNT' },
  a5: { account: 1, changes: ASSIGNMENT, targetType: 'ACCOUNT' },
  a6: { account: 2, changes: ASSIGNMENT, targetType: 'FOREIGN_NUMBER' },
  u1: { account: 0, changes: USER },
  u2: { account: 1, changes: USER },
  u3: { account: 1, changes: USER },
  u4: { account: 2, changes: USER },
} as const satisfies Record<string, Life>;
const entityNames = Object.keys(LIVES) as (keyof typeof LIVES)[];
export const getLife = (entity: Delivery['entity']): Life => LIVES[entity];

export interface Delivery {
  readonly entity: (typeof entityNames)[number];
  /** The index of the change in LIVES. */
  readonly change: number;
  /** Whether to send the delivery in parallel with the previous one. */
  readonly atOnce: boolean;
}

/** Deliveries in any order. The check makes each change before it delivers the change's event. */
export interface Sequence {
  /** Whether instants have several formats, some with fractions of a millisecond. */
  readonly variesInstantFormats: boolean;
  /** Whether to restart the consumer after the first half of the deliveries. */
  readonly restarts: boolean;
  /** A list with an event also contains all earlier events of the same entity. */
  readonly deliveries: readonly Delivery[];
}

/** One sequence in four is a burst, and one in four restarts the consumer. */
const RARELY = [true, false, false, false];
const [LONGEST, BURST] = [12, { minLength: 20, maxLength: 50 }];

export class RandomSequences extends fc.Arbitrary<Sequence> {
  readonly #sequences: fc.Arbitrary<Sequence & { readonly inOrder: boolean }>;

  /** @param kinds at least one */
  constructor(kinds: readonly EntityKind[]) {
    super();
    const delivery = fc
      .constantFrom(...entityNames.filter((entity) => kinds.includes(getEntityKind(LIVES[entity].changes[0]))))
      .chain((entity) =>
        fc.record({ entity: fc.constant(entity), change: fc.nat(LIVES[entity].changes.length - 1), atOnce: fc.boolean() }),
      );
    const rarely = fc.constantFrom(...RARELY);
    const burst = fc.array(delivery, { ...BURST, size: 'max' }).map((deliveries) => deliveries.map((each) => ({ ...each, atOnce: true })));
    this.#sequences = fc.record({
      variesInstantFormats: fc.boolean(),
      inOrder: fc.boolean(),
      restarts: rarely,
      deliveries: rarely.chain((isBurst) => (isBurst ? burst : fc.array(delivery, { minLength: 1, maxLength: LONGEST }))),
    });
  }

  generate(random: fc.Random): fc.Value<Sequence> {
    const { deliveries, inOrder, ...others } = this.#sequences.generate(random, undefined).value;
    const complete = addEarlierEvents(deliveries);
    return new fc.Value({ ...others, deliveries: inOrder ? complete.toSorted((a, b) => a.change - b.change) : complete }, undefined);
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

function* generateSimplerSequences({ deliveries, ...others }: Sequence): Generator<Sequence> {
  if (others.variesInstantFormats) yield { ...others, variesInstantFormats: false, deliveries };
  if (others.restarts) yield { ...others, restarts: false, deliveries };
  const size = Math.ceil(deliveries.length / 4);
  const shorter = [
    // A quarter at a time, because a burst has many deliveries.
    ...(size < 4 ? [] : [0, 1, 2, 3]).map((part) => addEarlierEvents(deliveries.toSpliced(part * size, size))),
    ...entityNames.map((entity) => deliveries.filter((each) => each.entity !== entity)),
    ...deliveries.map((each) => removeEvent(deliveries, each)),
    ...deliveries
      .filter((each, index) => deliveries.some((other, at) => at !== index && isSameEvent(other, each)))
      .map((each) => deliveries.filter((other) => other !== each)),
  ];
  for (const each of shorter) if (each.length > 0 && each.length < deliveries.length) yield { ...others, deliveries: each };
  for (const [index, each] of deliveries.entries()) {
    const before = deliveries[index - 1];
    if (each.atOnce && before) {
      // Parallel deliveries may arrive in either order.
      yield { ...others, deliveries: deliveries.with(index, { ...each, atOnce: false }) };
      const swapped = deliveries.with(index - 1, { ...each, atOnce: before.atOnce }).with(index, { ...before, atOnce: false });
      yield { ...others, deliveries: swapped };
    }
    const earlier = deliveries.slice(0, index);
    if (!earlier.some(({ entity, change }) => entity === each.entity && change > each.change)) continue;
    const first = earlier.findLastIndex(({ entity, change }) => entity === each.entity && change < each.change) + 1;
    for (let position = first; position < index; position++)
      yield { ...others, deliveries: deliveries.toSpliced(index, 1).toSpliced(position, 0, each) };
  }
}

function removeEvent(deliveries: readonly Delivery[], event: Delivery): Delivery[] {
  const others = deliveries.filter((each) => !isSameEvent(each, event));
  return others.map((each) => (each.entity === event.entity && each.change > event.change ? { ...each, change: each.change - 1 } : each));
}

export function isSameEvent(first: Delivery, second: Delivery): boolean {
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

/** What a consumer can do besides the handling of events. */
export interface Abilities {
  readonly canRestart: boolean;
  /** Whether the consumer accepts events whose `updatedAt` is in the future, as a rewritten one is. */
  readonly acceptsLaterInstants: boolean;
}

export function toScenario(sequence: Sequence, { canRestart, acceptsLaterInstants }: Abilities): WebhookScenario {
  const published: EventName[] = [];
  const steps: Step[] = [{ step: 'remember-others' }];
  const groups = groupSimultaneous(sequence);
  for (const [at, group] of groups.entries()) {
    if (sequence.restarts && canRestart && at === Math.ceil(groups.length / 2)) steps.push({ step: 'restart' });
    for (const { entity, change } of group) {
      const { changes, account, targetType } = getLife(entity);
      for (const [index, type] of changes.slice(0, change + 1).entries()) {
        const event = toEventName(entity, index);
        if (published.includes(event)) continue;
        published.push(event);
        steps.push({ step: 'change', type, entity, event, account, targetType });
      }
    }
    const sends = group.map(({ entity, change }) => {
      const event = toEventName(entity, change);
      const isRewritten = sequence.variesInstantFormats && acceptsLaterInstants;
      return { event, ...(isRewritten && { as: createInstantRewrite(published.indexOf(event)) }) };
    });
    steps.push(sends.length === 1 ? { step: 'send', ...sends[0]! } : { step: 'burst', sends });
  }
  return { id: 'random', title: 'Events arrive in a random order.', steps: [...steps, { step: 'compare', what: 'everything' }] };
}

const toEventName = (entity: Delivery['entity'], change: number): EventName => `${entity}-${change}`;

/** Different indexes give instants at least a millisecond apart, because a consumer may ignore smaller fractions. */
function createInstantRewrite(index: number): Rewrite {
  const seconds = Math.floor(index / 4) + [0, 0.001001, 0.0025, 0.5][index % 4]!;
  return { updatedAt: { seconds, digits: [0, 6, 4, 1][index % 4]!, zone: index % 3 === 1 ? '+00:00' : 'Z' } };
}
