import type { Client } from '../actors/client.ts';
import type { Connections } from '../actors/make-connection.ts';
import type { Need } from '../target/need.ts';
import { notTestable } from '../target/not-testable.ts';
import { must } from './broken.ts';
import { type ConnectionKey, connectionPages, documentedMembers, type ShownConnection, shows } from './connections.ts';
import { success } from './verify.ts';

interface Parts {
  readonly api: Client;
  readonly need: Need;
  readonly connections: Connections;
}

/** A connection as it is read, and as it is listed. @throws RuleBroken unless it is both. */
export async function readAndListed({ api, need, connections }: Parts, key: ConnectionKey): Promise<readonly ShownConnection[]> {
  const read = success<ShownConnection>('getExperienceConnection', await connections.read(key), 200);
  const pages = await connectionPages(api, await need('token'), { accountId: key.accountId });
  const listed = pages.flatMap(({ entities }) => entities).find((shown) => shows(shown, key));
  must(listed, 'the list holds the connection', pages.at(-1)?.answer);
  return [read, listed];
}

/** What is shown of a member, at least once: the specification requires none, so a target that shows it nowhere ends the check as not testable. */
export function shownOf(shown: readonly ShownConnection[], member: 'state' | 'updatedAt'): readonly [string, ...string[]] {
  const [first, ...rest] = shown.flatMap((connection) => connection[member] ?? []);
  return first === undefined ? notTestable(`the ${member} of a connection is not shown`) : [first, ...rest];
}

/** @param before the snapshot that was taken. @throws RuleBroken unless the connection is there as it was. */
export async function mustBeUnchanged(connections: Connections, key: ConnectionKey, before: string): Promise<void> {
  const answer = await connections.read(key);
  const after = documentedMembers(success<ShownConnection>('getExperienceConnection', answer, 200));
  must(after === before, `the connection stays ${before} and does not become ${after}`, answer);
}
