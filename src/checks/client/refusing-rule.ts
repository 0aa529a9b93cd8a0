import { decisions } from '../../contract/generated/decisions-table.ts';
import { gates } from '../../contract/generated/gates.ts';
import { rules } from '../../contract/generated/rules-table.ts';
import { toExchange } from '../service/exchange.ts';
import { findBrokenRule } from '../service/refusals.ts';
import type { Call } from './call.ts';

/** Returns the rule, decision or gate that a kit names in its refusal. A real service has types of its own. */
export function getNamedRule({ problem }: Call): string | undefined {
  const id = problem?.type?.replace(/^\/problems\//, '');
  return id !== undefined && [rules, gates, decisions].some((table) => Object.hasOwn(table, id)) ? id : undefined;
}

/**
 * Returns the rule, decision or gate because of which a service refused a request, unless a fault did. If the service does not name it, it
 * is the only rule that the request breaks.
 */
export function getRefusingRule(call: Call): string | undefined {
  const { status = 0, step, operationId, door } = call;
  if (status < 400 || status >= 500 || step === 'fault') return undefined;
  const named = getNamedRule(call);
  if (named !== undefined) return named;
  if (operationId === undefined && door === 'service' && [404, 405].includes(status)) return 'http.unknown-route';
  const exchange = [400, 409, 415, 422].includes(status) ? toExchange(call, '') : undefined;
  return exchange && findBrokenRule(exchange, () => false);
}

/** Whether a service refused the request as invalid, and nothing shows why. */
export const isUnexplained = (call: Call): boolean => [400, 422].includes(call.status ?? 0) && getRefusingRule(call) === undefined;
