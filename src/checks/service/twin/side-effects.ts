// Finds entities that change whenever a request about something else is sent. Other clients change entities, too, but not each time.

import type { RuleId } from '../../../contract/generated/rules.ts';
import { type Exchange, normalize, succeeds } from '../exchange.ts';
import { getKind, readIds, type Sighting } from './entities.ts';
import { getEnd, getStart, type Known, type Memory } from './memory.ts';

/** A request that may have changed an entity, with the ids that it is about. */
interface Write {
  readonly exchange: Exchange;
  readonly id: string;
  readonly accountId: string | undefined;
  readonly experienceId: string | undefined;
  readonly target: string | undefined;
  readonly name: string;
}

export interface SideEffect {
  readonly rule: RuleId;
  readonly text: string;
  readonly exchange: Exchange;
  readonly before: readonly Exchange[];
}

/** How often entities have changed, and how long they were watched. */
interface Watch {
  readonly changed: number;
  readonly seconds: number;
}

/** What was seen of entities after requests of one kind. */
interface Count {
  /** By place: entities of one kind in one account. Others may change some accounts often, and others never. */
  readonly watches: Map<string, Watch>;
  /** Whether one of the entities had changed after a request. */
  readonly writes: Map<Write, boolean>;
  example?: SideEffect;
}

/** The longest time, in milliseconds, between the two responses that show that an entity has changed. */
const MAX_WINDOW_MS = 5000;
/** The number of requests of one kind that are remembered. */
const MAX_WRITES = 1000;
const MIN_CHANGES = 3;
/** The same if somebody else has changed such an entity, too. */
const MIN_CHANGES_AMONG_OTHERS = 20;
const MIN_SHARE = 0.5;
/** The smaller, the less often a coincidence is reported. */
const MAX_COINCIDENCE = 1e-8;
/** The least number of changes by others that is assumed, per entity and second. */
const MIN_CHANGE_RATE = 0.001;

export class SideEffects {
  private writes: readonly Write[] = [];
  private readonly counts = new Map<string, Count>();
  private readonly watches = new Map<string, Watch>();
  /** The places in which something has changed after no request that is related to it. */
  private readonly changedByOthers = new Set<string>();

  /** Records a request that may change entities, whatever the response is. */
  add(exchange: Exchange, memory: Memory): void {
    const known = memory.get(getKind(exchange), exchange.id);
    const members = { ...readIds(exchange), ...known?.members };
    const [id, experienceId, target] = [known?.id ?? '', normalize(members.experienceId), normalize(members.targetValue)];
    const name = `${exchange.operation} ${readIds(exchange).state ?? members.targetType ?? ''} ${succeeds(exchange) ? 'done' : exchange.answer.status}`;
    const write = { exchange, id, accountId: memory.accountOf(exchange), experienceId, target, name };
    const oldest = getStart(exchange) - MAX_WINDOW_MS;
    this.writes = [...this.writes.filter((each) => getEnd(each.exchange) > oldest), write];
  }

  /** Whether one of the requests in between was about this entity itself, and succeeded. */
  isExplained(known: Known, { exchange }: Sighting): boolean {
    return this.find(known, exchange).some((write) => isExplanation(write, known));
  }

  private find(known: Known, exchange: Exchange): readonly Write[] {
    const [start, end] = [getEnd(known.exchange), getStart(exchange)];
    return this.writes.filter((write) => getStart(write.exchange) >= start && getEnd(write.exchange) <= end);
  }

  count(known: Known, { exchange }: Sighting, isChanged: boolean): void {
    const seconds = (getStart(exchange) - getEnd(known.exchange)) / 1000;
    if (seconds * 1000 > MAX_WINDOW_MS) return;
    const writes = this.find(known, exchange);
    if (writes.some((write) => isExplanation(write, known))) return;
    const { accountId, state, targetType } = known.members;
    const ofKind = `${known.kind} ${state ?? targetType ?? ''}`;
    const place = `${ofKind} ${normalize(accountId)}`;
    addTo(this.watches, place, seconds, isChanged);
    if (isChanged && !writes.some((write) => relate(write, known))) this.changedByOthers.add(place);
    const counted = new Set<string>();
    for (const write of writes) {
      const relation = relate(write, known);
      const key = `${write.name} ${ofKind} ${relation}`;
      if (relation === undefined || counted.has(key)) continue;
      counted.add(key);
      const count: Count = this.counts.get(key) ?? { watches: new Map(), writes: new Map() };
      this.counts.set(key, count);
      addTo(count.watches, place, seconds, isChanged);
      count.writes.set(write, isChanged || count.writes.get(write) === true);
      if (count.writes.size > MAX_WRITES) count.writes.delete(count.writes.keys().next().value!);
      if (isChanged)
        count.example ??= {
          rule: nameRule(write, known),
          text: `the ${known.kind} ${known.id} is not changed by a request about ${relation}`,
          exchange,
          before: [known.exchange, write.exchange],
        };
    }
  }

  list(): readonly SideEffect[] {
    const all = sum(this.watches.values());
    return [...this.counts.values()].flatMap(({ watches, writes, example }): SideEffect[] => {
      const seen = [...writes.values()];
      const changed = seen.filter((isChanged) => isChanged).length;
      const minimum = [...watches.keys()].some((place) => this.changedByOthers.has(place)) ? MIN_CHANGES_AMONG_OTHERS : MIN_CHANGES;
      if (example === undefined || changed < minimum || changed / seen.length < MIN_SHARE) return [];
      const own = sum(watches.values());
      const usual = (all.changed - own.changed) / Math.max(all.seconds - own.seconds, 1);
      // In a place that was hardly watched without such a request, the usual rate counts as one more second.
      const expected = [...watches].reduce((changes, [place, { changed: after, seconds }]) => {
        const whole = this.watches.get(place)!;
        return changes + seconds * Math.max((whole.changed - after + usual) / (whole.seconds - seconds + 1), MIN_CHANGE_RATE);
      }, 0);
      if (estimateChance(changed, expected) > MAX_COINCIDENCE) return [];
      return [{ ...example, text: `${example.text} (${changed} of ${seen.length} times it was)` }];
    });
  }
}

function addTo(watches: Map<string, Watch>, place: string, seconds: number, isChanged: boolean): void {
  const before = watches.get(place) ?? { changed: 0, seconds: 0 };
  watches.set(place, { changed: before.changed + (isChanged ? 1 : 0), seconds: before.seconds + seconds });
}

function sum(watches: Iterable<Watch>): Watch {
  const total = { changed: 0, seconds: 0 };
  for (const { changed, seconds } of watches) {
    total.changed += changed;
    total.seconds += seconds;
  }
  return total;
}

const isExplanation = ({ id, exchange }: Write, known: Known): boolean => id === known.id && succeeds(exchange);

/** An upper bound of the probability of at least `count` events where `expected` are expected (Poisson). */
function estimateChance(count: number, expected: number): number {
  let chance = 1;
  for (let index = 1; index <= count; index += 1) chance *= expected / index;
  return chance;
}

function relate({ id, accountId, experienceId, target }: Write, { id: ownId, members }: Known): string | undefined {
  if (id === ownId) return 'itself that was refused';
  const same = [
    ['the same account', accountId, members.accountId] as const,
    ['the same Experience', experienceId, members.experienceId] as const,
    ['the same target', target, members.targetValue] as const,
  ].filter(([, value, own]) => value !== undefined && value !== '' && value === normalize(own));
  return same.length === 0 ? undefined : same.map(([what]) => what).join(' and ');
}

function nameRule({ id, exchange }: Write, { id: ownId, kind, members }: Known): RuleId {
  const { operation, answer } = exchange;
  const { experienceId, accountId, targetValue } = readIds(exchange);
  const owners = [members.accountId, members.targetValue].map(normalize);
  const isSame = normalize(experienceId) === normalize(members.experienceId);
  const isOwn = id === ownId || (isSame && [accountId, targetValue].some((each) => each !== undefined && owners.includes(normalize(each))));
  if (succeeds(exchange) || !isOwn || kind === 'user')
    return kind === 'connection' ? 'connections.only-changed' : 'assignments.only-changed';
  if (operation === 'updateExperienceConnection' && answer.status === 409) return 'connections.update.same-state-unchanged';
  const [change] = /^[a-z]+/.exec(operation) as unknown as ['create' | 'update' | 'delete'];
  return change === 'update' || kind === 'connection'
    ? `connections.${change}.refused-changes-nothing`
    : `assignments.${change}.refused-changes-nothing`;
}
