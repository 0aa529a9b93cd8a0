import { type Exchange, isAfter, succeeds } from '../checks/service/exchange.ts';
import { type Shown, showThat } from '../checks/service/shown.ts';
import type { Observation } from '../contract/generated/results.ts';
import type { RuleId } from '../contract/generated/rules.ts';
import { findListRule } from '../oracle/rule-names.ts';
import { ObservedDecisions } from './decisions.ts';
import { getKind, isSameVersion, isWrite, listSightings, readIds, type Sighting } from './entities.ts';
import { type Expectation, listExpectations, listExpectationsOfItems, listMissing } from './expectations.ts';
import { callerOf, getEnd, getStart, type Listing, MAX_LAG_MS, Memory, matches } from './memory.ts';
import { SideEffects } from './side-effects.ts';

/** A response that differs from what was expected, until it is known whether somebody else has changed the service. */
interface Doubt extends Expectation {
  readonly exchange: Exchange;
}

/** A response that shows whether the service follows a rule. */
export interface Finding {
  readonly rule: RuleId;
  readonly shown: Shown;
}

/** How often the absence of an entity must be shown, because another client may create and delete one in between. */
const MIN_ABSENCES = 2;
/** Requests whose responses arrive later than this may have overlapped with others that were taken as over, in milliseconds. */
const OVERLAP_MS = 60_000;

/**
 * Follows what passes between a service and its clients, and compares each response with what earlier ones let expect. Somebody else may
 * change the service at any time. So a different response breaks a rule only if a later one shows that what it depends on has not changed.
 */
export class Twin {
  readonly findings: Finding[] = [];
  /** The number of responses that differ because somebody else has changed the service. */
  changesElsewhere = 0;
  private readonly memory = new Memory();
  private readonly effects = new SideEffects();
  private readonly decisions = new ObservedDecisions();
  private doubts: readonly Doubt[] = [];
  private readonly absences = new Map<RuleId, Finding[]>();

  follow(traffic: readonly Exchange[]): void {
    const exchanges = traffic.toSorted((first, second) => getEnd(first) - getEnd(second));
    const writes = exchanges.filter(isWrite).toSorted((first, second) => getStart(first) - getStart(second));
    let start = 0;
    for (const each of exchanges) {
      while (start < writes.length && getStart(writes[start]!) < getStart(each) - OVERLAP_MS) start += 1;
      let isOverlapped = false;
      for (let index = start; index < writes.length && getStart(writes[index]!) < getEnd(each) && !isOverlapped; index += 1)
        isOverlapped = writes[index] !== each && getEnd(writes[index]!) > getStart(each) && this.isRelated(each, writes[index]!);
      this.add(each, isOverlapped);
    }
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
    if (agrees) {
      this.findings.push({ rule, shown: { exchange } });
      return;
    }
    if (premise === undefined && expectation.absent === undefined)
      return void this.findings.push(toFinding({ ...expectation, exchange }, []));
    this.doubts = [...this.doubts.slice(-1000), { ...expectation, exchange }];
    if (premise) premise.known.isDoubtful = true;
  }

  /** Decides the doubts that depend on an entity, now that it is seen again. */
  private see(sighting: Sighting): void {
    const { kind, id, members, exchange, isListed } = sighting;
    const known = this.memory.get(kind, id);
    this.doubts = this.doubts.filter((doubt) => {
      const { premise } = doubt;
      if (premise?.known.kind !== kind || premise.known.id !== id || !isAfter(doubt.exchange, exchange, isListed ? MAX_LAG_MS : 0))
        return true;
      if (members && (!premise.isUnchanged || isSameVersion(kind, premise.known.members, members)))
        this.findings.push(toFinding(doubt, [premise.known.exchange], exchange));
      else this.changesElsewhere += 1;
      return false;
    });
    if (known && !isWrite(exchange))
      this.effects.count(known, sighting, members === undefined || !isSameVersion(kind, known.members, members));
    this.memory.see(sighting);
  }

  private readListing(each: Exchange, listing: Listing): void {
    const query = Object.fromEntries(each.query);
    const rule = findListRule({ operation: each.operation, request: { query } } as Parameters<typeof findListRule>[0]);
    for (const expectation of listMissing(listing, this.memory, rule)) this.compare(each, expectation);
    const [first] = listing.pages as [Exchange];
    this.doubts = this.doubts.filter((doubt) => {
      const { absent, exchange } = doubt;
      if (absent === undefined || absent.kind !== listing.kind || !matches(absent.members, listing.filters)) return true;
      if (!isAfter(exchange, first, MAX_LAG_MS)) return true;
      if (this.memory.find(absent.kind, absent.members).length === 0) {
        const found = [...(this.absences.get(doubt.rule) ?? []), toFinding(doubt, [absent.listing.pages.at(-1)!], each)];
        this.absences.set(doubt.rule, found);
        if (found.length >= MIN_ABSENCES) this.findings.push(...found.splice(0));
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

  /** Returns the responses that follow or break a rule. */
  conclude(): readonly Finding[] {
    const effects = this.effects.list().map(({ rule, text, exchange, before }) => ({
      rule,
      shown: showThat(false, text, exchange, ...before),
    }));
    return [...this.findings, ...effects];
  }
}

const toFinding = ({ rule, text, exchange }: Doubt, before: readonly Exchange[], after?: Exchange): Finding => ({
  rule,
  shown: showThat(false, `${text}${after ? `, as #${after.call.number} shows` : ''}`, exchange, ...before, ...(after ? [after] : [])),
});
