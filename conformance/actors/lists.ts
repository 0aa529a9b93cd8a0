import type { UnifiedUser } from '../../src/contract/generated/service.ts';
import type { Answer } from '../../src/expect/answer.ts';
import { RuleBroken } from '../../src/expect/rule-broken.ts';
import { isSameId } from '../../src/expect/same-id.ts';
import { expectSuccess } from '../expect/response.ts';
import { onRuleBroken } from '../expect/rule-broken.ts';
import { endAsNotTestable, extendTimeout, withdraw } from '../target/check-report.ts';
import type { CallOptions, Client, Query } from './api-client.ts';

export type ListOperation = 'getExperienceAssignments' | 'getExperienceConnections' | 'getUsers';
export type Entity = Readonly<Record<string, unknown>> & { readonly id: string };

export interface Page<Item = Entity> {
  readonly answer: Answer;
  readonly entities: readonly Item[];
  /** The next page's cursor; undefined on the last page. */
  readonly cursor: string | undefined;
  /** The total number of users. Only the users list may contain it. */
  readonly count: number | undefined;
}

const MAX_PAGES = 1000;

type EndlessListHandler = (answer: Answer) => never;

/** @throws RuleBroken */
export const failEndlessList: EndlessListHandler = (answer) => {
  throw new RuleBroken('Expected that the pages of a list come to an end.', answer);
};
const rejectEndlessList: EndlessListHandler = () => endAsNotTestable('the list has no end, which breaks a rule other than the tested rule');

/** @throws RuleBroken unless the response is a 200 with a valid page */
export async function requestPage<Item = Entity>(api: Client, operation: ListOperation, call: CallOptions): Promise<Page<Item>> {
  const answer = await api.call(operation, call);
  const body = expectSuccess<{ entities: readonly Item[]; cursor?: string | null; count?: number }>(answer, 200);
  return { answer, entities: body.entities, cursor: body.cursor ?? undefined, count: body.count };
}

/**
 * Ends the check as not testable if the list has more pages than the suite can visit.
 * @param endless handles an endless list; default: ends the check as not testable
 * @throws RuleBroken if a page is not valid
 */
export async function requestAllPages<Item extends { readonly id: string } = Entity>(
  api: Client,
  operation: ListOperation,
  call: CallOptions,
  endless: EndlessListHandler = rejectEndlessList,
): Promise<Page<Item>[]> {
  const pages = [await requestPage<Item>(api, operation, call)];
  for (let last = pages[0]; last?.cursor !== undefined; last = pages.at(-1)) {
    const { cursor, entities, answer } = last;
    // If an earlier page had the same cursor and the same first entity, the list never ends.
    const isRepeated = pages.slice(0, -1).some((page) => page.cursor === cursor && page.entities[0]?.id === entities[0]?.id);
    if (isRepeated) endless(answer);
    if (pages.length >= MAX_PAGES) {
      // An account may contain more entities than the suite can visit.
      if (countDifferentEntities(pages) >= pages.length) endAsNotTestable(`the list has more than ${MAX_PAGES} pages`);
      endless(answer);
    }
    const requestedAt = performance.now();
    pages.push(await requestPage<Item>(api, operation, { ...call, query: { ...call.query, cursor } }));
    // The number of pages depends on the account, so the check's time limit does not include them.
    extendTimeout(performance.now() - requestedAt);
  }
  return pages;
}

function countDifferentEntities(pages: readonly Page<unknown>[]): number {
  return new Set(pages.flatMap(({ entities }) => entities.map((entity) => JSON.stringify(entity)))).size;
}

/** @throws RuleBroken if a page is not valid */
export async function requestAllEntities(api: Client, operation: ListOperation, call: CallOptions): Promise<Entity[]> {
  return (await requestAllPages(api, operation, call)).flatMap(({ entities }) => entities);
}

const REPETITIONS = 3;

/**
 * Repeats a check of several pages that fails, because other clients may have changed the list between two pages, and ends it as not
 * testable if they do. A server that breaks the rule fails all repetitions although the list does not change.
 * @param first the first run, if it differs from the repetitions
 * @throws RuleBroken
 */
export async function repeatIfBroken(
  [api, operation, call]: readonly [api: Client, operation: ListOperation, call: CallOptions],
  check: () => Promise<void>,
  first = check,
): Promise<void> {
  const listIds = async () => {
    const pages = await requestAllPages(api, operation, call, failEndlessList);
    const ids = pages.flatMap(({ entities }) => entities.map(({ id }) => id));
    return ids.toSorted().join();
  };
  const run = (each: typeof check) =>
    each().then(
      () => undefined,
      onRuleBroken((broken) => broken),
    );
  let broken = await run(first);
  for (let count = 0; broken !== undefined && count < REPETITIONS; count += 1) {
    const before = await listIds();
    const again = await run(check);
    if (again === undefined) withdraw(broken);
    if (again === undefined || (await listIds()) !== before) endAsNotTestable('other clients change the list during the check');
    broken = again;
  }
  if (broken !== undefined) throw broken;
}

export function filterListed<E extends { readonly id: string }>(list: readonly Entity[], own: readonly E[]): E[] {
  return own.filter(({ id }) => list.some((entity) => isSameId(entity.id, id)));
}

/** Returns a page's entities without validating them; undefined if the response is not a page. */
export function readEntities({ status, json }: Answer): readonly Entity[] | undefined {
  const { entities } = (json ?? {}) as { entities?: unknown };
  return status === 200 && Array.isArray(entities) ? entities : undefined;
}

export function readCursor({ json }: Answer): string | undefined {
  const { cursor } = (json ?? {}) as { cursor?: unknown };
  return typeof cursor === 'string' ? cursor : undefined;
}

/** A user in a response (specification, Resources › UnifiedUser). */
export type UserInResponse = UnifiedUser;

export type UserPage = Page<UserInResponse>;

/** @throws RuleBroken unless the response is a 200 with a valid page */
export function requestUserPage(api: Client, token: string, query: Query): Promise<UserPage> {
  return requestPage<UserInResponse>(api, 'getUsers', { token, query });
}

/** @throws RuleBroken if a page is not valid */
export function requestUserPages(api: Client, token: string, query: Query, endless?: EndlessListHandler): Promise<UserPage[]> {
  return requestAllPages<UserInResponse>(api, 'getUsers', { token, query }, endless);
}

/** @throws RuleBroken unless the response is a 200 with a valid user */
export async function readUser(api: Client, token: string, userId: string): Promise<UserInResponse> {
  return expectSuccess<UserInResponse>(await api.call('getUser', { token, path: { userId } }), 200);
}

export function listUserIds(pages: readonly UserPage[]): string[] {
  return pages.flatMap(({ entities }) => entities.map(({ id }) => id.toLowerCase()));
}
