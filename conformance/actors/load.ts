import { setTimeout as pause } from 'node:timers/promises';
import { type TimedCheck, verifyLimit } from '../expect/rate-limit.ts';
import type { Answer } from '../target/exchange.ts';
import { createPacer } from '../target/pacer.ts';
import type { Call, Client } from './api-client.ts';

export const OPERATION = 'getExperienceAssignability';

/** Responses to many requests, and how long it took from the first request to the last response. */
export interface Burst {
  readonly answers: readonly Answer[];
  readonly durationMs: number;
}

/** How many requests a burst has pending at a time. More would not make it faster. */
const CONCURRENCY = 24;
/** After how many milliseconds a burst ends, even if not all requests were sent. */
const BURST_MS = 5000;

/** Sends `count` requests as fast as they are answered. Sends fewer if the target is too slow. @param concurrency how many are pending at any time */
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

/** How many of the responses are 429. */
export function countLimited(answers: readonly Answer[]): number {
  return answers.filter(isLimited).length;
}

/** After how many idle milliseconds a credential has its full limit again, whatever kind of window the target uses. */
export const IDLE_MS = 1100;
/** The checks per second of a load: enough to exceed a limit of 110 in every second, and few enough for a small machine. */
const PER_SECOND = 130;
/** How many checks of a load are pending at most, so that their rate is also reached at a target that takes almost half a second. */
const MOST_PENDING = 60;
/** After how many milliseconds a load ends, even if a slow machine has sent too few checks. */
export const LONGEST_LOAD_MS = 19_000;
/** How often a load looks whether it can end, and how often the other credential sends a check, in milliseconds. */
const INTERVAL_MS = 200;

export type Check = Call & { readonly token: string };

/** The responses to a load: for up to 19 seconds, more checks than one credential may send. */
export interface RateLoad {
  /** All checks of the credential, in the order of the responses. It was idle before the first. */
  readonly all: readonly (TimedCheck & { readonly answer: Answer })[];
  /** Checks of another credential, each sent after a check of the first credential that got 429, and before a further one. */
  readonly meanwhile: readonly { readonly before: Answer; readonly other: Answer; readonly after: Answer }[];
}

/** Whether the response is that of an assignability check, or a 429. Any other response tells nothing about the limit. */
function isOfCheck({ status, json }: Answer): boolean {
  return status === 429 || (status === 200 && typeof (json as { assignable?: unknown } | undefined)?.assignable === 'boolean');
}

/** How many paced checks are sent, so that they take more than a calendar second in any case. */
const PACED = 170;
/** The time between two paced checks. A bucket that refills by 100 a second lets a check pass each 10 ms, however small it is. */
const PACE_MS = 12;

/**
 * Sends fewer checks per second than the limit, evenly spread, with a credential that was idle. If one of them is limited, sends them again,
 * each only after the response to the one before: checks that are held up on the way may arrive together, and a small bucket refuses some.
 * @returns the responses of the last series. Undefined if none is answered as a check or with 429
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
    // An error is thrown below, when all checks are sent, so until then it must count as handled.
    sending.catch(() => {});
    sent.push(sending);
    // On a slow machine, a check that is late is followed by the next one sooner.
    await pause(Math.max(0, startedAt + sent.length * PACE_MS - performance.now()));
  }
  await Promise.all(sent);
  return { answers, durationMs: performance.now() - startedAt };
}

/**
 * Sends more checks than one credential is allowed, until it is known whether the credential is held to its limit.
 * @param forms the path forms of the checks, in turn @param other a check of another credential
 * @returns undefined if the first check is neither answered as a check nor with 429
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
  // After this time the other credential has its full limit, because this worker does not use it during the load.
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

/** When this worker last used each token, in milliseconds since the worker started. */
const lastUse = new Map<string, number>();

export function markUsed({ token }: Pick<Check, 'token'>): void {
  lastUse.set(token, performance.now());
}

async function untilIdle({ token }: Pick<Check, 'token'>): Promise<void> {
  await pause(Math.max(0, (lastUse.get(token) ?? 0) + IDLE_MS - performance.now()));
}
