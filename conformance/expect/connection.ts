import type { ExperienceConnection } from '../../src/contract/generated/service.ts';
import { isSameId } from '../../src/expect/same-id.ts';
import type { Pair } from '../target/capabilities.ts';
import { endAsNotTestable } from '../target/check-report.ts';

/** Every member is optional, because the specification requires none. */
export type ConnectionInResponse = ExperienceConnection;

export type ConnectionKey = Pair & { readonly id: string };

/**
 * Whether `shown` is the connection that `key` identifies. Equal account ids alone do not suffice, because an account can have several
 * connections.
 */
export function isConnection(shown: ConnectionInResponse, key: Pair & { id?: string }): boolean {
  const members = (['id', 'accountId', 'experienceId'] as const).filter((name) => shown[name] !== undefined && key[name] !== undefined);
  return members.some((name) => name !== 'accountId') && members.every((name) => isSameId(shown[name], key[name] ?? ''));
}

/** Serializes only the documented members, because other members may change at any time. */
export function serializeDocumentedMembers({ id, accountId, accountName, experienceId, state, updatedAt }: ConnectionInResponse): string {
  return JSON.stringify({ id, accountId, accountName, experienceId, state, updatedAt });
}

export function collectValues(
  shown: readonly ConnectionInResponse[],
  member: 'accountName' | 'state' | 'updatedAt',
): readonly [string, ...string[]] {
  const [first, ...rest] = shown.flatMap((connection) => connection[member] ?? []);
  return first === undefined ? endAsNotTestable(`the target does not show the ${member} of a connection`) : [first, ...rest];
}
