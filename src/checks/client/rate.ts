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

const MAX_CHECKS_PER_SECOND = 100;
/** After this time, in milliseconds, the rate limit counts no earlier request. */
const WINDOW_MS = 1000;
/** The shortest pause that counts as waiting, in milliseconds. A shorter pause may only show that the client is busy. */
const MIN_WAITING_PAUSE_MS = 200;
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
      const excess = findExcess(calls);
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
}

function judgeBackOff(api: History['api'], operationIds: readonly string[], status: number): Judgement {
  const calls = api.filter(({ operationId = '' }) => operationIds.includes(operationId));
  const groups = Map.groupBy(calls, (call) => `${getClient(call)} ${toRequestKey(call)}`);
  const repetitions = [...groups.values()].flatMap((group) => findRepetitions(group, status));
  const byClient = Map.groupBy(repetitions, ({ refused }) => getClient(refused));
  const callsOf = Map.groupBy(api, getClient);
  const judged = [...byClient].map(([client, group]) => judgeRepetitions(group, measurePace(callsOf.get(client) ?? [])));
  const [findings, exercised] = [judged.flatMap((each) => each.findings), judged.flatMap((each) => each.exercised)];
  if (!calls.some((call) => call.status === status))
    return { exercised, findings, needs: `The client has to get ${status}.`, provocation: status === 429 ? 'rate' : 'outage' };
  const needs = `The client got ${status}. To exercise this rule, the client has to repeat the request after a pause that is clearly longer than its usual pause between two requests. If it sends many requests in parallel, it must not repeat more than 100 of them within one second.`;
  return { exercised, findings, needs };
}

/** @param paceMs the client's usual pause between a response and its next request */
function judgeRepetitions(repetitions: readonly Repetition[], paceMs: number): Pick<Judgement, 'findings' | 'exercised'> {
  const atOnce = repetitions.filter(({ waitMs }) => waitMs < AT_ONCE_MS);
  // Random waiting times may sometimes be very short.
  if (atOnce.length * 2 > repetitions.length) return { findings: atOnce.map(toFinding), exercised: [] };
  // If many requests are repeated, even a client that does not wait needs some time for each.
  const early = repetitions.filter(({ waitMs }) => waitMs < WINDOW_MS).map(({ again }) => again);
  const flood = findExcess(early.sort((first, second) => getArrivalMs(first) - getArrivalMs(second)));
  if (flood) {
    const message = `The client repeated more than ${MAX_CHECKS_PER_SECOND} refused requests within one second, each less than a second after its refusal. Wait before you repeat requests, and send fewer of them at a time.`;
    return { findings: isGrowing(repetitions) ? [] : [{ message, calls: flood }], exercised: [] };
  }
  const longPauseMs = Math.max(MIN_WAITING_PAUSE_MS, 2 * paceMs);
  const waited = repetitions.filter(({ waitMs }) => waitMs >= Math.min(longPauseMs, WINDOW_MS * 0.9));
  const clear = waited.length * 4 >= repetitions.length * 3 ? waited : [];
  return { findings: [], exercised: clear.flatMap(({ refused, again }) => [refused, again]) };
}

/** Returns the median pause, in milliseconds, between a response and the same client's next request, without pauses after refusals. */
function measurePace(calls: readonly Call[]): number {
  const pauses = calls.flatMap((call, index) => {
    const previous = calls[index - 1];
    if (previous === undefined || [429, 503].includes(previous.status ?? 0)) return [];
    const pauseMs = getArrivalMs(call) - getResponseEndMs(previous);
    return pauseMs < 0 ? [] : [pauseMs];
  });
  return getMedian([0, ...pauses]);
}

/** Returns the first calls within one second that are more than MAX_CHECKS_PER_SECOND. */
function findExcess(calls: readonly Call[]): readonly Call[] | undefined {
  const index = calls.findIndex(
    (call, at) => at >= MAX_CHECKS_PER_SECOND && getArrivalMs(call) - getArrivalMs(calls[at - MAX_CHECKS_PER_SECOND]!) < WINDOW_MS,
  );
  return index < 0 ? undefined : calls.slice(index - MAX_CHECKS_PER_SECOND, index + 1);
}

/** Compares the last pause before each request that was repeated several times with the first one. */
function isGrowing(repetitions: readonly Repetition[]): boolean {
  const [previous, next] = [new Set(repetitions.map(({ again }) => again)), new Set(repetitions.map(({ refused }) => refused))];
  const lastPauses = repetitions.flatMap(({ refused, again, waitMs }) => (previous.has(refused) && !next.has(again) ? [waitMs] : []));
  const firstPauses = repetitions.flatMap(({ refused, again, waitMs }) => (!previous.has(refused) && next.has(again) ? [waitMs] : []));
  return firstPauses.length > 0 && getMedian(lastPauses) >= MIN_GROWTH * getMedian(firstPauses);
}

const getMedian = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

function findRepetitions(equalCalls: readonly Call[], status: number): Repetition[] {
  if (!equalCalls.some((call) => call.status === status)) return [];
  const [close, wide] = [splitIntoBursts(equalCalls, AT_ONCE_MS), splitIntoBursts(equalCalls, BURST_GAP_MS)];
  return equalCalls.flatMap((refused): Repetition[] => {
    if (refused.status !== status) return [];
    const first = findFrom(equalCalls, getResponseEndMs(refused));
    if (first === undefined) return [];
    const waitMs = getPauseMs(refused, first);
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
    return next ? [{ refused, again: next, waitMs: getPauseMs(refused, next) }] : [];
  });
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
