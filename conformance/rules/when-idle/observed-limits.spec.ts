import { setTimeout as pause } from 'node:timers/promises';
import type { Decisions } from '../../../src/contract/generated/decisions.ts';
import type { Answer } from '../../../src/expect/answer.ts';
import type { CallOptions, Client } from '../../actors/api-client.ts';
import { ASSIGNABILITY_OPERATION, countLimited, isLimited, LIMIT_RESET_MS, sendBurst } from '../../actors/load.ts';
import { getDecisionQuestion, observe } from '../../expect/observed.ts';
import { BURSTS, classifyWindow } from '../../expect/rate-window.ts';
import { requireSuccess } from '../../expect/response.ts';
import { test } from '../../runner/test.ts';

/** The maximum number of attempts to observe the window. An attempt fails if a slow machine sends a burst too late. */
const ATTEMPTS = 6;
/** A number of requests that exceeds the limit per second, whatever the kind of window. */
const EXCESSIVE_CHECKS = 220;

/** Finds out whether assignability requests with a malformed query count towards the rate limit. */
async function observeCountedChecks(api: Client, call: CallOptions): Promise<Decisions['limits.assignability.counts'] | undefined> {
  const { answers, durationMs } = await sendBurst(EXCESSIVE_CHECKS, () => api.callOnce(ASSIGNABILITY_OPERATION, { ...call, query: {} }));
  if (countLimited(answers) > 0) return 'authenticated';
  const areRefused = answers.length === EXCESSIVE_CHECKS && answers.every(({ status }) => status === 400);
  return areRefused && durationMs < 1000 ? 'valid' : undefined;
}

/** @returns each burst's responses, or undefined if the machine was too slow */
async function sendBursts(api: Client, call: CallOptions): Promise<readonly (readonly Answer[])[] | undefined> {
  const startedAt = performance.now();
  const bursts: (readonly Answer[])[] = [];
  for (const { at, count, within } of BURSTS) {
    await pause(Math.max(0, startedAt + at - performance.now()));
    // Send all requests concurrently, so that the burst takes only one round trip.
    const { answers } = await sendBurst(count, () => api.callOnce(ASSIGNABILITY_OPERATION, call), count);
    if (answers.length < count || performance.now() > startedAt + at + within) return undefined;
    bursts.push(answers);
  }
  return bursts;
}

/** Must be called right after the first token has reached the limit. */
async function observeCredential(
  api: Client,
  call: CallOptions,
  otherToken: string,
): Promise<Decisions['limits.assignability.credential'] | undefined> {
  // A separate limit for the second token would allow nine requests.
  const second = await sendBurst(9, () => api.callOnce(ASSIGNABILITY_OPERATION, { ...call, token: otherToken }));
  if (countLimited(second.answers) > 0) return 'client';
  // If the first token still gets a 429, its limit was also used up during the second token's requests, so the limits are separate.
  const first = await sendBurst(24, () => api.callOnce(ASSIGNABILITY_OPERATION, call));
  return countLimited(first.answers) > 0 ? 'token' : undefined;
}

// One check observes four decisions, because all of them need many requests in a short time.
test(`${getDecisionQuestion('limits.assignability.window')} Which checks count, what is a credential, does a 429 carry Retry-After?`, async ({
  api,
  calls,
  has,
  need,
}) => {
  await need('rate');
  const call = { ...(await calls.createCall(ASSIGNABILITY_OPERATION)), token: await need('token') };
  // A second token of the same client. It lacks the scope users:manage, which an assignability check does not require.
  const otherToken = has('token.without-scope') ? (await need('token.without-scope'))['users:manage'] : undefined;
  requireSuccess('an assignability check', await api.call(ASSIGNABILITY_OPERATION, call));
  observe('limits.assignability.counts', await observeCountedChecks(api, call));
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    await pause(LIMIT_RESET_MS);
    const bursts = await sendBursts(api, call);
    if (bursts === undefined) continue;
    const credential = otherToken === undefined ? undefined : await observeCredential(api, call, otherToken);
    const window = classifyWindow(bursts.map((answers) => answers.length - countLimited(answers)));
    if (window === undefined || (otherToken !== undefined && credential === undefined)) continue;
    observe('limits.assignability.window', window);
    observe('limits.assignability.credential', credential);
    const limited = bursts.flat().filter(isLimited);
    const withRetryAfter = limited.filter(({ headers }) => headers['retry-after'] !== undefined);
    if (withRetryAfter.length === 0) observe('limits.assignability.retry-after', 'absent');
    if (withRetryAfter.length === limited.length) observe('limits.assignability.retry-after', 'sent');
    return;
  }
});
