import type { Pair } from '../target/capabilities.ts';
import { endAsNotTestable } from '../target/not-testable.ts';
import { isSameId } from './compare.ts';

/** A connection in a response. Every member is optional, because the specification does not require any of them. */
export interface ConnectionInResponse {
  readonly id?: string;
  readonly accountId?: string;
  readonly accountName?: string;
  readonly experienceId?: string;
  readonly state?: string;
  readonly updatedAt?: string;
}

/** An existing connection's id, account and Experience. */
export type ConnectionKey = Pair & { readonly id: string };

/**
 * Returns whether a response (`shown`) contains the connection that `key` identifies. Ids that occur in both must be equal, and at least
 * the connection id or the Experience id must occur in both.
 */
export function isConnection(shown: ConnectionInResponse, key: Pair & { id?: string }): boolean {
  const members = (['id', 'accountId', 'experienceId'] as const).filter((name) => shown[name] !== undefined && key[name] !== undefined);
  return members.some((name) => name !== 'accountId') && members.every((name) => isSameId(shown[name], key[name] ?? ''));
}

/** Serializes the documented members for comparison. Ignores undocumented members, because their values may change at any time. */
export function serializeDocumentedMembers({ id, accountId, accountName, experienceId, state, updatedAt }: ConnectionInResponse): string {
  return JSON.stringify({ id, accountId, accountName, experienceId, state, updatedAt });
}

/** Collects the values of an optional member. Ends the check as not testable if no connection contains the member. */
export function collectValues(shown: readonly ConnectionInResponse[], member: 'state' | 'updatedAt'): readonly [string, ...string[]] {
  const [first, ...rest] = shown.flatMap((connection) => connection[member] ?? []);
  return first === undefined ? endAsNotTestable(`the target does not show the ${member} of a connection`) : [first, ...rest];
}
