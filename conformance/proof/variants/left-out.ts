import type { RuleId } from '../../../src/contract/generated/rules.ts';
import { RATE_RULES } from '../../expect/rate-rules.ts';
import type { SuiteOptions } from '../../runner/run-suite.ts';
import type { Turned } from './plan.ts';

/** What waits for as long as an endpoint may take. */
const AWAITING_RULES: readonly RuleId[] = ['events.delivery.retries-unanswered', 'events.delivery.waits-for-answer'];

interface LeftOut {
  readonly said: string;
  readonly notApplicable: NonNullable<SuiteOptions['notApplicable']>;
}

/** What is not judged of a server, to save time: the checks of rates run alone, and wait; so do those that let the service wait. */
export function leftOut(servers: readonly Turned[], index: number): LeftOut & Pick<SuiteOptions, 'workers'> {
  const waiting = awaited(servers, index);
  const parts = [rates(servers, index), waiting];
  return {
    said: parts.map(({ said }) => said).join('; '),
    notApplicable: parts.flatMap(({ notApplicable }) => notApplicable),
    // The others go on beside what waits.
    workers: waiting.notApplicable.length > 0 ? 1 : 2,
  };
}

function rates(servers: readonly Turned[], index: number): LeftOut {
  const sameAs = servers.findIndex(decidesAs(servers[index], 'limits.'));
  if (sameAs < index) return elsewhere('rates', RATE_RULES, sameAs);
  return { said: 'rates judged in the prefixed form', notApplicable: without(RATE_RULES, 'judged in the other form', 'flat') };
}

/** At the last of those that decide alike: the first has the rates. */
function awaited(servers: readonly Turned[], index: number): LeftOut {
  const sameAs = servers.findLastIndex(decidesAs(servers[index], 'events.delivery.'));
  return sameAs > index ? elsewhere('waiting', AWAITING_RULES, sameAs) : { said: 'waiting judged', notApplicable: [] };
}

function elsewhere(what: string, rules: readonly RuleId[], server: number): LeftOut {
  const said = `judged at server ${server + 1}`;
  return { said: `${what} ${said}`, notApplicable: without(rules, `${said}, which decides alike`) };
}

/** Whether a server decides those whose ids begin so as the other does. */
function decidesAs(other: Turned = {}, prefix: string): (server: Turned) => boolean {
  const decided = (server: Turned) => JSON.stringify(Object.entries(server).filter(([id]) => id.startsWith(prefix)));
  return (server) => decided(server) === decided(other);
}

function without(rules: readonly RuleId[], reason: string, form?: 'flat'): NonNullable<SuiteOptions['notApplicable']> {
  return rules.map((rule) => ({ rule, reason, ...(form && { form }) }));
}
