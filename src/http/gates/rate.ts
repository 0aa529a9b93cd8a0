import type { Clock } from '../../clock/clock.ts';
import { because, type Failure, refuse } from '../../contract/failure.ts';
import type { Decisions } from '../../contract/generated/decisions.ts';
import { createRateLimit, type RateLimit } from '../../domain/rate.ts';
import type { Exchange } from '../exchange.ts';

/** Assignability checks per second and credential, under both path forms together (Limits). */
export const ASSIGNABILITY_LIMIT = 100;

/** 429 for assignability checks beyond the documented rate and, if a limit is set, for users requests beyond it. */
export function createRateGate(clock: Clock, decisions: Decisions) {
  const window = decisions['limits.assignability.window'];
  const assignability = createRateLimit(ASSIGNABILITY_LIMIT, window);
  const usersLimit = decisions['users.rate-limit'];
  const users = usersLimit > 0 ? createRateLimit(usersLimit, window) : undefined;

  function credentialOf({ token }: Exchange): string {
    return decisions['limits.assignability.credential'] === 'token' ? token!.id : token!.clientId;
  }

  function apply(exchange: Exchange, rate: RateLimit, limit: number, refusal: Failure): Failure | undefined {
    const waitMs = rate.take(credentialOf(exchange), clock.now());
    if (waitMs <= 0) return undefined;
    // Refused requests do not count, so the window holds exactly `limit` requests.
    const explained = because(refusal, { cause: 'rate', limit, inWindow: limit, window, waitMs, clientId: exchange.token!.clientId });
    if (decisions['limits.assignability.retry-after'] === 'absent') return explained;
    return { ...explained, headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) } };
  }

  function limitUsers(exchange: Exchange, rule: 'users.list.rate' | 'users.get.rate'): Failure | undefined {
    return users && apply(exchange, users, usersLimit, refuse(429, rule, `More than ${usersLimit} requests in one second.`));
  }

  return {
    check(exchange: Exchange): Failure | undefined {
      switch (exchange.operationId) {
        case 'getExperienceAssignability':
          return apply(
            exchange,
            assignability,
            ASSIGNABILITY_LIMIT,
            refuse(429, 'limits.assignability.rate', `More than ${ASSIGNABILITY_LIMIT} checks in one second.`),
          );
        case 'getUsers':
          return limitUsers(exchange, 'users.list.rate');
        case 'getUser':
          return limitUsers(exchange, 'users.get.rate');
        default:
          return undefined;
      }
    },
    clear() {
      assignability.clear();
      users?.clear();
    },
  };
}
