import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { createRateLimit, type RateLimit } from '../../../../src/domain/rate.ts';
import { problem, type Reply, type Request } from '../exchange.ts';
import { remembering, type Saboteur, type SaboteursOf } from '../saboteur.ts';

const CHECK = 'getExperienceAssignability';

type Limit = Pick<RateLimit, 'take'>;

/** What of a request the checks are counted by. */
type By = (request: Request) => string;
const byCredential: By = ({ headers }) => headers.authorization ?? '';
const byForm: By = (request) => `${request.form} ${byCredential(request)}`;
const byNothing: By = () => 'everybody';

/** A service whose checks are limited so instead of by 100 a second. @param beyond what is answered beyond the limit. */
function limited(does: string, start: () => Limit, by = byCredential, beyond = (): Reply => problem(429)): Saboteur {
  return remembering(does, () => {
    const limit = start();
    const good = new Map<string, Reply>();
    return async (request, service) => {
      if (request.operation !== CHECK) return service(request);
      // What was a good check once is one again. The service itself would limit it, and need not be asked.
      const key = `${request.url} ${byCredential(request)}`;
      const reply = good.get(key) ?? (await service(request));
      if (reply.status !== 200) return reply;
      good.set(key, reply);
      return limit.take(by(request), performance.now()) > 0 ? beyond() : reply;
    };
  });
}

/** All limits, of which each is kept. */
function every(...limits: readonly Limit[]): Limit {
  return { take: (credential, now) => Math.max(...limits.map((limit) => limit.take(credential, now))) };
}

/** A limit that is measured in another unit than a second. */
const per = (ms: number, limit: Limit): Limit => ({
  take: (credential, now) => limit.take(credential, (now * 1000) / ms),
});

const unlimited: Limit = { take: () => 0 };

/** Servers that break one rule each. */
export const limits: SaboteursOf<Extract<TestableRuleId['openapi'], `limits.${string}`>> = {
  'limits.assignability.under-limit': [
    limited('Limits a credential to 50 checks a second.', () => createRateLimit(50, 'sliding')),
    limited('Limits a credential to 99 checks a second.', () => createRateLimit(99, 'sliding')),
    limited('Spreads the 100 checks over the second: 10 at once, and one more each 10 ms.', () =>
      every(createRateLimit(100, 'sliding'), per(100, createRateLimit(10, 'bucket'))),
    ),
  ],
  'limits.assignability.rate': [
    limited('Never limits.', () => unlimited),
    limited('Lets 150 checks pass in any second.', () => createRateLimit(150, 'sliding')),
    limited('Lets 150 checks pass in each calendar second.', () => createRateLimit(150, 'fixed')),
    limited('Has a bucket of 150 checks that refills by 150 a second.', () => createRateLimit(150, 'bucket')),
    limited(
      'Answers 503 beyond the limit.',
      () => createRateLimit(100, 'sliding'),
      byCredential,
      () => problem(503),
    ),
  ],
  'limits.assignability.per-credential': [
    limited('Has one limit for all credentials together.', () => createRateLimit(100, 'sliding'), byNothing),
    limited('Has one limit for all credentials together, by the calendar.', () => createRateLimit(100, 'fixed'), byNothing),
  ],
  'limits.assignability.forms-share': [
    limited('Counts each form for itself, sliding.', () => createRateLimit(100, 'sliding'), byForm),
    limited('Counts each form for itself, by the calendar.', () => createRateLimit(100, 'fixed'), byForm),
    limited('Has a bucket for each form.', () => createRateLimit(100, 'bucket'), byForm),
    limited(
      'Limits the prefixed form only.',
      () => {
        const prefixed = createRateLimit(100, 'sliding');
        return { take: (key, now) => (key.startsWith('flat ') ? 0 : prefixed.take(key, now)) };
      },
      byForm,
    ),
  ],
};
