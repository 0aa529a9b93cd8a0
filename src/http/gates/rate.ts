import type { Clock } from '../../clock/clock.ts';
import { addEvidence, type Failure, refuse } from '../../contract/failure.ts';
import type { Decisions } from '../../contract/generated/decisions.ts';
import type { OperationId } from '../../contract/generated/operations.ts';
import type { RuleId } from '../../contract/generated/rules.ts';
import { createRateLimit, type RateLimit } from '../../domain/rate.ts';
import type { WorldState } from '../../service/world-state.ts';
import type { Store } from '../../store/store.ts';
import type { Exchange } from '../exchange.ts';

/** Assignability checks per second and credential. The prefixed and the flat path share this limit (specification: Limits). */
const ASSIGNABILITY_LIMIT = 100;

interface RateContext {
  readonly clock: Clock;
  readonly decisions: Decisions;
  readonly store: Store;
  readonly world: WorldState;
}

interface OperationLimit {
  readonly rate: RateLimit;
  readonly limit: number;
  readonly rule: RuleId;
  readonly counted: 'assignability checks' | 'users requests';
}

export function createRateGate({ clock, decisions, store, world }: RateContext) {
  const window = decisions['limits.assignability.window'];
  const perToken = decisions['limits.assignability.credential'] === 'token';
  const assignability = createRateLimit(ASSIGNABILITY_LIMIT, window);
  const usersLimit = decisions['users.rate-limit'];
  const users = { rate: createRateLimit(usersLimit, window), limit: usersLimit, counted: 'users requests' } as const;
  const limits: { readonly [Op in OperationId]?: OperationLimit } = {
    getExperienceAssignability: {
      rate: assignability,
      limit: ASSIGNABILITY_LIMIT,
      rule: 'limits.assignability.rate',
      counted: 'assignability checks',
    },
    ...(usersLimit > 0 && { getUsers: { ...users, rule: 'users.list.rate' }, getUser: { ...users, rule: 'users.get.rate' } }),
  };

  function refuseAboveLimit(waitMs: number, clientId: string, { limit, rule, counted }: OperationLimit): Failure | undefined {
    if (waitMs <= 0) return undefined;
    // The window is full, and refused requests are not counted, so it contains exactly `limit` requests.
    const evidence = { cause: 'rate', limit, inWindow: limit, window, waitMs, clientId } as const;
    const refusal = addEvidence(refuse(429, rule, `The client has sent more than ${limit} ${counted} in one second.`), evidence);
    if (decisions['limits.assignability.retry-after'] === 'absent') return refusal;
    return { ...refusal, headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) } };
  }

  return {
    check({ operationId, token }: Exchange): Failure | undefined | Promise<Failure | undefined> {
      const limited = limits[operationId];
      if (limited === undefined) return undefined;
      const { rate, limit, counted } = limited;
      const { id, clientId } = token!;
      const credential = perToken ? id : clientId;
      if (store.rates === undefined) return refuseAboveLimit(rate.take(credential, clock.now()), clientId, limited);
      const parameters = { load: world.load, offset: clock.offset, limit, window };
      return store.rates.take(`${counted} ${credential}`, parameters).then((waitMs) => refuseAboveLimit(waitMs, clientId, limited));
    },
    /** Windows in the database need no `clear`, because each load of a world has its own windows. */
    clear() {
      assignability.clear();
      users.rate.clear();
    },
  };
}
