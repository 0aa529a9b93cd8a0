import type { Client } from '../actors/client.ts';
import type { Answer } from '../target/exchange.ts';
import { success } from './verify.ts';

/** A user as a target shows it (Resources › UnifiedUser). */
export interface ShownUser {
  readonly id: string;
  readonly accountId: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly createdAt: string;
  readonly updatedAt?: string | null;
}

export interface UserPage {
  readonly answer: Answer;
  readonly entities: readonly ShownUser[];
  /** Absent: this is the last page. */
  readonly cursor: string | undefined;
  readonly count: number | undefined;
}

export type UsersQuery = Readonly<Record<string, string | number | undefined>>;

/** One page of the list. @throws RuleBroken unless it is answered with 200. */
export async function userPage(api: Client, token: string, query: UsersQuery): Promise<UserPage> {
  const answer = await api.call('getUsers', { token, query });
  const body = success<{ entities: ShownUser[]; cursor?: string | null; count?: number }>('getUsers', answer, 200);
  return { answer, entities: body.entities, cursor: body.cursor ?? undefined, count: body.count };
}

/** Reads one user. @throws RuleBroken unless it is answered with 200. */
export async function readUser(api: Client, token: string, userId: string): Promise<ShownUser> {
  return success<ShownUser>('getUser', await api.call('getUser', { token, path: { userId } }), 200);
}

/** The ids of the pages' users, in lower case, in order. */
export function idsOf(pages: readonly Pick<UserPage, 'entities'>[]): string[] {
  return pages.flatMap(({ entities }) => entities.map(({ id }) => id.toLowerCase()));
}

/** Far more than the list of an account that is given to the suite has. */
const MOST_PAGES = 1000;

/** The pages of the list from first to last, as far as they go: a list without an end is cut off. */
export async function userPages(api: Client, token: string, query: UsersQuery): Promise<UserPage[]> {
  const pages = [await userPage(api, token, query)];
  for (let last = pages[0]; last?.cursor !== undefined && pages.length < MOST_PAGES; last = pages.at(-1)) {
    const next = await userPage(api, token, { ...query, cursor: last.cursor });
    pages.push(next);
    // A page that was there before: a server that goes in circles would be asked forever.
    const [first] = next.entities;
    if (first !== undefined && pages.some((page) => page !== next && page.entities[0]?.id === first.id)) return pages;
  }
  return pages;
}
