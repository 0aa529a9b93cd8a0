import type { Call, Client } from '../actors/client.ts';
import type { Answer } from '../target/exchange.ts';
import { must } from './broken.ts';
import { sameId } from './same-id.ts';
import { success } from './verify.ts';

export type ListOperation = 'getExperienceAssignments' | 'getExperienceConnections' | 'getUsers';
export type Entity = Readonly<Record<string, unknown>> & { readonly id: string };

export interface Page {
  readonly answer: Answer;
  readonly entities: readonly Entity[];
  /** Absent: this is the last page. */
  readonly cursor: string | undefined;
}

/** Far more than any list of the suite's own has. */
const MOST_PAGES = 500;

/** One page of a list. @throws RuleBroken where it is no page. */
export async function page(api: Client, operation: ListOperation, call: Call): Promise<Page> {
  const answer = await api.call(operation, call);
  const { entities, cursor } = success<{ entities: readonly Entity[]; cursor?: string | null }>(operation, answer, 200);
  return { answer, entities, cursor: cursor ?? undefined };
}

/** All pages of a list, following the cursor until there is none. @throws RuleBroken where it does not come to an end. */
export async function traverse(api: Client, operation: ListOperation, call: Call): Promise<Page[]> {
  const pages = [await page(api, operation, call)];
  for (let last = pages[0]; last?.cursor !== undefined; last = pages.at(-1)) {
    must(pages.length < MOST_PAGES && !isSameAgain(pages), 'a list comes to an end', last.answer);
    pages.push(await page(api, operation, { ...call, query: { ...call.query, cursor: last.cursor } }));
  }
  return pages;
}

/** The last page was there before, with the same cursor: the list goes in circles. */
function isSameAgain(pages: readonly Page[]): boolean {
  const last = pages.at(-1);
  return pages.slice(0, -1).some((page) => page.cursor === last?.cursor && page.entities[0]?.id === last?.entities[0]?.id);
}

/** Everything in a list. */
export async function listed(api: Client, operation: ListOperation, call: Call): Promise<Entity[]> {
  return (await traverse(api, operation, call)).flatMap(({ entities }) => entities);
}

/** Which of these are in the list. */
export function among<E extends { readonly id: string }>(list: readonly Entity[], own: readonly E[]): E[] {
  return own.filter(({ id }) => list.some((entity) => sameId(entity.id, id)));
}
