import type { Call } from '../../checks/client/call.ts';
import { getResponseEndMs } from '../../checks/client/history.ts';
import { type Exchange, toExchange } from '../../checks/service/exchange.ts';
import { Twin } from '../../checks/service/twin/twin.ts';
import { decisions } from '../../contract/generated/decisions-table.ts';
import { rules } from '../../contract/generated/rules-table.ts';

/** A request that takes longer than this may have overlapped with others that were taken as over, in milliseconds. */
const SETTLE_MS = 3000;
const INTERVAL_MS = 500;

/** Compares what passes with what earlier responses let expect, and prints what is new: broken rules, changes from elsewhere, and decisions. */
export function createTwinPrinter(print: (line: string) => void) {
  const twin = new Twin();
  const printed = new Set<string>();
  let waiting: Exchange[] = [];
  let changes = 0;

  function follow(untilMs: number): void {
    const [ready, rest] = [true, false].map((isReady) => waiting.filter(({ call }) => getResponseEndMs(call) < untilMs === isReady));
    waiting = rest!;
    if (ready!.length === 0) return;
    twin.follow(ready!);
    for (const { text, exchange } of twin.changesElsewhere.slice(changes)) print(`changed elsewhere  #${exchange.call.number}  ${text}`);
    changes = twin.changesElsewhere.length;
    for (const { rule, shown } of twin.conclude()) {
      if (shown.broken === undefined || printed.has(rule)) continue;
      printed.add(rule);
      print(`rule broken  ${rule}  ${rules[rule].text}\n  #${(shown.exchange as Exchange).call.number}  ${shown.broken.split('\n')[0]}`);
    }
    for (const { decision, value } of twin.listDecisions()) {
      const name = `${decision}: ${String(value)}`;
      if (!printed.has(name)) print(`decision  ${name}  ${decisions[decision as keyof typeof decisions].question}`);
      printed.add(name);
    }
  }

  const timer = setInterval(() => follow(Date.now() - SETTLE_MS), INTERVAL_MS);
  return {
    add(call: Call): void {
      const exchange = call.step === 'forward' ? toExchange(call, '') : undefined;
      if (exchange) waiting.push(exchange);
    },
    /** Judges also the latest requests. @returns the observed decisions */
    stop() {
      clearInterval(timer);
      follow(Number.POSITIVE_INFINITY);
      return twin.listDecisions();
    },
  };
}
