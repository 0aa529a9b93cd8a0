import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '../target/exchange.ts';
import { createPacer } from '../target/pacer.ts';
import type { Call, Client } from './api-client.ts';

export const OPERATION = 'getExperienceAssignability';
/** Checks in a second of one credential (Limits). */
export const LIMIT = 100;

/** Responses to many requests, and how long it took from the first request to the last response. */
export interface Burst {
  readonly answers: readonly Answer[];
  readonly durationMs: number;
}

/** More requests at once are not faster. */
const CONCURRENCY = 24;
/** A target that takes longer is too slow for a burst. */
const BURST_MS = 5000;

interface BurstOptions {
  /** How many requests are pending at any time. */
  readonly concurrency?: number;
  /** A response after which no more requests are sent. */
  readonly isEnough?: (answer: Answer) => boolean;
}

/** Sends `count` requests as fast as they are answered; fewer if that takes too long. */
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

/** After so long any window is empty and any bucket is full, in milliseconds. */
export const IDLE_MS = 1100;
/** At this rate and duration a limit of 150 lets more pass within three seconds than a limit of 100 does, in any kind of window. */
const PER_SECOND = 300;
const DURATION_MS = 2800;
/** A slow machine takes longer, but no longer than this. */
const MOST_MS = 4900;
/** After how many checks the other credential is used. */
const INTERVAL = 40;

export type Check = Call & { readonly token: string };

/** Several seconds of more checks than one credential is allowed. */
export interface RateLoad {
  /** The first 100, at once, of a credential that was idle. */
  readonly first: readonly Answer[];
  /** All checks of the credential. `at`: milliseconds from the first request to the response. */
  readonly all: readonly { readonly answer: Answer; readonly at: number }[];
  /** Checks of the other credential, each between two of the first. */
  readonly meanwhile: readonly { readonly before: Answer; readonly other: Answer; readonly after: Answer }[];
}

/** Whether the response is one of an assignability check, within or beyond the limit. Others show nothing. */
function isOfCheck({ status, json }: Answer): boolean {
  return status === 429 || (status === 200 && typeof (json as { assignable?: unknown } | undefined)?.assignable === 'boolean');
}

/** Sends the first 100 checks of an idle credential at once. @returns undefined if no response is one of a check */
export async function firstChecks(credential: Pick<Check, 'token'>, send: () => Promise<Answer>): Promise<readonly Answer[] | undefined> {
  await untilIdle(credential);
  const { answers } = await burst(LIMIT, send);
  markUsed(credential);
  return answers.some(isOfCheck) ? answers : undefined;
}

/**
 * Sends more checks than one credential is allowed.
 * @param forms the path forms of the checks after the first 100, in turn @param other a check of another credential
 * @returns undefined if none of the first 100 responses is one of a check
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
  const first = await firstChecks(check, () => send());
  if (first === undefined) return undefined;
  const allowed = () => mostAllowed(Math.ceil(elapsed() / 1000));
  const isTooFew = () => all.length < 1.5 * allowed() || (all[1.5 * LIMIT]?.at ?? elapsed()) > 700;
  // Once more checks passed than any window allows, the limit is broken already.
  const isOver = () => passed > allowed() || (elapsed() >= DURATION_MS && !(isTooFew() && elapsed() < MOST_MS));
  const pace = createPacer(PER_SECOND, () => performance.now());
  let sent = 0;
  const sender = async () => {
    while (!isOver()) {
      const index = sent++;
      const form = forms[index % forms.length];
      await pace();
      const before = await send(form);
      // By now the other credential has been idle, too: this worker does nothing else.
      if (other !== undefined && index % INTERVAL === 0 && elapsed() > IDLE_MS)
        meanwhile.push({ before, other: await api.once(OPERATION, other), after: await send(form) });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sender));
  markUsed(check);
  return { first, all, meanwhile };
}

/**
 * How many checks may pass within whole seconds. The kind of window is open: a sliding one lets n × 100 pass in n seconds, calendar seconds let pass
 * (n + 1) × 100 as n + 1 of them overlap, and so does a bucket that is full at first.
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
