import { createLimitSamples } from '../../actors/limit-samples.ts';
import { ASSIGNABILITY_OPERATION, handleLoadError, NO_LIMIT_RESPONSE, sendPacedChecks } from '../../actors/load.ts';
import { expectSuccess } from '../../expect/response.ts';
import { rule } from '../../runner/rule.ts';
import { test } from '../../runner/test.ts';
import { endAsNotTestable } from '../../target/check-report.ts';

/** The minimum rate of assignability requests. At a lower rate, the absence of 429 responses proves nothing. */
const MIN_CHECKS_PER_SECOND = 60;

test(...rule('limits.assignability.under-limit'), async ({ api, need, has }) => {
  const [first, second] = await createLimitSamples(need, has);
  // With separate credentials, the second path form need not wait until the limit has reset.
  const check = (api.form === 'flat' && second) || first;
  const { answers, durationMs } =
    (await sendPacedChecks(check, () => api.callOnce(ASSIGNABILITY_OPERATION, check)).catch(handleLoadError)) ??
    endAsNotTestable(NO_LIMIT_RESPONSE);
  for (const answer of answers) expectSuccess(answer, 200);
  const perSecond = Math.round((answers.length * 1000) / durationMs);
  if (perSecond < MIN_CHECKS_PER_SECOND)
    endAsNotTestable(`the suite could send only ${perSecond} checks per second, and the check needs ${MIN_CHECKS_PER_SECOND}`);
});
