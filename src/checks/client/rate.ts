import type { ClientRuleId } from '../rules.ts';
import type { Call } from './call.ts';
import { AT_ONCE_MS, arrivalOf, clientOf, endOf, type History, isSentAfter, isSuccess, requestKey } from './history.ts';
import type { Finding, Judgement, JudgeRule } from './judgement.ts';

const LIMIT = 100;
/** A pause of at least this many milliseconds shows that a client waits. A shorter pause may be only the slowness of the client. */
const CLEAR_PAUSE_MS = 40;

/** Equal requests within this time count as parallel before a client is accused of a repetition, because a busy kit may read them late. */
const BURST_GAP_MS = 1000;

export const rate = {
  'limits.assignability.back-off': ({ api }) => judgeBackOff(api, ['getExperienceAssignability']),
  'limits.users.back-off': ({ api }) => judgeBackOff(api, ['getUsers', 'getUser']),

  'limits.assignability.stays-under'({ api }) {
    const checks = api.filter(({ operationId }) => operationId === 'getExperienceAssignability');
    const findings = [...Map.groupBy(checks, clientOf).values()].flatMap((calls): Finding[] => {
      const index = calls.findIndex((call, at) => at >= LIMIT && arrivalOf(call) - arrivalOf(calls[at - LIMIT]!) < 1000);
      if (index < 0) return [];
      const last = calls.findLastIndex((call) => arrivalOf(call) - arrivalOf(calls[index - LIMIT]!) < 1000);
      const count = last - (index - LIMIT) + 1;
      const message = `The client sent ${count} assignability checks within one second. Send at most ${LIMIT}.`;
      return [{ message, calls: [calls[index - LIMIT]!, calls[index]!], breaking: [calls[index]!] }];
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
  const repetitions = [...Map.groupBy(calls, (call) => `${clientOf(call)} ${requestKey(call)}`).values()].flatMap(repetitionsIn);
  const atOnce = repetitions.filter(({ waitMs }) => waitMs < AT_ONCE_MS);
  // A client that waits for a random time may wait very briefly now and then.
  const findings = atOnce.length * 2 > repetitions.length ? atOnce.map(toFinding) : [];
  const exercised = repetitions.flatMap(({ refused, again, waitMs }) => (waitMs < CLEAR_PAUSE_MS ? [] : [refused, again]));
  if (calls.some(({ status }) => status === 429)) {
    const needs = `The client got 429. It also has to send such a request again, after a pause of at least ${CLEAR_PAUSE_MS} ms, or of a second if it sends equal requests in parallel.`;
    return { exercised, findings, needs };
  }
  return { exercised, findings, needs: 'The client has to get 429.', provocation: 'rate' };
}

/** Finds the requests that were sent again after a 429. */
function repetitionsIn(equal: readonly Call[]): Repetition[] {
  return equal.flatMap((refused): Repetition[] => {
    if (refused.status !== 429) return [];
    const later = equal.filter((call) => arrivalOf(call) >= endOf(refused));
    const [first] = later;
    if (first === undefined) return [];
    const waitMs = arrivalOf(first) - endOf(refused);
    // A request that arrives at once may have been sent in parallel. If the client sent another one later, that one may be the repetition.
    const isRepetition = first.status === 429 || isSentAfter(refused, first) || !later.some((call) => isSentAfter(refused, call));
    const isAlone = !isParallel(burstOf(refused, equal, waitMs < AT_ONCE_MS ? BURST_GAP_MS : AT_ONCE_MS));
    if (isRepetition && isAlone) return [{ refused, again: first, waitMs }];
    const next = equal[equal.indexOf(burstOf(refused, equal, BURST_GAP_MS).at(-1)!) + 1];
    return next ? [{ refused, again: next, waitMs: arrivalOf(next) - endOf(refused) }] : [];
  });
}

/** Returns the equal requests of which each arrived within `gapMs` of the one before, and which contain the refused one. */
function burstOf(refused: Call, equal: readonly Call[], gapMs: number): readonly Call[] {
  const isStart = (call: Call, index: number) => index === 0 || arrivalOf(call) - arrivalOf(equal[index - 1]!) >= gapMs;
  const at = equal.indexOf(refused);
  const start = equal.findLastIndex((call, index) => index <= at && isStart(call, index));
  const end = equal.findIndex((call, index) => index > at && isStart(call, index));
  return equal.slice(start, end < 0 ? undefined : end);
}

/** A client that repeats a request stops when it succeeds. If several equal requests succeed, the client sent them in parallel. */
const isParallel = (burst: readonly Call[]): boolean => burst.filter(isSuccess).length > 1;

function toFinding({ refused, again, waitMs }: Repetition): Finding {
  const message = `The client got 429 and sent the same request again after ${Math.max(0, Math.round(waitMs))} ms. Wait before the next attempt: for the time in Retry-After, or longer after each attempt.`;
  return { message, calls: [refused, again], breaking: [again] };
}
