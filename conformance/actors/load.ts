import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '../../src/expect/answer.ts';
import { type TimedCheck, verifyLimit } from '../../src/expect/rate-limit.ts';
import { endAsNotTestable } from '../target/check-report.ts';
import { createPacer } from '../target/pacer.ts';
import { NoResponse } from '../target/send.ts';
import type { CallOptions, Client, Query } from './api-client.ts';

export const ASSIGNABILITY_OPERATION = 'getExperienceAssignability';
export const NO_LIMIT_RESPONSE = 'the target answers an assignability check with neither 200 nor 429';

export interface Burst {
  readonly answers: readonly Answer[];
  readonly durationMs: number;
}

/** A larger number would not make the burst faster. */
const DEFAULT_CONCURRENCY = 24;
const MAX_BURST_MS = 5000;

/** Sends `count` requests as fast as the target answers, but for at most MAX_BURST_MS. */
export async function sendBurst(count: number, send: () => Promise<Answer>, concurrency = DEFAULT_CONCURRENCY): Promise<Burst> {
  const answers: Answer[] = [];
  let sent = 0;
  const startedAt = performance.now();
  const sendInSequence = async () => {
    while (sent < count && performance.now() - startedAt < MAX_BURST_MS) {
      sent += 1;
      answers.push(await send());
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, sendInSequence));
  return { answers, durationMs: performance.now() - startedAt };
}

export const isLimited = ({ status }: Answer): boolean => status === 429;

export function countLimited(answers: readonly Answer[]): number {
  return answers.filter(isLimited).length;
}

/** The idle time, in milliseconds, after which a credential's rate limit has reset, whatever kind of window the target uses. */
export const LIMIT_RESET_MS = 1100;
/** The number of requests per second in a load test: more than 110 (TOO_HIGH_LIMIT_PER_SECOND), but not too many for a slow machine. */
const CHECKS_PER_SECOND = 130;
/** The number of concurrent requests in a load test: enough for 130 requests per second if responses take almost half a second. */
const MAX_PENDING_CHECKS = 60;
/**
 * A load test's maximum duration, in milliseconds, so that the test ends even on a slow machine. Long, because a slow machine may be fast
 * enough only after the other checks have ended.
 */
export const MAX_LOAD_MS = 40_000;
/** The latest part of a load test, in milliseconds, that is evaluated while the test continues. */
const EVALUATED_MS = 20_000;
/** The maximum duration, in milliseconds, of a load test in which no request succeeds: short, because a rate limit lets some succeed. */
const MAX_REFUSED_LOAD_MS = 3000;
/** The interval, in milliseconds, between evaluations of a load test, and between requests with the second credential. */
const SAMPLE_INTERVAL_MS = 200;

export type AssignabilityCheck = CallOptions & {
  readonly token: string;
  /** Asks about another target, in every second pair of requests of a load test, because the limit does not depend on the target. */
  readonly secondQuery: Query;
};

export interface RateLoad {
  /** The requests with the first credential, in the order of their responses. */
  readonly all: readonly (TimedCheck & { readonly answer: Answer })[];
  /** Responses for the second credential (`other`), each between two responses for the first credential. `before` is a 429. */
  readonly meanwhile: readonly { readonly before: Answer; readonly other: Answer; readonly after: Answer }[];
}

/** Whether the response is an assignability result or a 429. Other responses show nothing about the rate limit. */
function isLimitResponse({ status, json }: Answer): boolean {
  return status === 429 || (status === 200 && typeof (json as { assignable?: unknown } | undefined)?.assignable === 'boolean');
}

/** The number of requests that sendPacedChecks sends. They take two seconds, so they cover a complete second of the target's clock. */
const PACED_CHECKS = 170;
/** The interval between two paced requests, in milliseconds. A token bucket may allow only one request every 10 ms. */
const PACED_INTERVAL_MS = 12;

/**
 * Waits until the credential's rate limit has reset, and sends requests more slowly than the limit. If one gets a 429, tries a second time
 * with one request at a time, because concurrent requests may reach the target in bunches.
 * @returns the last try's responses; undefined if no response is an assignability result or a 429
 */
export async function sendPacedChecks(
  credential: Pick<AssignabilityCheck, 'token'>,
  send: () => Promise<Answer>,
): Promise<Burst | undefined> {
  await waitUntilIdle(credential);
  const paced = await sendPacedSeries(send);
  markUsed(credential);
  if (countLimited(paced.answers) === 0) return paced.answers.some(isLimitResponse) ? paced : undefined;
  await waitUntilIdle(credential);
  const [startedAt, answers] = [performance.now(), [] as Answer[]];
  const getElapsedMs = () => performance.now() - startedAt;
  while (answers.length < PACED_CHECKS && countLimited(answers) === 0 && getElapsedMs() < MAX_BURST_MS) {
    await pause(PACED_INTERVAL_MS);
    answers.push(await send());
  }
  markUsed(credential);
  return { answers, durationMs: getElapsedMs() };
}

async function sendPacedSeries(send: () => Promise<Answer>): Promise<Burst> {
  const startedAt = performance.now();
  const answers: Answer[] = [];
  const sent: Promise<unknown>[] = [];
  while (sent.length < PACED_CHECKS && countLimited(answers) === 0) {
    const sending = send().then((answer) => answers.push(answer));
    // The empty handler prevents an unhandled rejection. No error is lost, because `Promise.all` below throws the same error.
    sending.catch(() => {});
    sent.push(sending);
    await pause(Math.max(0, startedAt + sent.length * PACED_INTERVAL_MS - performance.now()));
  }
  await Promise.all(sent);
  return { answers, durationMs: performance.now() - startedAt };
}

/**
 * Sends requests with one credential, faster than the rate limit, until the responses show whether the target enforces the limit.
 * @param forms the paths (prefixed, flat) to use in turn
 * @param other a request with a second credential, sent while the first credential is limited
 * @returns undefined if the first response is neither an assignability result nor a 429
 */
export async function sendRateLoad(
  api: Client,
  check: AssignabilityCheck,
  forms: readonly Client['form'][],
  other?: AssignabilityCheck,
): Promise<RateLoad | undefined> {
  await waitUntilIdle(check);
  const startedAt = performance.now();
  const getElapsedMs = () => performance.now() - startedAt;
  const all: RateLoad['all'][number][] = [];
  const meanwhile: RateLoad['meanwhile'][number][] = [];
  const { secondQuery, ...call } = check;
  const send = async (form = api.form, isSecond = false): Promise<Answer> => {
    const sentAt = getElapsedMs();
    const answer = await api.callOnce(ASSIGNABILITY_OPERATION, { ...call, form, ...(isSecond && { query: secondQuery }) });
    all.push({ answer, sentAt, answeredAt: getElapsedMs(), isPassed: answer.status === 200 });
    return answer;
  };
  if (!isLimitResponse(await send())) return undefined;
  const pace = createPacer(CHECKS_PER_SECOND, () => performance.now());
  // Wait LIMIT_RESET_MS before using the second credential, because its full limit is available only then.
  let [sent, isOver, nextOther] = [0, false, LIMIT_RESET_MS];
  const sendUntilLoadEnds = async () => {
    while (!isOver) {
      const form = forms[sent % forms.length];
      const isSecond = (sent >> 1) % 2 === 1;
      sent += 1;
      await pace();
      const before = await send(form, isSecond);
      if (other === undefined || !isLimited(before) || getElapsedMs() < nextOther) continue;
      nextOther = getElapsedMs() + SAMPLE_INTERVAL_MS;
      meanwhile.push({ before, other: await api.callOnce(ASSIGNABILITY_OPERATION, other), after: await send(form) });
    }
  };
  const watchLimit = async () => {
    while (!isOver) {
      await pause(SAMPLE_INTERVAL_MS);
      const from = Math.max(0, getElapsedMs() - EVALUATED_MS);
      const latest = all.flatMap(({ sentAt, answeredAt, isPassed }) =>
        sentAt < from ? [] : { sentAt: sentAt - from, answeredAt: answeredAt - from, isPassed },
      );
      const { isKept, exceeded } = verifyLimit(latest);
      const maxMs = all.some(({ isPassed }) => isPassed) ? MAX_LOAD_MS : MAX_REFUSED_LOAD_MS;
      isOver = isKept || exceeded !== undefined || getElapsedMs() > maxMs;
    }
  };
  await Promise.all([watchLimit(), ...Array.from({ length: MAX_PENDING_CHECKS }, sendUntilLoadEnds)]);
  markUsed(check);
  return { all, meanwhile };
}

export function handleLoadError(error: unknown): never {
  if (error instanceof NoResponse) endAsNotTestable(`the target was too slow for the checks: ${error.message}`);
  throw error;
}

/** Maps a token to its last use by this worker, in milliseconds since the worker started. */
const lastUseByToken = new Map<string, number>();

export function markUsed({ token }: Pick<AssignabilityCheck, 'token'>): void {
  lastUseByToken.set(token, performance.now());
}

async function waitUntilIdle({ token }: Pick<AssignabilityCheck, 'token'>): Promise<void> {
  await pause(Math.max(0, (lastUseByToken.get(token) ?? 0) + LIMIT_RESET_MS - performance.now()));
}
