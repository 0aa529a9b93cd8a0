import type { Call } from './call.ts';
import { arrivalOf, endOf, isSameRequest, isSentAfter, queryOf } from './history.ts';

/** What a client did after a response. */
export interface Reaction {
  readonly kind: keyof typeof SENTENCES;
  /** The pause before the request was sent again, in milliseconds. */
  readonly pauseMs?: number;
}

const SENTENCES = {
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

/** A pause below this many milliseconds is reported as `at once`. */
const SHORT_MS = 100;

/** Returns a phrase for each kind of reaction, the most frequent kind first. */
export function describeReactions(reactions: readonly Reaction[]): string[] {
  const kinds = [...Map.groupBy(reactions, ({ kind }) => kind)].sort(([, a], [, b]) => b.length - a.length);
  return kinds.map(([kind, group]) => {
    const pauses = group.map(({ pauseMs }) => pauseMs).filter((pause) => pause !== undefined);
    const times = group.length === 1 ? '' : ` (${group.length} times)`;
    return `${SENTENCES[kind]}${pauses.length === 0 ? '' : ` ${pauseText(Math.min(...pauses), Math.max(...pauses))}`}${times}`;
  });
}

function pauseText(shortest: number, longest: number): string {
  if (longest < SHORT_MS) return 'at once';
  const [from, to] = [shortest, longest].map((ms) => (ms / 1000).toFixed(1));
  if (from === to) return `after ${to} s`;
  return shortest < SHORT_MS ? `at once or after up to ${to} s` : `after ${from} to ${to} s`;
}

/**
 * Finds what the client did after a response. Requests that arrived before the end of the response are not reactions to it.
 * @param calls all calls, in the order in which the requests arrived
 */
export function reactionTo(call: Call, calls: readonly Call[]): Reaction {
  const isLater = (other: Call) => other !== call && arrivalOf(other) >= endOf(call) && isSameClient(call, other);
  const firstLater = (matches: (other: Call) => boolean) => calls.find((other) => isLater(other) && matches(other));
  const again = firstLater((other) => isSameRequest(call, other));
  const isBeforeAgain = (other: Call) => again === undefined || arrivalOf(other) <= arrivalOf(again);
  if (call.status === 401) {
    const token = firstLater(({ operationId }) => operationId === 'token');
    if (token && isBeforeAgain(token)) {
      const isRefresh = token.oauth?.refreshToken !== undefined;
      if (again) return { kind: isRefresh ? 'refreshed' : 'new token' };
      return { kind: isRefresh ? 'refreshed only' : 'new token only' };
    }
  }
  if (call.status === 400 && hasCursor(call)) {
    const restart = firstLater((other) => other.operationId === call.operationId && !hasCursor(other));
    if (restart && isBeforeAgain(restart)) return { kind: 'restarted' };
  }
  if (again && !isSentAfter(call, again)) return { kind: 'repeated or parallel' };
  if (again) return { kind: 'repeated', pauseMs: pauseBetween(call, again) };
  return { kind: calls.some(isLater) ? 'continued' : 'stopped' };
}

/** The pause in wall time or kit time, whichever is longer, because a test may move the clock of the kit instead of waiting. */
function pauseBetween(call: Call, next: Call): number {
  const kitMs = Date.parse(next.at) - Date.parse(call.at) - call.durationMs;
  return Math.max(0, arrivalOf(next) - endOf(call), kitMs);
}

/** A call without a known client may be of any client. */
function isSameClient(one: Call, other: Call): boolean {
  const [a, b] = [clientOf(one), clientOf(other)];
  return a === undefined || b === undefined || a === b;
}
const clientOf = ({ credential, oauth }: Call): string | undefined => credential?.clientId ?? oauth?.clientId;

const hasCursor = (call: Call): boolean => queryOf(call).has('cursor');
