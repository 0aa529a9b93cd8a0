import type { Pair } from '../target/capabilities.ts';
import { notTestable } from '../target/not-testable.ts';
import { sameId } from './compare.ts';

/** A connection in a response. The specification marks no member as required. */
export interface ShownConnection {
  readonly id?: string;
  readonly accountId?: string;
  readonly accountName?: string;
  readonly experienceId?: string;
  readonly state?: string;
  readonly updatedAt?: string;
}

/** A connection that exists. */
export type ConnectionKey = Pair & { readonly id: string };

/** Whether a response shows this connection: every identifying member that both have is equal, and at least one besides accountId is there. */
export function isConnection(shown: ShownConnection, key: Pair & { id?: string }): boolean {
  const members = (['id', 'accountId', 'experienceId'] as const).filter((name) => shown[name] !== undefined && key[name] !== undefined);
  return members.some((name) => name !== 'accountId') && members.every((name) => sameId(shown[name], key[name] ?? ''));
}

/** The documented members as a string, for comparison. Members that the target adds may change at any time. */
export function documentedMembers({ id, accountId, accountName, experienceId, state, updatedAt }: ShownConnection): string {
  return JSON.stringify({ id, accountId, accountName, experienceId, state, updatedAt });
}

/** The values of a member. A target that never shows it ends the check as not testable, as the specification does not require it. */
export function shownValues(shown: readonly ShownConnection[], member: 'state' | 'updatedAt'): readonly [string, ...string[]] {
  const [first, ...rest] = shown.flatMap((connection) => connection[member] ?? []);
  return first === undefined ? notTestable(`the ${member} of a connection is not shown`) : [first, ...rest];
}
