import { setTimeout as pause } from 'node:timers/promises';
import type { PathForm } from '../../src/contract/generated/operations.ts';
import { must } from '../support/broken.ts';
import { burst, limited } from '../support/burst.ts';
import type { Call, Client } from '../support/client.ts';
import { freeTarget } from '../support/make-assignment.ts';
import type { Need } from '../support/need.ts';
import { notTestable } from '../support/not-testable.ts';
import { rule } from '../support/rule.ts';
import { test } from '../support/test.ts';
import { refusal, success } from '../support/verify.ts';

// How a second is measured is open: sliding, by the calendar, or as a bucket that refills. Two calendar seconds, or a full bucket and what flows
// into it, let at most 200 requests pass within one second; so of more than 200 some must be refused, whatever the window.
const OPERATION = 'getExperienceAssignability';
const LIMIT = 100;
const MORE_THAN_ANY_WINDOW = 2 * LIMIT + 20;
const IDLE_MS = 1100;
const ATTEMPTS = 4;
/** Nothing else may use the credentials meanwhile. */
const lock = '-exclusive-';

async function goodCheck(need: Need): Promise<Call> {
  await need('rate');
  const path = { experienceId: await need('experience') };
  return { token: await need('token'), path, query: { targetType: 'PHONE_NUMBER', targetValue: await freeTarget(need, 'PHONE_NUMBER') } };
}

/** Tries again where the machine was too slow, or a window ended at the wrong moment. */
async function attempt(judge: () => Promise<boolean>): Promise<void> {
  for (let attempts = 0; attempts < ATTEMPTS; attempts++) {
    if (await judge()) return;
    await pause(IDLE_MS);
  }
  notTestable(`${MORE_THAN_ANY_WINDOW} checks within one second, and the limit in force meanwhile`);
}

/** Whether the limit is in force at this moment: of a few checks some are refused, though a bucket lets one pass every now and then. */
async function isExhausted(api: Client, good: Call): Promise<boolean> {
  return limited(await burst(10, () => api.once(OPERATION, good))) > 0;
}

test('Up to 100 checks in a second by one credential are not limited.', { ...rule('limits.assignability.under-limit'), lock }, async ({
  api,
  need,
}) => {
  const good = await goodCheck(need);
  await pause(IDLE_MS);
  const { answers } = await burst(LIMIT, () => api.once(OPERATION, good));
  for (const answer of answers) success(OPERATION, answer, 200);
  if (answers.length < LIMIT) notTestable(`${LIMIT} checks within a few seconds`);
});

test('Beyond 100 checks per second by one credential the answer is 429.', { ...rule('limits.assignability.rate'), lock }, async ({
  api,
  need,
}) => {
  const good = await goodCheck(need);
  success(OPERATION, await api.call(OPERATION, good), 200);
  await attempt(async () => {
    const { answers, durationMs } = await burst(MORE_THAN_ANY_WINDOW, () => api.once(OPERATION, good));
    const refused = answers.filter(({ status }) => status !== 200);
    for (const answer of refused) refusal(answer, 429);
    if (durationMs > 1000) return false;
    must(
      answers.length - refused.length <= 2 * LIMIT,
      `of ${answers.length} checks within ${Math.round(durationMs)} ms some get 429`,
      answers.at(-1),
    );
    return true;
  });
});

test('One credential that is over its limit does not limit another.', { ...rule('limits.assignability.per-credential'), lock }, async ({
  api,
  need,
}) => {
  const good = await goodCheck(need);
  const second = { ...good, token: await need('token.second-credential') };
  success(OPERATION, await api.call(OPERATION, second), 200);
  await attempt(async () => {
    await burst(MORE_THAN_ANY_WINDOW, () => api.once(OPERATION, good));
    const exhausted = await isExhausted(api, good);
    const other = await burst(10, () => api.once(OPERATION, second));
    for (const answer of other.answers) success(OPERATION, answer, 200);
    // Only if the first was over its limit before and after did this show anything.
    return exhausted && (await isExhausted(api, good));
  });
});

test('Checks under both path forms count towards the same limit.', { ...rule('limits.assignability.forms-share'), lock }, async ({
  api,
  need,
}) => {
  const good = await goodCheck(need);
  const form: PathForm = api.form === 'flat' ? 'prefixed' : 'flat';
  success(OPERATION, await api.call(OPERATION, { ...good, form }), 200);
  await attempt(async () => {
    await pause(IDLE_MS);
    const startedAt = performance.now();
    await burst(MORE_THAN_ANY_WINDOW, () => api.once(OPERATION, good));
    const exhaustedAt = performance.now();
    const exhausted = await isExhausted(api, good);
    // Few enough that a new calendar second would take them all, and too many for what flows into a bucket meanwhile.
    const few = 45;
    const other = await burst(few, () => api.once(OPERATION, { ...good, form }));
    const after = await burst(few, () => api.once(OPERATION, good));
    const now = performance.now();
    if (!exhausted || limited(after) === 0 || now - exhaustedAt > 400 || now - startedAt > 1000) return false;
    must(limited(other) > 0, `with the limit reached under one form, some of ${few} checks under the other get 429`, other.answers.at(-1));
    return true;
  });
});
