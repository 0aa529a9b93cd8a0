import { createRateLimit, type RateLimit } from '../../../../src/domain/rate.ts';
import { problem, type Reply, type Request } from '../exchange.ts';
import type { ByHand, Start } from '../mutant.ts';

type Limit = Pick<RateLimit, 'take'>;

/** What requests are counted by. */
type By = (request: Request) => string;
const credential: By = ({ headers }) => headers.authorization ?? '';
const formAndCredential: By = (request) => `${request.form} ${credential(request)}`;
const everybody: By = () => 'everybody';

/** Limits assignability checks in this way instead of the kit's. */
function limit(create: () => Limit, by = credential, beyond = (): Reply => problem(429)): Start {
  return () => {
    const limits = create();
    const good = new Map<string, Reply>();
    return {
      requests: async (request, service) => {
        if (request.operation !== 'getExperienceAssignability') return service(request);
        // The kit has a limit of its own: a good reply is repeated without asking it again.
        const key = `${request.url} ${credential(request)}`;
        const reply = good.get(key) ?? (await service(request));
        if (reply.status !== 200) return reply;
        good.set(key, reply);
        return limits.take(by(request), performance.now()) > 0 ? beyond() : reply;
      },
    };
  };
}

const sliding = (most: number) => () => createRateLimit(most, 'sliding');
const fixed = (most: number) => () => createRateLimit(most, 'fixed');
const bucket = (most: number) => () => createRateLimit(most, 'bucket');

/** 10 at once and one more each 10 ms: a bucket that measures time in tenths of a second. */
function spread(): Limit {
  const [perSecond, inBursts] = [sliding(100)(), bucket(10)()];
  return { take: (key, now) => Math.max(perSecond.take(key, now), inBursts.take(key, now * 10)) };
}

function prefixedOnly(): Limit {
  const prefixed = sliding(100)();
  return { take: (key, now) => (key.startsWith('flat ') ? 0 : prefixed.take(key, now)) };
}

export const limits = {
  'limits.assignability.under-limit': {
    'Allows 50 checks a second.': limit(sliding(50)),
    'Allows 99 checks a second.': limit(sliding(99)),
    'Allows 10 checks at once and one more each 10 ms.': limit(spread),
  },
  'limits.assignability.rate': {
    'Has no limit.': limit(() => ({ take: () => 0 })),
    'Allows 150 checks in any second.': limit(sliding(150)),
    'Allows 150 checks in each calendar second.': limit(fixed(150)),
    'Has a bucket of 150 checks.': limit(bucket(150)),
    'Answers 503 beyond the limit.': limit(sliding(100), credential, () => problem(503)),
  },
  'limits.assignability.per-credential': {
    'Has one sliding limit for everybody.': limit(sliding(100), everybody),
    'Has one limit for everybody in each calendar second.': limit(fixed(100), everybody),
  },
  'limits.assignability.forms-share': {
    'Has a sliding limit for each form.': limit(sliding(100), formAndCredential),
    'Has a limit for each form in each calendar second.': limit(fixed(100), formAndCredential),
    'Has a bucket for each form.': limit(bucket(100), formAndCredential),
    'Limits the prefixed form only.': limit(prefixedOnly, formAndCredential),
  },
} satisfies ByHand;
