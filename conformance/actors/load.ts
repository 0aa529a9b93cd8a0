import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '../target/exchange.ts';
import { createPacer } from '../target/pacer.ts';
import type { Call, Client } from './api-client.ts';

export const OPERATION = 'getExperienceAssignability';
/** How many assignability checks one credential may send in a second (specification, Limits). */
export const LIMIT = 100;

/** Responses to many requests, and how long it took from the first request to the last response. */
export interface Burst {
  readonly answers: readonly Answer[];
  readonly durationMs: number;
}

/** How many requests a burst has pending at a time. More would not make it faster. */
const CONCURRENCY = 24;
/** After how many milliseconds a burst ends, even if not all requests were sent. */
const BURST_MS = 5000;

interface BurstOptions {
  /** How many requests are pending at any time. */
  readonly concurrency?: number;
  /** Whether no more requests are to be sent after this response. */
  readonly isEnough?: (answer: Answer) => boolean;
}

/** Sends `count` requests as fast as they are answered. Sends fewer if the target is too slow. */
export async function burst(
  count: number,
  send: () => Promise<Answer>,
  { concurrency = CONCURRENCY, isEnough = () => false }: BurstOptions = {},
): Promise<Burst> {
  const answers: Answer[] = [];
  let [sent, isOver] = [0, false];
  const startedAt = performance.now();
  const sender = async () => {
    while (sent < count && !isOver && performance.now() - startedAt < BURST_MS) {
      sent += 1;
      const answer = await send();
      answers.push(answer);
      isOver ||= isEnough(answer);
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
/** The checks per second of a load. This rate distinguishes a limit of 100 from a limit of 150 for every kind of window. */
const PER_SECOND = 300;
const DURATION_MS = 2800;
/** After how many milliseconds a load ends, even if a slow machine has sent too few checks. */
const MOST_MS = 4900;
/** After how many checks of the first credential the other credential sends one. */
const INTERVAL = 40;

export type Check = Call & { readonly token: string };

/** The responses to a load: for several seconds, more checks than one credential may send. */
export interface RateLoad {
  /** All checks of the credential. The first 100 were sent at once, when it was idle. `at`: milliseconds from the first request to this response. */
  readonly all: readonly { readonly answer: Answer; readonly at: number }[];
  /** Checks of another credential, each sent between two checks of the first credential. */
  readonly meanwhile: readonly { readonly before: Answer; readonly other: Answer; readonly after: Answer }[];
}

/** Whether the response is that of an assignability check, or a 429. Any other response tells nothing about the limit. */
function isOfCheck({ status, json }: Answer): boolean {
  return status === 429 || (status === 200 && typeof (json as { assignable?: unknown } | undefined)?.assignable === 'boolean');
}

/** How many paced checks are sent, so that they take more than a calendar second in any case. */
const PACED = 170;
/** The pause between two paced checks. A bucket that refills by 100 a second lets a check pass each 10 ms, however small it is. */
const PACE_MS = 12;
/** How often a series of paced checks is sent if one of them is limited: some that are held up may arrive together. */
const SERIES = 3;

/**
 * Sends fewer checks per second than the limit, evenly spread, with a credential that was idle.
 * @returns the responses of the last series. Undefined if none is answered as a check or with 429
 */
export async function pacedChecks(credential: Pick<Check, 'token'>, send: () => Promise<Answer>): Promise<Burst | undefined> {
  for (let series = 1; ; series += 1) {
    await untilIdle(credential);
    const startedAt = performance.now();
    const answers: Answer[] = [];
    const sent: Promise<unknown>[] = [];
    while (sent.length < PACED && countLimited(answers) === 0) {
      const sending = send().then((answer) => answers.push(answer));
      // An error is thrown below, when all checks are sent, so until then it must count as handled.
      sending.catch(() => {});
      sent.push(sending);
      await pause(PACE_MS);
    }
    await Promise.all(sent);
    markUsed(credential);
    if (!answers.some(isOfCheck)) return undefined;
    if (countLimited(answers) === 0 || series === SERIES) return { answers, durationMs: performance.now() - startedAt };
  }
}

/**
 * Sends more checks than one credential is allowed.
 * @param forms the path forms of the checks after the first 100, in turn @param other a check of another credential
 * @returns undefined if none of the first 100 checks is answered as a check or with 429
 */
export async function sendRateLoad(
  api: Client,
  check: Check,
  forms: readonly Client['form'][],
  other?: Check,
): Promise<RateLoad | undefined> {
  let startedAt: number | undefined;
  const elapsed = () => performance.now() - (startedAt ?? performance.now());
  const all: RateLoad['all'][number][] = [];
  const meanwhile: RateLoad['meanwhile'][number][] = [];
  let passed = 0;
  const send = async (form = api.form): Promise<Answer> => {
    startedAt ??= performance.now();
    const answer = await api.once(OPERATION, { ...check, form });
    all.push({ answer, at: elapsed() });
    if (answer.status === 200) passed += 1;
    return answer;
  };
  await untilIdle(check);
  const { answers: first } = await burst(LIMIT, () => send());
  if (!first.some(isOfCheck)) return undefined;
  const allowed = () => mostAllowed(Math.ceil(elapsed() / 1000));
  const isTooFew = () => all.length < 1.5 * allowed() || (all[1.5 * LIMIT]?.at ?? elapsed()) > 700;
  // Once more checks have passed than any window allows, the limit is broken, so no more checks are needed.
  const isOver = () => passed > allowed() || (elapsed() >= DURATION_MS && !(isTooFew() && elapsed() < MOST_MS));
  const pace = createPacer(PER_SECOND, () => performance.now());
  let sent = 0;
  const sender = async () => {
    while (!isOver()) {
      const index = sent++;
      const form = forms[index % forms.length];
      await pace();
      const before = await send(form);
      // After this time the other credential has its full limit, because this worker has not used it during the load.
      if (other !== undefined && index % INTERVAL === 0 && elapsed() > IDLE_MS)
        meanwhile.push({ before, other: await api.once(OPERATION, other), after: await send(form) });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sender));
  markUsed(check);
  return { all, meanwhile };
}

/**
 * How many checks may pass within n seconds: (n + 1) × 100, because the specification leaves the kind of window open. A sliding window lets
 * n × 100 pass, but n seconds can overlap n + 1 calendar seconds, and a bucket that is full at first lets 100 more pass.
 */
export function mostAllowed(seconds: number): number {
  return (seconds + 1) * LIMIT;
}

/** When this worker last used each token, in milliseconds since the worker started. */
const lastUse = new Map<string, number>();

export function markUsed({ token }: Pick<Check, 'token'>): void {
  lastUse.set(token, performance.now());
}

async function untilIdle({ token }: Pick<Check, 'token'>): Promise<void> {
  await pause(Math.max(0, (lastUse.get(token) ?? 0) + IDLE_MS - performance.now()));
}
