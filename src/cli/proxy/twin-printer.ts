import type { Call } from '../../checks/client/call.ts';
import { getResponseEndMs } from '../../checks/client/history.ts';
import { type Exchange, toExchange } from '../../checks/service/exchange.ts';
import { judgeService } from '../../checks/service/judge.ts';
import { Twin } from '../../checks/service/twin/twin.ts';
import type { DecisionId } from '../../contract/generated/decisions.ts';
import { decisions } from '../../contract/generated/decisions-table.ts';
import type { RuleId } from '../../contract/generated/rules.ts';
import { rules } from '../../contract/generated/rules-table.ts';
import { formatObservedValue } from '../../report/decisions-file.ts';

/** A request that takes longer than this may have overlapped with others that were taken as over, in milliseconds. */
const SETTLE_MS = 3000;
const INTERVAL_MS = 500;
/** How long side effects are observed before they are printed, in milliseconds. */
const SIDE_EFFECTS_MS = 10_000;
/** The number of requests that are judged by all rules. */
const MAX_JUDGED = 1000;

const describe = ({ call }: Pick<Exchange, 'call'>): string =>
  `#${call.number} ${call.method} ${call.path.split('?', 1)[0]} ${call.status}`;

/**
 * Compares what passes with what earlier responses let expect, and prints what is new: broken rules, changes from elsewhere, and decisions.
 * @param url the service's base URL
 * @param printLine if undefined, only the decisions are observed
 */
export function createTwinPrinter(url: string, printLine: ((line: string) => void) | undefined) {
  const print = printLine ?? (() => {});
  const twin = new Twin();
  const printed = new Set<string>();
  let waiting: Exchange[] = [];
  let changes = 0;
  let latest: readonly Call[] = [];
  let isJudged = true;

  function printBroken(rule: RuleId, text: string): void {
    if (!printed.has(rule)) print(`rule broken  ${rule}  ${rules[rule].text}\n  ${text}`);
    printed.add(rule);
  }

  function follow(untilMs: number): void {
    const [ready, rest] = [true, false].map((isReady) => waiting.filter(({ call }) => getResponseEndMs(call) < untilMs === isReady));
    waiting = rest!;
    if (ready!.length === 0) {
      judge();
      return;
    }
    isJudged = false;
    twin.follow(ready!);
    for (const { text, exchange } of twin.changesElsewhere.slice(changes)) print(`changed elsewhere  ${describe(exchange)}  ${text}`);
    changes = twin.changesElsewhere.length;
    for (const { rule, shown } of twin.conclude(Number.isFinite(untilMs) ? SIDE_EFFECTS_MS : 0))
      if (shown.broken !== undefined) printBroken(rule, `${describe(shown.exchange)}  ${shown.broken.split('\n')[0]}`);
    for (const observation of twin.listDecisions()) {
      const { decision } = observation;
      const name = `${decision}: ${formatObservedValue(observation)}`;
      if (!printed.has(name)) print(`decision  ${name}  ${decisions[decision as DecisionId].question}`);
      printed.add(name);
    }
  }

  /** Judges the latest requests by all rules, which takes longer, when no request has arrived for a while. */
  function judge(): void {
    if (isJudged || printLine === undefined) return;
    isJudged = true;
    for (const { id, cells } of judgeService({ calls: latest, url }).rules)
      for (const { verdict, checks } of Object.values(cells)) {
        const failure = verdict === 'failed' ? checks.find((check) => check.failure)?.failure : undefined;
        if (failure) printBroken(id as RuleId, failure.message.split('\n').slice(0, 2).join('  '));
      }
  }

  const timer = setInterval(() => follow(Date.now() - SETTLE_MS), INTERVAL_MS);
  return {
    add(call: Call): void {
      const exchange = call.step === 'forward' ? toExchange(call, '') : undefined;
      if (!exchange) return;
      waiting.push(exchange);
      latest = [...latest.slice(1 - MAX_JUDGED), call];
    },
    /** Judges also the latest requests. @returns the observed decisions */
    stop() {
      clearInterval(timer);
      follow(Number.POSITIVE_INFINITY);
      judge();
      return twin.listDecisions();
    },
  };
}
