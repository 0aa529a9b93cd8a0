import type { ClientRuleId } from '../rules.ts';
import type { Call } from './call.ts';
import { AT_ONCE_MS, getArrivalMs, getClient, getResponseEndMs, type History, isSentAfter, isSuccess, toRequestKey } from './history.ts';
import type { Breach, Judgement, JudgeRule } from './judgement.ts';

const MAX_CHECKS_PER_SECOND = 100;
/** The shortest pause that counts as waiting, in milliseconds. A shorter pause may only show that the client is slow. */
const MIN_WAITING_PAUSE_MS = 40;

/** Equal requests within this time, in milliseconds, may have been sent in parallel. */
const BURST_GAP_MS = 1000;

export const judgesForRateRules = {
  'limits.assignability.back-off': ({ api }) => judgeBackOff(api, ['getExperienceAssignability']),
  'limits.users.back-off': ({ api }) => judgeBackOff(api, ['getUsers', 'getUser']),

  'limits.assignability.stays-under'({ api }) {
    const checks = api.filter(({ operationId }) => operationId === 'getExperienceAssignability');
    const findings = [...Map.groupBy(checks, getClient).values()].flatMap((calls): Breach[] => {
      const index = calls.findIndex(
        (call, at) => at >= MAX_CHECKS_PER_SECOND && getArrivalMs(call) - getArrivalMs(calls[at - MAX_CHECKS_PER_SECOND]!) < 1000,
      );
      if (index < 0) return [];
      const last = calls.findLastIndex((call) => getArrivalMs(call) - getArrivalMs(calls[index - MAX_CHECKS_PER_SECOND]!) < 1000);
      const count = last - (index - MAX_CHECKS_PER_SECOND) + 1;
      const message = `The client sent ${count} assignability checks within one second. Send at most ${MAX_CHECKS_PER_SECOND}.`;
      return [{ message, calls: [calls[index - MAX_CHECKS_PER_SECOND]!, calls[index]!], breaking: [calls[index]!] }];
    });
    return { exercised: checks, findings, needs: 'The client has to check assignability.' };
  },
} satisfies Partial<Record<ClientRuleId, JudgeRule>>;

interface Repetition {
  readonly refused: Call;
  readonly again: Call;
  readonly waitMs: number;
}

function judgeBackOff(api: History['api'], operations: readonly string[]): Judgement {
  const calls = api.filter(({ operationId = '' }) => operations.includes(operationId));
  const repetitions = [...Map.groupBy(calls, (call) => `${getClient(call)} ${toRequestKey(call)}`).values()].flatMap(findRepetitions);
  const atOnce = repetitions.filter(({ waitMs }) => waitMs < AT_ONCE_MS);
  // Random waiting times may sometimes be very short.
  const findings = atOnce.length * 2 > repetitions.length ? atOnce.map(toFinding) : [];
  const exercised = repetitions.flatMap(({ refused, again, waitMs }) => (waitMs < MIN_WAITING_PAUSE_MS ? [] : [refused, again]));
  if (calls.some(({ status }) => status === 429)) {
    const needs = `The client got 429. To exercise this rule, the client has to wait at least ${MIN_WAITING_PAUSE_MS} ms before it repeats the request, or at least a second if it sends equal requests in parallel.`;
    return { exercised, findings, needs };
  }
  return { exercised, findings, needs: 'The client has to get 429.', provocation: 'rate' };
}

function findRepetitions(equalCalls: readonly Call[]): Repetition[] {
  return equalCalls.flatMap((refused): Repetition[] => {
    if (refused.status !== 429) return [];
    const later = equalCalls.filter((call) => getArrivalMs(call) >= getResponseEndMs(refused));
    const [first] = later;
    if (first === undefined) return [];
    const waitMs = getArrivalMs(first) - getResponseEndMs(refused);
    // The client may have sent `first` before it got the 429, in parallel with the refused request.
    const isRepetition = first.status === 429 || isSentAfter(refused, first) || !later.some((call) => isSentAfter(refused, call));
    const isAlone = !isParallel(findBurst(refused, equalCalls, waitMs < AT_ONCE_MS ? BURST_GAP_MS : AT_ONCE_MS));
    if (isRepetition && isAlone) return [{ refused, again: first, waitMs }];
    const next = equalCalls[equalCalls.indexOf(findBurst(refused, equalCalls, BURST_GAP_MS).at(-1)!) + 1];
    return next ? [{ refused, again: next, waitMs: getArrivalMs(next) - getResponseEndMs(refused) }] : [];
  });
}

/** Returns the burst that contains the refused request: equal requests, each less than `gapMs` after the previous one. */
function findBurst(refused: Call, equal: readonly Call[], gapMs: number): readonly Call[] {
  const isBurstStart = (call: Call, index: number) => index === 0 || getArrivalMs(call) - getArrivalMs(equal[index - 1]!) >= gapMs;
  const at = equal.indexOf(refused);
  const start = equal.findLastIndex((call, index) => index <= at && isBurstStart(call, index));
  const end = equal.findIndex((call, index) => index > at && isBurstStart(call, index));
  return equal.slice(start, end < 0 ? undefined : end);
}

/** A client stops repeating a request after a success. Therefore, several successes mean parallel requests. */
const isParallel = (burst: readonly Call[]): boolean => burst.filter(isSuccess).length > 1;

function toFinding({ refused, again, waitMs }: Repetition): Breach {
  const message = `The client got 429 and sent the same request again after ${Math.max(0, Math.round(waitMs))} ms. Before the next attempt, wait for the time in Retry-After, or for a time that grows with each attempt.`;
  return { message, calls: [refused, again], breaking: [again] };
}
