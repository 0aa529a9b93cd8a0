import type { PathForm } from '../../src/contract/generated/operations.ts';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import type { Client } from '../actors/api-client.ts';
import { createLimitSamples } from '../actors/limit-samples.ts';
import {
  ASSIGNABILITY_OPERATION,
  type AssignabilityCheck,
  handleLoadError,
  isLimited,
  MAX_LOAD_MS,
  NO_LIMIT_RESPONSE,
  type RateLoad,
  sendRateLoad,
} from '../actors/load.ts';
import { verifyLimit } from '../expect/rate-limit.ts';
import { expectStatus, expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { repeatTest, runInOneWorker } from '../runner/repeated.ts';
import { LONG_TAG, rule } from '../runner/rule.ts';
import { test as base } from '../runner/test.ts';
import { endAsNotTestable, extendTimeout } from '../target/check-report.ts';

const loadsByKey = new Map<string, RateLoad>();

interface Fixtures {
  readonly samples: readonly [AssignabilityCheck, AssignabilityCheck | undefined];
  readonly findEarlierLoad: (forms: readonly PathForm[]) => RateLoad | undefined;
  /** Sends requests that alternate between the path forms. If another check has already sent them, returns their responses. */
  readonly load: (forms: readonly PathForm[]) => Promise<RateLoad>;
}

const createLoadKey = (api: Client, check: AssignabilityCheck, forms: readonly PathForm[]): string =>
  `${forms} ${api.buildUrl(ASSIGNABILITY_OPERATION, { ...check, form: 'prefixed' })}`;

const checkTest = base.extend<Fixtures>({
  samples: async ({ need, has }, use) => use(await createLimitSamples(need, has)),
  findEarlierLoad: async ({ api, samples: [check], target }, use) => {
    await use((forms) => {
      const known = loadsByKey.get(createLoadKey(api, check, forms));
      const answers = known ? [...known.all.map(({ answer }) => answer), ...known.meanwhile.map(({ other }) => other)] : [];
      // Add the responses to this check's evidence, even if another check sent the requests.
      target.trail.push(...answers.map((answer) => ({ operationId: ASSIGNABILITY_OPERATION, answer }) as const));
      return known;
    });
  },
  load: async ({ api, samples: [check, other], findEarlierLoad }, use) => {
    await use(async (forms) => {
      const known = findEarlierLoad(forms);
      if (known === undefined) extendTimeout(MAX_LOAD_MS);
      const load = known ?? (await sendRateLoad(api, check, forms, other).catch(handleLoadError)) ?? endAsNotTestable(NO_LIMIT_RESPONSE);
      loadsByKey.set(createLoadKey(api, check, forms), load);
      if (load.all.every(({ answer }) => isLimited(answer))) endAsNotTestable('the target answers every assignability check with 429');
      return load;
    });
  },
});
const test = repeatTest(checkTest);

const isLimitExceeded = ({ all }: RateLoad): boolean => verifyLimit(all).exceeded !== undefined;

function expectLimit({ all }: RateLoad): void {
  const { isKept, exceeded } = verifyLimit(all);
  must(exceeded === undefined, `${exceeded}`, all.at(-1)?.answer);
  if (!isKept) endAsNotTestable('the suite could not sustain 110 answered assignability checks per second for about 13 seconds');
}

const defineLongCheck = (id: RuleId, variant?: string) => rule(id, variant, { tag: LONG_TAG });

const BOTH_FORMS = ['prefixed', 'flat'] as const;

// Checks in other workers do not use up this limit: in a kit, each worker has its own credentials, and other targets have only one worker.
runInOneWorker(() => {
  test(...defineLongCheck('limits.assignability.rate'), async ({ api, load }) => {
    const both = await load(BOTH_FORMS);
    // This rule permits separate limits for the prefixed and the flat path.
    const sent = isLimitExceeded(both) ? await load([api.form]) : both;
    for (const { answer } of sent.all) if (answer.status !== 200) expectStatus(answer, 429);
    expectLimit(sent);
  });

  test(...defineLongCheck('limits.assignability.forms-share'), async ({ api, load }) => {
    const both = await load(BOTH_FORMS);
    if (isLimitExceeded(both) && !verifyLimit((await load([api.form])).all).isKept)
      endAsNotTestable('no limit was observed when all requests used the same path form');
    expectLimit(both);
  });

  test(...defineLongCheck('limits.assignability.per-credential'), async ({ need, load }) => {
    await need('token.second-credential');
    const { meanwhile } = await load(BOTH_FORMS);
    for (const { other } of meanwhile) expectSuccess(ASSIGNABILITY_OPERATION, other, 200);
    if (!meanwhile.some(({ before, after }) => isLimited(before) && isLimited(after)))
      endAsNotTestable('no check with the second credential was sent while the first credential was limited (429 before and after)');
  });
});
