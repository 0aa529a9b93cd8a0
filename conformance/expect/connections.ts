import type { Client } from '../actors/client.ts';
import type { Pair } from '../target/capabilities-of-events.ts';
import { must } from './broken.ts';
import { type Page, page, traverse } from './pages.ts';
import { sameId } from './same-id.ts';

/** A connection as a target shows it: the specification marks no member as required. */
export interface ShownConnection {
  readonly id?: string;
  readonly accountId?: string;
  readonly accountName?: string;
  readonly experienceId?: string;
  readonly state?: string;
  readonly updatedAt?: string;
}

/** What identifies a connection. */
export type ConnectionKey = Pair & { readonly id: string };

const LIST = 'getExperienceConnections';
type Query = Readonly<Record<string, string | number | undefined>>;

/** Whether what is shown is that connection: every member that could tell them apart is the same, and there is one. */
export function shows(shown: ShownConnection, key: Pair & { id?: string }): boolean {
  const members = (['id', 'accountId', 'experienceId'] as const).filter((name) => shown[name] !== undefined && key[name] !== undefined);
  return members.some((name) => name !== 'accountId') && members.every((name) => sameId(shown[name], key[name] ?? ''));
}

/** One page of the list. @throws RuleBroken unless it is answered with 200. */
export function connectionPage(api: Client, token: string, query: Query): Promise<Page> {
  return page(api, LIST, { token, query });
}

/** The pages of the list from first to last. @throws RuleBroken where one is not answered with 200, or the list has no end. */
export function connectionPages(api: Client, token: string, query: Query): Promise<Page[]> {
  return traverse(api, LIST, { token, query });
}

/** @throws RuleBroken unless the list of that query, all its pages together, holds the connection, or does not hold it. */
export async function mustHold(api: Client, token: string, query: Query, key: Pair & { id?: string }, held = true): Promise<void> {
  const pages = await connectionPages(api, token, query);
  const found = pages.some(({ entities }) => entities.some((shown) => shows(shown, key)));
  must(found === held, held ? 'the list holds the connection' : 'the list does not hold the connection', pages.at(-1)?.answer);
}

/** What the specification says of a connection, to compare it with itself later: members of the target's own may change at any time. */
export function documentedMembers({ id, accountId, accountName, experienceId, state, updatedAt }: ShownConnection): string {
  return JSON.stringify({ id, accountId, accountName, experienceId, state, updatedAt });
}
