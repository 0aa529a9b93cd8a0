import type { RuleId } from '../../contract/generated/rules.ts';
import type { Answer } from '../../expect/answer.ts';
import { must, RuleBroken } from '../../expect/rule-broken.ts';
import type { Exchange } from './exchange.ts';
import type { Traffic } from './traffic.ts';

/** An exchange that shows whether the service follows a rule. */
export interface Shown {
  /** Undefined for an exchange with the authorization server. */
  readonly exchange: Pick<Exchange, 'call' | 'answer'> & Partial<Pick<Exchange, 'form'>>;
  /** What was expected, and what came instead. Absent if the service follows the rule. */
  readonly broken?: string;
  /** The earlier exchanges without which nothing would be shown. */
  readonly before?: readonly Pick<Exchange, 'answer'>[];
}

/** Returns only what the traffic shows without doubt: what another client, a cache or a delay can explain is left out. */
export type JudgeRule = (traffic: Traffic) => readonly Shown[];
export type RuleJudges = { readonly [Id in RuleId]?: JudgeRule };

/** @param check throws RuleBroken if the service breaks the rule */
export function show(exchange: Shown['exchange'], check: () => void = () => {}, before: Shown['before'] = []): Shown {
  try {
    check();
    return { exchange, before };
  } catch (error) {
    if (!(error instanceof RuleBroken)) throw error;
    return { exchange, before, broken: error.message };
  }
}

/** @param expected the clause after "Expected that" */
export const showThat = (
  condition: unknown,
  expected: string,
  exchange: Shown['exchange'],
  ...before: readonly Pick<Exchange, 'answer'>[]
): Shown => show(exchange, () => must(condition, expected, exchange.answer), before);

/** Judges each exchange by itself. @param isAbout whether the exchange shows anything about the rule */
export const judgeEach =
  (isAbout: (exchange: Exchange, traffic: Traffic) => unknown, check: (answer: Answer, exchange: Exchange) => void = () => {}): JudgeRule =>
  (traffic) =>
    traffic.exchanges.filter((each) => isAbout(each, traffic)).map((each) => show(each, () => check(each.answer, each)));
