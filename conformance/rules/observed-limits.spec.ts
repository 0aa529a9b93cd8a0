import { setTimeout as pause } from 'node:timers/promises';
import type { Decisions } from '../../src/contract/generated/decisions.ts';
import { burst, limited } from '../actors/burst.ts';
import type { Call, Client } from '../actors/client.ts';
import { granted, observed, questionOf } from '../expect/observed.ts';
import { MOMENTS, windowOf } from '../expect/rate-window.ts';
import { test } from '../runner/general-test.ts';
import type { Answer } from '../target/exchange.ts';

const OPERATION = 'getExperienceAssignability';
const IDLE_MS = 1100;
/** The machine may have been too slow. */
const ATTEMPTS = 6;
/** More than any way to measure a second lets pass within one. */
const MORE_THAN_ANY_WINDOW = 220;

/** Which checks count: of more than the limit that are malformed, some are limited if they do. */
async function whatCounts(api: Client, good: Call): Promise<Decisions['limits.assignability.counts'] | undefined> {
  const malformed = { ...good, query: {} };
  const many = await burst(MORE_THAN_ANY_WINDOW, () => api.once(OPERATION, malformed));
  if (limited(many) > 0) return 'authenticated';
  const wereTakenAsSuch = many.answers.length === MORE_THAN_ANY_WINDOW && many.answers.every(({ status }) => status === 400);
  return wereTakenAsSuch && many.durationMs < 1000 ? 'valid' : undefined;
}

/** The answers at each of the moments; undefined where the machine was too slow for them. */
async function answersAtMoments(api: Client, good: Call): Promise<readonly (readonly Answer[])[] | undefined> {
  const begun = performance.now();
  const moments: (readonly Answer[])[] = [];
  for (const { at, count, within } of MOMENTS) {
    await pause(Math.max(0, begun + at - performance.now()));
    // All at once: else the way to the target and back would be taken several times.
    const { answers } = await burst(count, () => api.once(OPERATION, good), { atOnce: count });
    if (answers.length < count || performance.now() > begun + at + within) return undefined;
    moments.push(answers);
  }
  return moments;
}

/** Right after the limit of a token is used up: whether another token of the same client is limited, too. */
async function whatIsACredential(
  api: Client,
  good: Call,
  token: string,
): Promise<Decisions['limits.assignability.credential'] | undefined> {
  const other = await burst(24, () => api.once(OPERATION, { ...good, token }));
  if (limited(other) > 0) return 'client';
  // Unless the first is limited still, a new second has begun.
  return limited(await burst(24, () => api.once(OPERATION, good))) > 0 ? 'token' : undefined;
}

// One burst for all of them, as nothing else may be sent meanwhile.
test(`${questionOf('limits.assignability.window')} Which checks count, what is a credential, does a 429 carry Retry-After?`, {
  lock: '-exclusive-',
}, async ({ api, calls, has, need }) => {
  await need('rate');
  const good = { ...(await calls.of(OPERATION)), token: await need('token') };
  // Of the same client, and with the scope that is needed here.
  const otherToken = has('token.without-scope') ? (await need('token.without-scope'))['users:manage'] : undefined;
  granted('a check of assignability', await api.call(OPERATION, good));
  observed('limits.assignability.counts', await whatCounts(api, good));
  for (let attempts = 0; attempts < ATTEMPTS; attempts++) {
    await pause(IDLE_MS);
    const moments = await answersAtMoments(api, good);
    if (moments === undefined) continue;
    const credential = otherToken === undefined ? undefined : await whatIsACredential(api, good, otherToken);
    const window = windowOf(moments.map((answers) => answers.length - limited({ answers, durationMs: 0 })));
    if (window === undefined || (otherToken !== undefined && credential === undefined)) continue;
    observed('limits.assignability.window', window);
    observed('limits.assignability.credential', credential);
    const refused = moments.flat().filter(({ status }) => status === 429);
    const told = refused.filter(({ headers }) => headers['retry-after'] !== undefined);
    if (told.length === 0) observed('limits.assignability.retry-after', 'absent');
    if (told.length === refused.length) observed('limits.assignability.retry-after', 'sent');
    return;
  }
});
