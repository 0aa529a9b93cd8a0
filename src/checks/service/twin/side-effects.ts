// Finds entities that change whenever a request about something else is sent. Other clients change entities, too, but not each time.

import type { RuleId } from '../../../contract/generated/rules.ts';
import type { Exchange } from '../exchange.ts';
import { normalize, succeeds } from '../exchange.ts';
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

interface Count {
  changed: number;
  unchanged: number;
  example?: SideEffect;
}

/** The longest time, in milliseconds, between the two responses that show that an entity has changed. */
const MAX_WINDOW_MS = 5000;
const MIN_CHANGES = 3;
const MIN_SHARE = 0.8;
/** The smaller, the less often a coincidence is reported. */
const MAX_COINCIDENCE = 1e-6;

export class SideEffects {
  private writes: readonly Write[] = [];
  private readonly counts = new Map<string, Count>();
  private readonly all: Count = { changed: 0, unchanged: 0 };

  /** Records a request that may change entities, whatever the response is. */
  add(exchange: Exchange, memory: Memory): void {
    const known = memory.get(getKind(exchange), exchange.id);
    const members = { ...readIds(exchange), ...known?.members };
    const [id, experienceId, target] = [known?.id ?? '', normalize(members.experienceId), normalize(members.targetValue)];
    const name = `${exchange.operation} ${members.targetType ?? ''} ${succeeds(exchange) ? 'done' : exchange.answer.status}`;
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
    if (getStart(exchange) - getEnd(known.exchange) > MAX_WINDOW_MS || this.isExplained(known, sighting)) return;
    const add = (count: Count) => {
      if (isChanged) count.changed += 1;
      else count.unchanged += 1;
    };
    add(this.all);
    const counted = new Set<string>();
    for (const write of this.find(known, exchange)) {
      const relation = relate(write, known);
      const key = `${write.name} ${known.kind} ${known.members.state ?? known.members.targetType ?? ''} ${relation}`;
      if (relation === undefined || counted.has(key)) continue;
      counted.add(key);
      const count = this.counts.get(key) ?? { changed: 0, unchanged: 0 };
      this.counts.set(key, count);
      add(count);
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
    return [...this.counts.values()].flatMap((count): SideEffect[] => {
      const { changed, unchanged, example } = count;
      if (example === undefined || changed < MIN_CHANGES || changed / (changed + unchanged) < MIN_SHARE) return [];
      const others = Math.max(this.all.changed - changed, 1) / Math.max(this.all.changed + this.all.unchanged - changed - unchanged, 100);
      if (others ** changed > MAX_COINCIDENCE) return [];
      return [{ ...example, text: `${example.text} (${changed} of ${changed + unchanged} times it was)` }];
    });
  }
}

function relate({ id, accountId, experienceId, target }: Write, { id: ownId, members }: Known): string | undefined {
  if (id === ownId) return 'itself that was refused';
  const isSame = (value: string | undefined, own: unknown) => value !== undefined && value !== '' && value === normalize(own);
  const same = [
    ...(isSame(accountId, members.accountId) ? ['the same account'] : []),
    ...(isSame(experienceId, members.experienceId) ? ['the same Experience'] : []),
    ...(isSame(target, members.targetValue) ? ['the same target'] : []),
  ];
  return same.length === 0 ? undefined : same.join(' and ');
}

function nameRule({ id, exchange }: Write, { id: ownId, kind, members }: Known): RuleId {
  const { operation, answer } = exchange;
  const { experienceId, accountId, targetValue } = readIds(exchange);
  const isOwn =
    id === ownId ||
    (normalize(experienceId) === normalize(members.experienceId) &&
      [accountId, targetValue].some(
        (each) => each !== undefined && [members.accountId, members.targetValue].map(normalize).includes(normalize(each)),
      ));
  if (succeeds(exchange) || !isOwn || kind === 'user')
    return kind === 'connection' ? 'connections.only-changed' : 'assignments.only-changed';
  if (operation === 'updateExperienceConnection' && answer.status === 409) return 'connections.update.same-state-unchanged';
  const change = operation.startsWith('create') ? 'create' : operation.startsWith('update') ? 'update' : 'delete';
  return change === 'update' || kind === 'connection'
    ? `connections.${change}.refused-changes-nothing`
    : `assignments.${change}.refused-changes-nothing`;
}
