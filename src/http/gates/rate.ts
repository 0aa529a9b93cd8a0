import type { Clock } from '../../clock/clock.ts';
import type { Decisions } from '../../contract/generated/decisions.ts';
import { refuse } from '../../contract/outcome.ts';
import { createRateLimit, type RateLimit } from '../../domain/rate.ts';
import type { AnyRefusal } from '../answer.ts';
import type { Exchange } from '../exchange.ts';

/** Checks a second that one credential may make, under both path forms together (Limits). */
export const ASSIGNABILITY_LIMIT = 100;

/** 429 for assignability checks beyond the documented rate and, where one was set, for users requests beyond theirs. */
export function createRateGate(clock: Clock, decisions: Decisions) {
  const window = decisions['limits.assignability.window'];
  const assignability = createRateLimit(ASSIGNABILITY_LIMIT, window);
  const usersLimit = decisions['users.rate-limit'];
  const users = usersLimit > 0 ? createRateLimit(usersLimit, window) : undefined;

  function credentialOf({ token }: Exchange): string {
    return decisions['limits.assignability.credential'] === 'token' ? token!.id : token!.clientId;
  }

  function judge(exchange: Exchange, limit: RateLimit, refusal: AnyRefusal): AnyRefusal | undefined {
    const waitMs = limit.take(credentialOf(exchange), clock.now());
    if (waitMs <= 0) return undefined;
    if (decisions['limits.assignability.retry-after'] === 'absent') return refusal;
    return { ...refusal, headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) } };
  }

  return {
    check(exchange: Exchange): AnyRefusal | undefined {
      switch (exchange.operationId) {
        case 'getExperienceAssignability':
          return judge(
            exchange,
            assignability,
            refuse(429, 'limits.assignability.rate', `More than ${ASSIGNABILITY_LIMIT} checks in one second.`),
          );
        case 'getUsers':
          return users && judge(exchange, users, refuse(429, 'users.list.rate', `More than ${usersLimit} requests in one second.`));
        case 'getUser':
          return users && judge(exchange, users, refuse(429, 'users.get.rate', `More than ${usersLimit} requests in one second.`));
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
