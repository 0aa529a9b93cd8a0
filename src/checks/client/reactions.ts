import type { Call } from './call.ts';
import { findFrom, getArrivalMs, getPauseMs, getResponseEndMs, isSentAfter, parseQuery, toRequestKey } from './history.ts';

export interface Reaction {
  readonly kind: keyof typeof REACTION_PHRASES;
  readonly pauseMs?: number;
}

const REACTION_PHRASES = {
  repeated: 'sent the same request again',
  'repeated or parallel': 'sent the same request again at once, perhaps in parallel',
  refreshed: 'refreshed its access token and sent the request again',
  'refreshed only': 'refreshed its access token',
  'new token': 'requested a new access token and sent the request again',
  'new token only': 'requested a new access token',
  restarted: 'restarted the list without a cursor',
  continued: 'continued with other requests',
  stopped: 'sent no further request',
} as const;

const MAX_IMMEDIATE_PAUSE_MS = 100;

export function describeReactions(reactions: readonly Reaction[]): string[] {
  const kinds = [...Map.groupBy(reactions, ({ kind }) => kind)].sort(([, a], [, b]) => b.length - a.length);
  return kinds.map(([kind, group]) => {
    const pauses = group.map(({ pauseMs }) => pauseMs).filter((pause) => pause !== undefined);
    const times = group.length === 1 ? '' : ` (${group.length} times)`;
    return `${REACTION_PHRASES[kind]}${pauses.length === 0 ? '' : ` ${formatPause(Math.min(...pauses), Math.max(...pauses))}`}${times}`;
  });
}

function formatPause(shortest: number, longest: number): string {
  if (longest < MAX_IMMEDIATE_PAUSE_MS) return 'at once';
  const [from, to] = [shortest, longest].map((ms) => (ms / 1000).toFixed(1));
  if (from === to) return `after ${to} s`;
  return shortest < MAX_IMMEDIATE_PAUSE_MS ? `either at once or with a pause of up to ${to} s` : `after ${from} to ${to} s`;
}

/** @param calls all calls, in order of arrival */
export function createReactionFinder(calls: readonly Call[]): (call: Call) => Reaction {
  const repetitions = Map.groupBy(calls, toRequestKey);
  const tokenRequests = calls.filter(({ operationId }) => operationId === 'token');
  const firstPages = Map.groupBy(calls, (call) => (hasCursor(call) ? undefined : call.operationId));
  return (call) => {
    const findLater = (others: readonly Call[] | undefined) =>
      findFrom(others, getResponseEndMs(call), (other) => other !== call && isSameClient(call, other));
    const repetition = findLater(repetitions.get(toRequestKey(call)));
    const isBeforeRepetition = (other: Call) => repetition === undefined || getArrivalMs(other) <= getArrivalMs(repetition);
    if (call.status === 401) {
      const token = findLater(tokenRequests);
      if (token && isBeforeRepetition(token)) {
        const isRefresh = token.oauth?.refreshToken !== undefined;
        if (repetition) return { kind: isRefresh ? 'refreshed' : 'new token' };
        return { kind: isRefresh ? 'refreshed only' : 'new token only' };
      }
    }
    if (call.status === 400 && hasCursor(call)) {
      const restart = findLater(firstPages.get(call.operationId));
      if (restart && isBeforeRepetition(restart)) return { kind: 'restarted' };
    }
    if (repetition && !isSentAfter(call, repetition)) return { kind: 'repeated or parallel' };
    if (repetition) return { kind: 'repeated', pauseMs: Math.max(0, getPauseMs(call, repetition)) };
    return { kind: findLater(calls) ? 'continued' : 'stopped' };
  };
}

function isSameClient(first: Call, second: Call): boolean {
  const [firstId, secondId] = [getClientId(first), getClientId(second)];
  return firstId === undefined || secondId === undefined || firstId === secondId;
}
const getClientId = ({ credential, oauth }: Call): string | undefined => credential?.clientId ?? oauth?.clientId;

const hasCursor = (call: Call): boolean => parseQuery(call).has('cursor');
