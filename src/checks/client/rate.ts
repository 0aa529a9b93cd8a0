import { operations } from '../../contract/generated/operations.ts';
import type { ClientRuleId } from '../rules.ts';
import type { Call } from './call.ts';
import {
  AT_ONCE_MS,
  findFrom,
  getArrivalMs,
  getClient,
  getPauseMs,
  getResponseEndMs,
  type History,
  isSentAfter,
  isSuccess,
  toRequestKey,
} from './history.ts';
import type { Breach, Judgement, JudgeRule } from './judgement.ts';
import { REFUSAL_LATENCY_MS } from './provocations.ts';

const MAX_CHECKS_PER_SECOND = 100;
/** After this time, in milliseconds, the rate limit counts no earlier request. */
const WINDOW_MS = 1000;
/** Requests that a client sends in time may arrive closer together, in milliseconds, because the machine is busy. */
const JITTER_MS = 100;
/** The longest pause that counts as none, in milliseconds. */
const MAX_AT_ONCE_MS = 60;
/** The part of the client's pauses that must be shorter than a pause that counts as waiting. */
const USUAL_PART = 0.9;
/** The shortest pause that counts as waiting, in milliseconds. A shorter pause may only show that the client is busy. */
const MIN_WAITING_PAUSE_MS = 200;
/** The shortest pause, in milliseconds, that may be the same after each 503. The Retry-After of a provoked 503 is one second. */
const MIN_CONSTANT_PAUSE_MS = 900;
/** Pauses that grow by this factor from the first attempt to the last one show a back-off. */
const MIN_GROWTH = 1.5;

/** Equal requests within this time, in milliseconds, may have been sent in parallel. */
const BURST_GAP_MS = 1000;

export const judgesForRateRules = {
  'limits.assignability.back-off': ({ api }) => judgeBackOff(api, ['getExperienceAssignability'], 429),
  'limits.users.back-off': ({ api }) => judgeBackOff(api, ['getUsers', 'getUser'], 429),
  'client.unavailable.back-off': ({ api }) => judgeBackOff(api, Object.keys(operations), 503),

  'limits.assignability.stays-under'({ api }) {
    const checks = api.filter(({ operationId }) => operationId === 'getExperienceAssignability');
    const findings = [...Map.groupBy(checks, getClient).values()].flatMap((calls): Breach[] => {
      const excess = findExcess(calls, WINDOW_MS - JITTER_MS);
      if (excess === undefined) return [];
      const message = `The client sent more than ${MAX_CHECKS_PER_SECOND} assignability checks within one second. Send at most ${MAX_CHECKS_PER_SECOND}.`;
      return [{ message, calls: [excess[0]!, excess.at(-1)!], breaking: excess.slice(-1) }];
    });
    return { exercised: checks, findings, needs: 'The client has to check assignability.' };
  },
} satisfies Partial<Record<ClientRuleId, JudgeRule>>;

interface Repetition {
  readonly refused: Call;
  readonly again: Call;
  readonly waitMs: number;
  /** Whether `again` is not an equal request that was sent in parallel. */
  readonly isCertain?: boolean;
}

function judgeBackOff(api: History['api'], operationIds: readonly string[], status: number): Judgement {
  const calls = api.filter(({ operationId = '' }) => operationIds.includes(operationId));
  const groups = Map.groupBy(calls, (call) => `${getClient(call)} ${toRequestKey(call)}`);
  const repetitions = [...groups.values()].flatMap((group) => findRepetitions(group, status));
  const byClient = Map.groupBy(repetitions, ({ refused }) => getClient(refused));
  const callsOf = Map.groupBy(api, getClient);
  const judged = [...byClient].map(([client, group]) => judgeRepetitions(group, listPauses(callsOf.get(client) ?? [])));
  const [findings, exercised] = [judged.flatMap((each) => each.findings), judged.flatMap((each) => each.exercised)];
  if (!calls.some((call) => call.status === status))
    return { exercised, findings, needs: `The client has to get ${status}.`, provocation: status === 429 ? 'rate' : 'outage' };
  const unclear = judged.flatMap(({ reason = [] }) => reason);
  const reasons = unclear.length > 0 ? unclear : ['It did not send the same request again, or it sent equal requests in parallel.'];
  return { exercised, findings, needs: `The client got ${status}. ${reasons.join(' ')}` };
}

/** @param otherPauses the client's other pauses between a response and its next request, in milliseconds */
function judgeRepetitions(
  repetitions: readonly Repetition[],
  otherPauses: readonly number[],
): Pick<Judgement, 'findings' | 'exercised'> & { readonly reason?: string } {
  const usualMs = getQuantile(otherPauses, USUAL_PART);
  // On a busy machine, all pauses are longer.
  const busyMs = Math.min(MAX_AT_ONCE_MS, 4 * getQuantile(otherPauses));
  const atOnce = repetitions.filter(({ waitMs, isCertain }) => waitMs < AT_ONCE_MS || (isCertain && waitMs < busyMs));
  // Random waiting times may sometimes be very short.
  if (atOnce.length * 2 > repetitions.length) return { findings: atOnce.map(toFinding), exercised: [] };
  // Only advice, because the specification does not say how long to wait after a 503.
  const [early503] = repetitions.filter(({ refused, waitMs }) => refused.status === 503 && waitMs < MIN_CONSTANT_PAUSE_MS);
  if (early503 && isGrowing(repetitions) === false) return { findings: [toFinding(early503)], exercised: [] };
  // If many requests are repeated, even a client that does not wait needs some time for each.
  const early = repetitions.filter(({ waitMs }) => waitMs < WINDOW_MS).map(({ again }) => again);
  const flood = findExcess(early.sort((first, second) => getArrivalMs(first) - getArrivalMs(second)));
  if (flood) {
    const message = `The client repeated more than ${MAX_CHECKS_PER_SECOND} refused requests within one second, each less than a second after its refusal. Wait before you repeat requests, and send fewer of them at a time.`;
    if (!isGrowing(repetitions)) return { findings: [{ message, calls: flood }], exercised: [] };
    const reason = `It repeated more than ${MAX_CHECKS_PER_SECOND} refused requests within one second, but after pauses that grew. To exercise this rule, it has to send fewer of them at a time.`;
    return { findings: [], exercised: [], reason };
  }
  const longMs = Math.min(Math.max(MIN_WAITING_PAUSE_MS, 2 * usualMs), WINDOW_MS * 0.9);
  const waited = repetitions.filter(({ waitMs }) => waitMs >= longMs);
  if (waited.length * 4 >= repetitions.length * 3)
    return { findings: [], exercised: waited.flatMap(({ refused, again }) => [refused, again]) };
  const pauses = repetitions.map(({ waitMs }) => Math.round(waitMs));
  const reason = `It sent the same request again after ${[...new Set([Math.min(...pauses), Math.max(...pauses)])].join(' to ')} ms, and its other pauses between two requests have up to ${Math.round(usualMs)} ms. A pause of less than ${AT_ONCE_MS} ms breaks the rule, and one of at least ${Math.round(longMs)} ms obeys it. A pause between these may only show that the client or the machine is busy. To exercise this rule, the client has to wait for the time in Retry-After, or run while the machine is less busy.`;
  return { findings: [], exercised: [], reason };
}

function listPauses(calls: readonly Call[]): number[] {
  const pauses = calls.flatMap((call, index) => {
    const previous = calls[index - 1];
    if (previous === undefined || [429, 503].includes(previous.status ?? 0)) return [];
    const pauseMs = getArrivalMs(call) - getResponseEndMs(previous);
    return pauseMs < 0 ? [] : [pauseMs];
  });
  return [0, ...pauses];
}

/** Returns the first calls within `windowMs` that are more than MAX_CHECKS_PER_SECOND. */
function findExcess(calls: readonly Call[], windowMs = WINDOW_MS): readonly Call[] | undefined {
  const index = calls.findIndex(
    (call, at) => at >= MAX_CHECKS_PER_SECOND && getArrivalMs(call) - getArrivalMs(calls[at - MAX_CHECKS_PER_SECOND]!) < windowMs,
  );
  return index < 0 ? undefined : calls.slice(index - MAX_CHECKS_PER_SECOND, index + 1);
}

/** Compares the last pause before each request that was repeated several times with the first one. Undefined if there is no such request. */
function isGrowing(repetitions: readonly Repetition[]): boolean | undefined {
  const [previous, next] = [new Set(repetitions.map(({ again }) => again)), new Set(repetitions.map(({ refused }) => refused))];
  const lastPauses = repetitions.flatMap(({ refused, again, waitMs }) => (previous.has(refused) && !next.has(again) ? [waitMs] : []));
  const firstPauses = repetitions.flatMap(({ refused, again, waitMs }) => (!previous.has(refused) && next.has(again) ? [waitMs] : []));
  return firstPauses.length > 0 ? getQuantile(lastPauses) >= MIN_GROWTH * getQuantile(firstPauses) : undefined;
}

const getQuantile = (values: readonly number[], part = 0.5): number => [...values].sort((a, b) => a - b)[Math.floor(values.length * part)]!;

function findRepetitions(equalCalls: readonly Call[], status: number): Repetition[] {
  if (!equalCalls.some((call) => call.status === status)) return [];
  const [close, wide] = [splitIntoBursts(equalCalls, AT_ONCE_MS), splitIntoBursts(equalCalls, BURST_GAP_MS)];
  return equalCalls.flatMap((refused): Repetition[] => {
    if (refused.status !== status) return [];
    const first = findFrom(equalCalls, getResponseEndMs(refused));
    if (first === undefined) return [];
    const waitMs = getPauseMs(refused, first);
    if (isHeldAlone(refused, equalCalls)) return [{ refused, again: first, waitMs, isCertain: true }];
    const isSequential =
      first.status === status ||
      isSentAfter(refused, first) ||
      findFrom(equalCalls, getResponseEndMs(refused), (call) => isSentAfter(refused, call)) === undefined;
    // The client may have sent `first` in parallel with the refused request, or at once after the refusal. After a success, only a client
    // whose requests are parallel sends the request again.
    if (!isSequential && !isSuccess(first)) return [];
    const burst = (waitMs < AT_ONCE_MS ? wide : close).get(refused)!;
    if (isSequential && !burst.isParallel) return [{ refused, again: first, waitMs }];
    const { next } = wide.get(refused)!;
    return next && burst.isParallel ? [{ refused, again: next, waitMs: getPauseMs(refused, next) }] : [];
  });
}

/** Whether the kit held the response back so long that an equal request in parallel would have arrived before it. */
function isHeldAlone(refused: Call, equalCalls: readonly Call[]): boolean {
  const [start, end] = [getArrivalMs(refused), getResponseEndMs(refused)];
  const isOverlapping = (call: Call) => call !== refused && getArrivalMs(call) < end && getResponseEndMs(call) > start;
  return refused.step === 'fault' && end - start >= REFUSAL_LATENCY_MS * 0.9 && !equalCalls.some(isOverlapping);
}

/** Finds each call's burst: equal requests, each less than `gapMs` after the previous one. `next` is the first request after the burst. */
function splitIntoBursts(equal: readonly Call[], gapMs: number) {
  const bursts: Call[][] = [];
  for (const [index, call] of equal.entries()) {
    if (index > 0 && getArrivalMs(call) - getArrivalMs(equal[index - 1]!) < gapMs) bursts.at(-1)!.push(call);
    else bursts.push([call]);
  }
  return new Map(
    bursts.flatMap((calls, index) => {
      const burst = { isParallel: isParallel(calls), next: bursts[index + 1]?.[0] };
      return calls.map((call) => [call, burst]);
    }),
  );
}

/** A client stops repeating a request after a success. Therefore, several successes of requests that overlap mean parallel requests. */
const isParallel = (burst: readonly Call[]): boolean =>
  burst.filter(isSuccess).length > 1 && burst.some((call, index) => index > 0 && !isSentAfter(burst[index - 1]!, call));

function toFinding({ refused, again, waitMs }: Repetition): Breach {
  const message = `The client got ${refused.status} and sent the same request again after ${Math.max(0, Math.round(waitMs))} ms. Before the next attempt, wait for the time in Retry-After, or for a time that grows with each attempt.`;
  return { message, calls: [refused, again], breaking: [again] };
}
