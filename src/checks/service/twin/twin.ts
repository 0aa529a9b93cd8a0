import type { Observation } from '../../../contract/generated/results.ts';
import type { RuleId } from '../../../contract/generated/rules.ts';
import { isSameInstant } from '../../../contract/instants.ts';
import { findListRule } from '../../../expect/rule-names.ts';
import { type Exchange, isAfter, type Json, succeeds } from '../exchange.ts';
import { isList } from '../lists.ts';
import { ACCESS_MS, MAX_LAG_MS } from '../resources.ts';
import { type Shown, showThat } from '../shown.ts';
import { getSameTimeMs } from '../updates.ts';
import { ObservedDecisions } from './decisions.ts';
import { getKind, isSameVersion, isWrite, listSightings, readIds, type Sighting } from './entities.ts';
import { type Expectation, listExpectations, listExpectationsOfItems, listMissing, MISSING } from './expectations.ts';
import { callerOf, getEnd, getStart, type Known, type Listing, Memory, matches, toAccess } from './memory.ts';
import { SideEffects } from './side-effects.ts';

/** A response that differs from what was expected, until it is known whether somebody else has changed the service. */
interface Doubt extends Expectation {
  readonly exchange: Exchange;
  /** Whether the caller has used the entity's account soon after the response. */
  isAccessSeen?: boolean;
}

/** A response that shows whether the service follows a rule. */
export interface Finding {
  readonly rule: RuleId;
  readonly shown: Shown;
}

/** The number of responses, per rule, that are remembered as following it. */
const MAX_SHOWN = 1000;
/** How often the absence of an entity must be shown, because another client may create and delete one in between. */
const MIN_ABSENCES = 2;
/** Requests whose responses arrive later than this may have overlapped with others that were taken as over, in milliseconds. */
const OVERLAP_MS = 60_000;

/**
 * Follows what passes between a service and its clients, and compares each response with what earlier ones let expect. Somebody else may
 * change the service at any time. So a different response breaks a rule only if a later one shows that what it depends on has not changed.
 */
export class Twin {
  /** What somebody else has changed, because no request that passed explains it. */
  readonly changesElsewhere: { readonly text: string; readonly exchange: Exchange }[] = [];
  private readonly findings = new Map<RuleId, Shown[]>();
  private readonly memory = new Memory();
  private readonly effects = new SideEffects();
  private readonly decisions = new ObservedDecisions();
  private readonly absences = new Map<RuleId, Finding[]>();
  private doubts: readonly Doubt[] = [];
  private latestMs = 0;
  /** In the order of arrival. */
  private writes: readonly Exchange[] = [];

  /** @param traffic what has passed since the last call, in any order */
  follow(traffic: readonly Exchange[]): void {
    const exchanges = traffic.toSorted((first, second) => getEnd(first) - getEnd(second));
    this.latestMs = exchanges.length === 0 ? this.latestMs : getEnd(exchanges.at(-1)!);
    const oldest = exchanges.reduce((ms, each) => Math.min(ms, getStart(each)), Number.POSITIVE_INFINITY) - OVERLAP_MS;
    const writes = [...this.writes.filter((each) => getStart(each) > oldest), ...exchanges.filter(isWrite)];
    this.writes = writes.toSorted((first, second) => getStart(first) - getStart(second));
    let start = 0;
    for (const each of exchanges) {
      while (start < writes.length && getStart(this.writes[start]!) < getStart(each) - OVERLAP_MS) start += 1;
      this.add(each, this.isOverlapped(each, start));
    }
  }

  private isOverlapped(each: Exchange, start: number): boolean {
    for (let index = start; index < this.writes.length; index += 1) {
      const write = this.writes[index]!;
      if (getStart(write) >= getEnd(each)) return false;
      if (write !== each && getEnd(write) > getStart(each) && this.isRelated(each, write)) return true;
    }
    return false;
  }

  private isRelated(first: Exchange, second: Exchange): boolean {
    const [account, other] = [this.memory.accountOf(first), this.memory.accountOf(second)];
    return account === undefined || other === undefined || account === other;
  }

  private add(each: Exchange, isOverlapped: boolean): void {
    if (isOverlapped) {
      this.skip(each);
      return;
    }
    this.decisions.add(each, this.memory);
    const expectations = [...listExpectations(each, this.memory), ...listExpectationsOfItems(each, this.memory)];
    for (const expectation of expectations) this.compare(each, expectation);
    // A deletion makes the twin forget what was deleted.
    if (isWrite(each)) this.effects.add(each, this.memory);
    const hasSeen = (id: string) => this.memory.get(getKind(each), id)?.callers.has(callerOf(each)) ?? false;
    for (const sighting of listSightings(each, hasSeen)) this.see(sighting);
    const listing = this.memory.read(each);
    if (listing) this.readListing(each, listing);
    if (isWrite(each)) this.write(each);
  }

  private compare(exchange: Exchange, expectation: Expectation): void {
    const { rule, agrees, premise } = expectation;
    if (agrees) this.record({ rule, shown: { exchange } });
    else if (premise === undefined && expectation.absent === undefined) this.record(toFinding({ ...expectation, exchange }, []));
    else if (premise === undefined || !mayLackAccess(exchange) || this.memory.hadAccess(exchange, premise.known.members, ACCESS_MS))
      this.doubts = [...this.doubts.slice(-1000), { ...expectation, exchange }];
    if (premise && !agrees) premise.known.isDoubtful = true;
  }

  private record({ rule, shown }: Finding): void {
    const found = this.findings.get(rule) ?? [];
    this.findings.set(rule, found);
    if (found.length < MAX_SHOWN || shown.broken !== undefined) found.push(shown);
  }

  /** Decides the doubts that depend on an entity, now that it is seen again. */
  private see(sighting: Sighting): void {
    const { kind, id, members, exchange, isListed } = sighting;
    const known = this.memory.get(kind, id);
    this.memory.recordAccess(sighting);
    this.doubts = this.doubts.filter((doubt) => {
      const { premise } = doubt;
      if (premise && isAfter(doubt.exchange, exchange) && !isAfter(doubt.exchange, exchange, ACCESS_MS))
        doubt.isAccessSeen ||= isSameAccess(doubt.exchange, premise.known.members, exchange, members);
      if (premise?.known.kind !== kind || premise.known.id !== id || !isAfter(doubt.exchange, exchange, isListed ? MAX_LAG_MS : 0))
        return true;
      const isShown = !mayLackAccess(doubt.exchange) || doubt.isAccessSeen;
      if (
        members &&
        isShown &&
        (premise.isUnchanged ? isUnchanged(premise.known, members, doubt.exchange) : isSameEntity(premise.known, members))
      )
        this.record(toFinding(doubt, [premise.known.exchange], exchange));
      return false;
    });
    if (known && !isWrite(exchange)) {
      const isChanged = members === undefined || !isSameVersion(kind, known.members, members);
      this.effects.count(known, sighting, isChanged);
      if (isChanged && !this.effects.isExplained(known, sighting)) {
        this.memory.share(known.members.accountId);
        const change = members ? 'changed' : 'deleted';
        this.changesElsewhere.push({ text: `The ${kind} ${id} was ${change}, but not by a request that passed.`, exchange });
      }
    }
    if (!known && !isWrite(exchange) && !this.memory.getCreation(id) && this.memory.wasAbsent(sighting))
      this.memory.share(members?.accountId);
    this.memory.see(sighting);
  }

  private readListing(each: Exchange, listing: Listing): void {
    const rule = findListRule(each.operation, Object.fromEntries(each.query));
    for (const expectation of listMissing(listing, this.memory, rule)) this.compare(each, expectation);
    const [first] = listing.pages as [Exchange];
    this.doubts = this.doubts.filter((doubt) => {
      const { absent, exchange } = doubt;
      if (absent === undefined || absent.kind !== listing.kind || !matches(absent.members, listing.filters)) return true;
      if (!isAfter(exchange, first, MAX_LAG_MS)) return true;
      if (this.memory.find(absent.kind, absent.members).length === 0 && !this.memory.isShared(absent.account)) {
        const found = [...(this.absences.get(doubt.rule) ?? []), toFinding(doubt, [absent.listing.pages.at(-1)!], each)];
        this.absences.set(doubt.rule, found);
        if (found.length >= MIN_ABSENCES) for (const finding of found.splice(0)) this.record(finding);
      }
      return false;
    });
  }

  /** What a request has changed need not be in its response. */
  private write(each: Exchange): void {
    if (succeeds(each)) this.memory.recordSuccess(each);
    const known = this.memory.get(getKind(each), each.id);
    if (!known) return;
    if (each.operation.startsWith('update') && succeeds(each) && each.answer.status !== 202) {
      const { state } = readIds(each);
      this.memory.setState(known, state ?? known.members.state, each);
    } else if (each.answer.status >= 500 || each.answer.status === 202) this.memory.forget(known.kind, known.id);
  }

  /** The service may have handled the request before or after another one. */
  private skip(each: Exchange): void {
    if (!isWrite(each)) return;
    this.effects.add(each, this.memory);
    if (succeeds(each)) this.memory.recordSuccess(each);
    if (succeeds(each) || each.answer.status >= 500) this.memory.forget(getKind(each), each.id);
  }

  listDecisions(): readonly Observation[] {
    return this.decisions.list();
  }

  /**
   * Returns the responses that follow or break a rule.
   * @param settledMs how long side effects must have been seen: at first, changes by somebody else may look like them
   */
  conclude(settledMs = 0): readonly Finding[] {
    const settled = this.effects.list().filter(({ exchange }) => this.latestMs - getEnd(exchange) >= settledMs);
    const effects = settled.map(({ rule, text, exchange, before }) => ({
      rule,
      shown: showThat(false, text, exchange, ...before),
    }));
    const found = [...this.findings].flatMap(([rule, all]) => all.map((shown) => ({ rule, shown })));
    return [...found, ...effects];
  }
}

/** Whether a response may be that to a caller who has lost the access to an entity. */
const mayLackAccess = (each: Exchange): boolean => isList(each) || MISSING.includes(each.answer.status);

function isSameAccess(first: Exchange, members: Json, second: Exchange, others: Json | undefined): boolean {
  const access = toAccess(callerOf(second), others);
  return access !== undefined && access === toAccess(callerOf(first), members);
}

/** Whether nothing shows that an entity was deleted, and created again with the same id. A change of it may show that, too. */
const isSameEntity = ({ members: { updatedAt } }: Known, after: Json): boolean =>
  typeof updatedAt !== 'string' || typeof after.updatedAt !== 'string' || isSameInstant(updatedAt, after.updatedAt);

/** Whether nobody has changed an entity and changed it back: each change changes updatedAt, unless two of them follow each other closely. */
const isUnchanged = ({ kind, members: before, unchangedSince }: Known, after: Json, exchange: Exchange): boolean =>
  typeof before.updatedAt === 'string' &&
  typeof after.updatedAt === 'string' &&
  isSameVersion(kind, before, after) &&
  getStart(exchange) - unchangedSince >= getSameTimeMs(before.updatedAt);

const toFinding = ({ rule, text, exchange }: Doubt, before: readonly Exchange[], after?: Exchange): Finding => ({
  rule,
  shown: showThat(false, `${text}${after ? `, as #${after.call.number} shows` : ''}`, exchange, ...before, ...(after ? [after] : [])),
});
