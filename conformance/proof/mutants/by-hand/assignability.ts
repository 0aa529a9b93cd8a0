import { createRateLimit } from '../../../../src/domain/rate.ts';
import { changeMembers, createProblemReply, parseBody, type Reply, type Request } from '../exchange.ts';
import { changeSuccess, handleRequests, type MutantsByRule, type StartMutant } from '../mutant.ts';
import { forEachType } from './world.ts';

const CHECK_OPERATION = 'getExperienceAssignability';

const setAssignable = (type: string, assignable: boolean): StartMutant =>
  changeSuccess(CHECK_OPERATION, (reply) => (parseBody(reply).targetType === type ? changeMembers(reply, { assignable }) : undefined));

const readCredential = ({ headers }: Request): string => headers.authorization ?? '';

/** Requests with the same key are counted together. */
function applyLimit(create: () => ReturnType<typeof createRateLimit>, getKey: (request: Request) => string = readCredential): StartMutant {
  return () => {
    const limits = create();
    const good = new Map<string, Reply>();
    return handleRequests(CHECK_OPERATION, async (request, service) => {
      // Forwarding every request would exceed the kit's rate limit, so repeat stored replies.
      const key = `${request.url} ${readCredential(request)}`;
      const reply = good.get(key) ?? (await service(request));
      if (reply.status !== 200) return reply;
      good.set(key, reply);
      return limits.take(getKey(request), performance.now()) > 0 ? createProblemReply(429) : reply;
    })();
  };
}

export const assignability = {
  'assignability.unknown-target-false': forEachType('Reports every TYPE as assignable.', (type) => setAssignable(type, true)),
  'assignability.free-target-true': {
    'Reports no number as assignable.': setAssignable('PHONE_NUMBER', false),
    'Reports no user as assignable.': setAssignable('USER', false),
  },
  'limits.assignability.under-limit': { 'Allows 10 checks a second.': applyLimit(() => createRateLimit(10, 'sliding')) },
  'limits.assignability.rate': {
    'Allows bursts of 150 checks.': applyLimit(() => createRateLimit(150, 'bucket')),
    'Allows 110 checks a second.': applyLimit(() => createRateLimit(110, 'sliding')),
    'Counts the checks of each target separately.': applyLimit(
      () => createRateLimit(100, 'sliding'),
      (request) => `${new URL(request.url, 'http://kit').searchParams.get('targetValue')} ${readCredential(request)}`,
    ),
  },
  'limits.assignability.per-credential': {
    'Counts the checks of all credentials together.': applyLimit(
      () => createRateLimit(100, 'sliding'),
      () => '',
    ),
  },
  'limits.assignability.forms-share': {
    'Counts assignability checks under prefixed and flat paths separately.': applyLimit(
      () => createRateLimit(100, 'sliding'),
      (request) => `${request.form} ${readCredential(request)}`,
    ),
  },
} satisfies MutantsByRule;
