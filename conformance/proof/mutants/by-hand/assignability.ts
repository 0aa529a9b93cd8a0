import { createRateLimit } from '../../../../src/domain/rate.ts';
import { bodyOf, problem, type Reply, type Request, withMembers } from '../exchange.ts';
import { type ByHand, changeSuccess, onRequest, type Start } from '../mutant.ts';
import { ASSIGNMENTS, list } from './resources.ts';
import { forEachType } from './world.ts';

const CHECK = 'getExperienceAssignability';

const show = (type: string, assignable: boolean): Start =>
  changeSuccess(CHECK, (reply) => (bodyOf(reply).targetType === type ? withMembers(reply, { assignable }) : undefined));

const credentialOf = ({ headers }: Request): string => headers.authorization ?? '';

/**
 * A mutant that applies a different rate limit to assignability checks than the kit.
 * @param by returns the key under which a request is counted
 */
function limit(create: () => ReturnType<typeof createRateLimit>, by: (request: Request) => string = credentialOf): Start {
  return () => {
    const limits = create();
    const good = new Map<string, Reply>();
    return onRequest(CHECK, async (request, service) => {
      // Store successful replies and send them again, because repeated requests to the kit would reach the rate limit of the kit.
      const key = `${request.url} ${credentialOf(request)}`;
      const reply = good.get(key) ?? (await service(request));
      if (reply.status !== 200) return reply;
      good.set(key, reply);
      return limits.take(by(request), performance.now()) > 0 ? problem(429) : reply;
    })();
  };
}

export const assignability = {
  'assignability.unknown-target-false': forEachType('Answers true about every TYPE.', (type) => show(type, true)),
  'assignability.free-target-true': {
    ...forEachType('Answers false about every TYPE.', (type) => show(type, false)),
    'Answers false about targets of other Experiences.': changeSuccess(CHECK, async (reply, { request, service }) => {
      const assigned = await list(ASSIGNMENTS, request.query, request, service);
      return assigned.length > 0 ? withMembers(reply, { assignable: false }) : undefined;
    }),
  },
  'limits.assignability.under-limit': { 'Allows 10 checks a second.': limit(() => createRateLimit(10, 'sliding')) },
  'limits.assignability.rate': {
    'Allows bursts of 150 checks.': limit(() => createRateLimit(150, 'bucket')),
    'Allows 110 checks a second.': limit(() => createRateLimit(110, 'sliding')),
  },
  'limits.assignability.per-credential': {
    'Counts the checks of all credentials together.': limit(
      () => createRateLimit(100, 'sliding'),
      () => '',
    ),
  },
  'limits.assignability.forms-share': {
    'Counts the checks of each path form separately.': limit(
      () => createRateLimit(100, 'sliding'),
      (request) => `${request.form} ${credentialOf(request)}`,
    ),
  },
} satisfies ByHand;
