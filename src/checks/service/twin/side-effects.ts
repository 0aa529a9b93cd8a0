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

/** What was seen of entities after requests of one kind. */
interface Count {
  /** How long the entities were watched after each request, in seconds, and whether one of them had changed. */
  readonly writes: Map<Write, { seconds: number; isChanged: boolean }>;
  example?: SideEffect;
}

/** The longest time, in milliseconds, between the two responses that show that an entity has changed. */
const MAX_WINDOW_MS = 5000;
/** The number of requests of one kind that are remembered. */
const MAX_WRITES = 1000;
const MIN_CHANGES = 3;
const MIN_SHARE = 0.5;
/** The smaller, the less often a coincidence is reported. */
const MAX_COINCIDENCE = 1e-8;
/** The least number of changes by others that is assumed, per entity and second. */
const MIN_CHANGE_RATE = 0.001;

export class SideEffects {
  private writes: readonly Write[] = [];
  private readonly counts = new Map<string, Count>();
  private readonly all = { changed: 0, seconds: 0 };

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
    return this.find(known, exchange).some((write) => write.id === known.id && succeeds(write.exchange));
  }

  private find(known: Known, exchange: Exchange): readonly Write[] {
    const [start, end] = [getEnd(known.exchange), getStart(exchange)];
    return this.writes.filter((write) => getStart(write.exchange) >= start && getEnd(write.exchange) <= end);
  }

  count(known: Known, sighting: Sighting, isChanged: boolean): void {
    const { exchange } = sighting;
    const seconds = (getStart(exchange) - getEnd(known.exchange)) / 1000;
    if (seconds * 1000 > MAX_WINDOW_MS || this.isExplained(known, sighting)) return;
    this.all.seconds += seconds;
    if (isChanged) this.all.changed += 1;
    const counted = new Set<string>();
    for (const write of this.find(known, exchange)) {
      const relation = relate(write, known);
      const key = `${write.name} ${known.kind} ${known.members.state ?? known.members.targetType ?? ''} ${relation}`;
      if (relation === undefined || counted.has(key)) continue;
      counted.add(key);
      const count: Count = this.counts.get(key) ?? { writes: new Map() };
      this.counts.set(key, count);
      const before = count.writes.get(write) ?? { seconds: 0, isChanged: false };
      count.writes.set(write, { seconds: before.seconds + seconds, isChanged: before.isChanged || isChanged });
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
    return [...this.counts.values()].flatMap(({ writes, example }): SideEffect[] => {
      const seen = [...writes.values()];
      const changed = seen.filter((each) => each.isChanged).length;
      if (example === undefined || changed < MIN_CHANGES || changed / seen.length < MIN_SHARE) return [];
      const seconds = seen.reduce((sum, each) => sum + each.seconds, 0);
      const others = (this.all.changed - changed) / Math.max(this.all.seconds - seconds, 1);
      if (estimateChance(changed, seconds * Math.max(others, MIN_CHANGE_RATE)) > MAX_COINCIDENCE) return [];
      return [{ ...example, text: `${example.text} (${changed} of ${seen.length} times it was)` }];
    });
  }
}

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
