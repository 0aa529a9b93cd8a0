import { sameId } from '../expect/compare.ts';
import { expectSuccess } from '../expect/response.ts';
import { RuleBroken } from '../expect/rule-broken.ts';
import type { Answer } from '../target/exchange.ts';
import { notTestable } from '../target/not-testable.ts';
import type { Call, Client } from './api-client.ts';

export type ListOperation = 'getExperienceAssignments' | 'getExperienceConnections' | 'getUsers';
export type Entity = Readonly<Record<string, unknown>> & { readonly id: string };

export interface Page<Item = Entity> {
  readonly answer: Answer;
  readonly entities: readonly Item[];
  /** The cursor of the next page; undefined on the last page. */
  readonly cursor: string | undefined;
  /** The count of all users, which only the users list may contain. */
  readonly count: number | undefined;
}

/** A list with more pages has no end, because this is far more than any list has. */
const MOST_PAGES = 1000;

/** What a check does if a list has no end. */
type Endless = (answer: Answer) => never;

/** For rules about the end of a list. @throws RuleBroken */
export const mustEnd: Endless = (answer) => {
  throw new RuleBroken('Expected that the pages of a list come to an end.', answer);
};
const isNotTestable: Endless = () => notTestable('the list has no end, which breaks another rule');

/** Requests one page of a list. @throws RuleBroken unless the response is 200 with a valid page */
export async function listPage<Item = Entity>(api: Client, operation: ListOperation, call: Call): Promise<Page<Item>> {
  const answer = await api.call(operation, call);
  const body = expectSuccess<{ entities: readonly Item[]; cursor?: string | null; count?: number }>(operation, answer, 200);
  return { answer, entities: body.entities, cursor: body.cursor ?? undefined, count: body.count };
}

/**
 * Requests all pages of a list. If the list has no end, the check ends as not testable, unless its rule is about the end.
 * @throws RuleBroken if a page is not valid
 */
export async function listPages<Item extends { readonly id: string } = Entity>(
  api: Client,
  operation: ListOperation,
  call: Call,
  endless: Endless = isNotTestable,
): Promise<Page<Item>[]> {
  const pages = [await listPage<Item>(api, operation, call)];
  for (let last = pages[0]; last?.cursor !== undefined; last = pages.at(-1)) {
    const { cursor, entities, answer } = last;
    // If an earlier page had the same cursor and content, the list never ends.
    const isRepeated = pages.slice(0, -1).some((page) => page.cursor === cursor && page.entities[0]?.id === entities[0]?.id);
    if (pages.length >= MOST_PAGES || isRepeated) endless(answer);
    pages.push(await listPage<Item>(api, operation, { ...call, query: { ...call.query, cursor } }));
  }
  return pages;
}

/** Requests all entities of a list, as listPages does. @throws RuleBroken if a page is not valid */
export async function listAll(api: Client, operation: ListOperation, call: Call): Promise<Entity[]> {
  return (await listPages(api, operation, call)).flatMap(({ entities }) => entities);
}

/** The entities of `own` that are in the list. */
export function foundIn<E extends { readonly id: string }>(list: readonly Entity[], own: readonly E[]): E[] {
  return own.filter(({ id }) => list.some((entity) => sameId(entity.id, id)));
}

/** The entities of a response, valid or not; undefined if the response is not a page. */
export function entitiesOf({ status, json }: Answer): readonly Entity[] | undefined {
  const { entities } = (json ?? {}) as { entities?: unknown };
  return status === 200 && Array.isArray(entities) ? entities : undefined;
}

/** The cursor of the next page; undefined if the response has none. */
export function cursorOf({ json }: Answer): string | undefined {
  const { cursor } = (json ?? {}) as { cursor?: unknown };
  return typeof cursor === 'string' ? cursor : undefined;
}

/** A user in a response (Resources › UnifiedUser). */
export interface ShownUser {
  readonly id: string;
  readonly accountId: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly createdAt: string;
  readonly updatedAt?: string | null;
}

export type UsersQuery = Readonly<Record<string, string | number | undefined>>;
export type UserPage = Page<ShownUser>;

/** Requests one page of the users list. @throws RuleBroken unless the response is 200 with a valid page */
export function userPage(api: Client, token: string, query: UsersQuery): Promise<UserPage> {
  return listPage<ShownUser>(api, 'getUsers', { token, query });
}

/** Requests all pages of the users list, as listPages does. @throws RuleBroken if a page is not valid */
export function userPages(api: Client, token: string, query: UsersQuery, endless?: Endless): Promise<UserPage[]> {
  return listPages<ShownUser>(api, 'getUsers', { token, query }, endless);
}

/** Reads a user. @throws RuleBroken unless the response is 200 with a valid user */
export async function readUser(api: Client, token: string, userId: string): Promise<ShownUser> {
  return expectSuccess<ShownUser>('getUser', await api.call('getUser', { token, path: { userId } }), 200);
}

/** The ids of the users, in lower case. */
export function userIds(pages: readonly UserPage[]): string[] {
  return pages.flatMap(({ entities }) => entities.map(({ id }) => id.toLowerCase()));
}
