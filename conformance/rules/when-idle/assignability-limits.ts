import type { PathForm } from '../../../src/contract/generated/operations.ts';
import type { RuleId } from '../../../src/contract/generated/rules.ts';
import { verifyLimit } from '../../../src/expect/rate-limit.ts';
import { must } from '../../../src/expect/rule-broken.ts';
import { createLimitSamples } from '../../actors/limit-samples.ts';
import {
  ASSIGNABILITY_OPERATION,
  handleLoadError,
  isLimited,
  MAX_LOAD_MS,
  NO_LIMIT_RESPONSE,
  type RateLoad,
  sendRateLoad,
} from '../../actors/load.ts';
import type { Participants } from '../../actors/participants.ts';
import { expectStatus, expectSuccess } from '../../expect/response.ts';
import { LONG_TAG, rule } from '../../runner/rule.ts';
import { test } from '../../runner/test.ts';
import { endAsInconclusive, endAsNotTestable, extendTimeout, isTogether } from '../../target/check-report.ts';
import type { Target } from '../../target/worker-target.ts';

type LoadSource = Pick<Participants, 'api' | 'need' | 'has'> & { readonly target: Pick<Target, 'trail'> };

const loadsByKey = new Map<string, Promise<RateLoad | undefined>>();

/** Sends requests that alternate between the path forms. If another check has already sent them, returns their responses. */
async function load({ api, need, has, target }: LoadSource, forms: readonly PathForm[]): Promise<RateLoad> {
  const [check, other] = await createLimitSamples(need, has);
  // A check that runs alone does not use the requests that were sent while other checks ran.
  const key = `${isTogether()} ${forms} ${api.buildUrl(ASSIGNABILITY_OPERATION, { ...check, form: 'prefixed' })}`;
  const known = loadsByKey.get(key);
  if (known === undefined) extendTimeout(MAX_LOAD_MS);
  const sending = known ?? sendRateLoad(api, check, forms, other);
  loadsByKey.set(key, sending);
  sending.catch(() => loadsByKey.delete(key));
  const found = (await sending.catch(handleLoadError)) ?? endAsNotTestable(NO_LIMIT_RESPONSE);
  const { all, meanwhile } = found;
  if (all.every(({ answer }) => isLimited(answer))) endAsNotTestable('the target answers every assignability check with 429');
  // Add the responses to this check's evidence, even if another check sent the requests.
  const answers = known ? [...all.map(({ answer }) => answer), ...meanwhile.map((each) => each.other)] : [];
  target.trail.push(...answers.map((answer) => ({ operationId: ASSIGNABILITY_OPERATION, answer }) as const));
  return found;
}

const isLimitExceeded = ({ all }: RateLoad): boolean => verifyLimit(all).exceeded !== undefined;

function expectLimit({ all }: RateLoad): void {
  const { isKept, exceeded } = verifyLimit(all);
  must(exceeded === undefined, `${exceeded}`, all.at(-1)?.answer);
  if (!isKept) endAsInconclusive('the suite could not sustain 110 answered assignability checks per second for about 12 seconds');
}

const defineLongCheck = (id: RuleId) => rule(id, undefined, { tag: LONG_TAG });

const BOTH_FORMS = ['prefixed', 'flat'] as const;

// Checks in other workers do not use up this limit: in a kit, each worker has its own credentials, and other targets have only one worker.

test(...defineLongCheck('limits.assignability.rate'), async ({ api, need, has, target }) => {
  const source = { api, need, has, target };
  const both = await load(source, BOTH_FORMS);
  // This rule permits separate limits for the prefixed and the flat path.
  const sent = isLimitExceeded(both) ? await load(source, [api.form]) : both;
  for (const { answer } of sent.all) if (answer.status !== 200) expectStatus(answer, 429);
  expectLimit(sent);
});

test(...defineLongCheck('limits.assignability.forms-share'), async ({ api, need, has, target }) => {
  const source = { api, need, has, target };
  const both = await load(source, BOTH_FORMS);
  if (isLimitExceeded(both) && !verifyLimit((await load(source, [api.form])).all).isKept)
    endAsNotTestable('no limit was observed when all requests used the same path form');
  expectLimit(both);
});

test(...defineLongCheck('limits.assignability.per-credential'), async ({ api, need, has, target }) => {
  await need('token.second-credential');
  const { meanwhile } = await load({ api, need, has, target }, BOTH_FORMS);
  for (const { other } of meanwhile) expectSuccess(other, 200);
  if (!meanwhile.some(({ before, after }) => isLimited(before) && isLimited(after)))
    endAsNotTestable('no check with the second credential was sent while the first credential was limited (429 before and after)');
});
