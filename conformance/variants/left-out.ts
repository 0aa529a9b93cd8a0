import { rulesInScope } from '../../src/report/scope.ts';
import type { RunSettings } from '../support/run-settings.ts';
import type { Turned } from './plan.ts';

const RATE_RULES = rulesInScope.filter(({ id }) => id.startsWith('limits.')).map(({ id }) => id);

/** What is not judged of a server, to save time: the checks of rates run alone, and wait. */
export function leftOut(servers: readonly Turned[], index: number): { said: string; notApplicable: RunSettings['notApplicable'] } {
  const sameAs = servers.findIndex((server) => rateDecisions(server) === rateDecisions(servers[index] ?? {}));
  if (sameAs < index)
    return { said: `rates judged at server ${sameAs + 1}`, notApplicable: without(`judged at server ${sameAs + 1}, which decides alike`) };
  return { said: 'rates judged in the prefixed form', notApplicable: without('judged in the other form', 'flat') };
}

function rateDecisions(server: Turned): string {
  return JSON.stringify(Object.entries(server).filter(([id]) => id.startsWith('limits.')));
}

function without(reason: string, form?: 'flat'): RunSettings['notApplicable'] {
  return RATE_RULES.map((rule) => ({ rule, reason, ...(form && { form }) }));
}
