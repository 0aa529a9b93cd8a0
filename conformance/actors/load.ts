import { setTimeout as pause } from 'node:timers/promises';
import { type TimedCheck, verifyLimit } from '../expect/rate-limit.ts';
import type { Answer } from '../target/exchange.ts';
import { notTestable } from '../target/not-testable.ts';
import { createPacer } from '../target/pacer.ts';
import { NoResponse } from '../target/send.ts';
import type { Call, Client } from './api-client.ts';

export const OPERATION = 'getExperienceAssignability';
/** Why a check is not testable if no response says anything about the limit. */
export const NO_ANSWER = 'the target answers no assignability check with 200 or 429';

/** The responses to many requests, and the time from the first request to the last response. */
export interface Burst {
  readonly answers: readonly Answer[];
  readonly durationMs: number;
}

/** The number of requests of a burst that are pending at the same time. A larger number would not make the burst faster. */
const CONCURRENCY = 24;
/** The longest duration of a burst, in milliseconds. A slow burst ends before all its requests are sent. */
const BURST_MS = 5000;

/**
 * Sends `count` requests as fast as the target answers. Sends fewer if BURST_MS has passed.
 * @param concurrency the number of requests that are pending at the same time
 */
export async function burst(count: number, send: () => Promise<Answer>, concurrency = CONCURRENCY): Promise<Burst> {
  const answers: Answer[] = [];
  let sent = 0;
  const startedAt = performance.now();
  const sender = async () => {
    while (sent < count && performance.now() - startedAt < BURST_MS) {
      sent += 1;
      answers.push(await send());
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, sender));
  return { answers, durationMs: performance.now() - startedAt };
}

export const isLimited = ({ status }: Answer): boolean => status === 429;

export function countLimited(answers: readonly Answer[]): number {
  return answers.filter(isLimited).length;
}

/** The time without requests after which a credential has its full limit again in every kind of window, in milliseconds. */
export const IDLE_MS = 1100;
/**
 * The number of assignability checks per second of a load: enough to exceed a limit of 110 in every second, and few enough for a slow
 * machine.
 */
const PER_SECOND = 130;
/** The largest number of pending checks of a load. With 60, a load reaches its rate even if a response takes almost half a second. */
const MOST_PENDING = 60;
/** The longest duration of a load, in milliseconds. On a slow machine, a load ends before it has sent enough checks. */
export const LONGEST_LOAD_MS = 19_000;
/** The time between two decisions whether a load can end, and between two checks of the other credential, in milliseconds. */
const INTERVAL_MS = 200;

export type Check = Call & { readonly token: string };

/** The responses to a load, which sends more checks than one credential may send, for up to 19 seconds. */
export interface RateLoad {
  /** All checks of the credential, in the order of the responses. The credential was idle before the first check. */
  readonly all: readonly (TimedCheck & { readonly answer: Answer })[];
  /** Checks of another credential. Each was sent between two checks of the first credential; the earlier of these was answered with 429. */
  readonly meanwhile: readonly { readonly before: Answer; readonly other: Answer; readonly after: Answer }[];
}

/** Whether a response is the result of an assignability check, or a 429. Other responses say nothing about the limit. */
function isOfCheck({ status, json }: Answer): boolean {
  return status === 429 || (status === 200 && typeof (json as { assignable?: unknown } | undefined)?.assignable === 'boolean');
}

/** The number of paced checks. Sending them takes longer than one calendar second. */
const PACED = 170;
/**
 * The time between two paced checks, in milliseconds. A bucket of any size that refills at 100 per second lets one check pass every 10 ms.
 */
const PACE_MS = 12;

/**
 * Sends fewer checks per second than the limit, evenly spread, with a credential that was idle. If one of them is limited, sends a second
 * series in which each check waits for the response to the previous check. Without that wait, checks that were delayed on the network may
 * arrive together, and a small bucket refuses some of them.
 * @returns the responses of the last series. Undefined if no response is the result of a check or a 429.
 */
export async function pacedChecks(credential: Pick<Check, 'token'>, send: () => Promise<Answer>): Promise<Burst | undefined> {
  await untilIdle(credential);
  const paced = await pacedSeries(send);
  markUsed(credential);
  if (countLimited(paced.answers) === 0) return paced.answers.some(isOfCheck) ? paced : undefined;
  await untilIdle(credential);
  const [startedAt, answers] = [performance.now(), [] as Answer[]];
  const elapsed = () => performance.now() - startedAt;
  while (answers.length < PACED && countLimited(answers) === 0 && elapsed() < BURST_MS) {
    await pause(PACE_MS);
    answers.push(await send());
  }
  markUsed(credential);
  return { answers, durationMs: elapsed() };
}

/** Sends paced checks until one of them is limited. */
async function pacedSeries(send: () => Promise<Answer>): Promise<Burst> {
  const startedAt = performance.now();
  const answers: Answer[] = [];
  const sent: Promise<unknown>[] = [];
  while (sent.length < PACED && countLimited(answers) === 0) {
    const sending = send().then((answer) => answers.push(answer));
    // `Promise.all` below throws this error. The empty handler prevents an unhandled rejection until then.
    sending.catch(() => {});
    sent.push(sending);
    // If a slow machine sends a check late, the pause before the next check is shorter.
    await pause(Math.max(0, startedAt + sent.length * PACE_MS - performance.now()));
  }
  await Promise.all(sent);
  return { answers, durationMs: performance.now() - startedAt };
}

/**
 * Sends more checks than one credential may send, until verifyLimit can decide whether the target limits the credential.
 * @param forms the path forms of the checks, used in turn
 * @param other a check of another credential
 * @returns undefined if the response to the first check is neither the result of a check nor a 429
 */
export async function sendRateLoad(
  api: Client,
  check: Check,
  forms: readonly Client['form'][],
  other?: Check,
): Promise<RateLoad | undefined> {
  await untilIdle(check);
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  const all: RateLoad['all'][number][] = [];
  const meanwhile: RateLoad['meanwhile'][number][] = [];
  const send = async (form = api.form): Promise<Answer> => {
    const sentAt = elapsed();
    const answer = await api.once(OPERATION, { ...check, form });
    all.push({ answer, sentAt, answeredAt: elapsed(), isPassed: answer.status === 200 });
    return answer;
  };
  if (!isOfCheck(await send())) return undefined;
  const pace = createPacer(PER_SECOND, () => performance.now());
  // The other credential is used only after it has its full limit. This worker sends no other request with it during the load.
  let [sent, isOver, nextOther] = [0, false, IDLE_MS];
  const sender = async () => {
    while (!isOver) {
      const form = forms[sent++ % forms.length];
      await pace();
      const before = await send(form);
      if (other === undefined || !isLimited(before) || elapsed() < nextOther) continue;
      nextOther = elapsed() + INTERVAL_MS;
      meanwhile.push({ before, other: await api.once(OPERATION, other), after: await send(form) });
    }
  };
  const watch = async () => {
    while (!isOver) {
      await pause(INTERVAL_MS);
      const { isKept, exceeded } = verifyLimit(all);
      isOver = isKept || exceeded !== undefined || elapsed() > LONGEST_LOAD_MS;
    }
  };
  await Promise.all([watch(), ...Array.from({ length: MOST_PENDING }, sender)]);
  markUsed(check);
  return { all, meanwhile };
}

/** Handles the error of a load. A missing response makes the check not testable, because a slow machine breaks no rule about limits. */
export function handleLoadError(error: unknown): never {
  if (error instanceof NoResponse) notTestable(`the target was too slow for the checks: ${error.message}`);
  throw error;
}

/** The time at which this worker last used each token, in milliseconds since the worker started. */
const lastUse = new Map<string, number>();

export function markUsed({ token }: Pick<Check, 'token'>): void {
  lastUse.set(token, performance.now());
}

async function untilIdle({ token }: Pick<Check, 'token'>): Promise<void> {
  await pause(Math.max(0, (lastUse.get(token) ?? 0) + IDLE_MS - performance.now()));
}
