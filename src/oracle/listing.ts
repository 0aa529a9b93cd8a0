import { toMilliseconds } from '../contract/instants.ts';
import type { Difference } from './difference.ts';
import type { Look } from './looks.ts';
import { type Answer, isSuccess, type Request, type Side } from './side.ts';

export type Members = Readonly<Record<string, unknown>>;

/** A list that was read page by page. */
export interface Listing {
  readonly entities: readonly Members[];
  readonly pages: readonly { readonly size: unknown; readonly length: number; readonly isLast: boolean }[];
  readonly count: unknown;
  readonly answers: readonly Answer[];
  /** Whether the last page was read. */
  readonly isWhole: boolean;
}

const MAX_PAGES = 50;
const MAX_SHORT = 6;
const LARGEST_PAGE = 100;

/** Remembers how long the target's lists are, because a long list has too many pages of one item. */
export class ListLengths {
  private readonly lengths = new Map<string, number>();

  /** @returns the page size to ask for; undefined: none */
  choosePageSize(look: Look, wanted: number | undefined): number | undefined {
    const length = this.lengths.get(toKey(look)) ?? 0;
    return wanted === undefined || length <= MAX_SHORT ? wanted : Math.min(LARGEST_PAGE, wanted + Math.ceil(length / 10));
  }

  isTooLong(look: Look): boolean {
    return this.lengths.get(toKey(look)) === Number.POSITIVE_INFINITY;
  }

  record(look: Look, pageSize: number | undefined, { entities, isWhole }: Listing): void {
    const length = isWhole
      ? entities.length
      : (pageSize ?? LARGEST_PAGE) < LARGEST_PAGE
        ? LARGEST_PAGE * MAX_PAGES
        : Number.POSITIVE_INFINITY;
    this.lengths.set(toKey(look), Math.max(length, this.lengths.get(toKey(look)) ?? 0));
  }
}

/** Lists of one account are about as long with each filter. */
const toKey = ({ operation, request: { query } }: Look): string => `${operation} ${query?.accountId ?? JSON.stringify(query)}`;

/** Reads a list page by page. @returns the first answer that is no page */
export async function traverse(server: Side, operation: Look['operation'], request: Request): Promise<Listing | Answer> {
  const entities: Members[] = [];
  const pages: Listing['pages'][number][] = [];
  const answers: Answer[] = [];
  let cursor: string | undefined;
  let count: unknown;
  do {
    const answer = await server.call(operation, { ...request, query: { ...request.query, ...(cursor !== undefined && { cursor }) } });
    if (!isSuccess(answer)) return answer;
    const page = (answer.json ?? {}) as { entities?: readonly Members[]; cursor?: string | null; pageSize?: unknown; count?: unknown };
    answers.push(answer);
    entities.push(...(Array.isArray(page.entities) ? page.entities : []));
    cursor = page.cursor ?? undefined;
    count = page.count;
    pages.push({ size: page.pageSize, length: page.entities?.length ?? 0, isLast: cursor === undefined });
  } while (cursor !== undefined && pages.length < MAX_PAGES);
  return { entities, pages, count, answers, isWhole: cursor === undefined };
}

/** @param asked the requested page size */
export function comparePages(list: Listing, asked: number): Difference | undefined {
  for (const [index, { size, length }] of list.pages.entries()) {
    if (length > asked)
      return { rule: 'http.pages.at-most-page-size', message: `Expected at most ${asked} items on a page, not ${length}` };
    // On an empty page after the last item, the size may be that of the page before.
    if (size !== asked && size !== length && (index === 0 || length > 0))
      return {
        rule: 'http.pages.page-size-of-page',
        message: `Expected the pageSize ${asked} (requested) or ${length} (items on the page), not ${JSON.stringify(size)}`,
      };
  }
  return undefined;
}

/** @returns a description of the first two users that are not in the requested order */
export function findUnsorted({ request: { query = {} } }: Look, entities: readonly Members[]): string | undefined {
  const [, field = ''] = /«sort by (\w+)»/.exec(String(query.sortBy)) ?? [];
  const sign = query.sortOrder === '«descending»' ? -1 : 1;
  // The specification does not say how names are compared, and where users without a name are listed. Languages differ, but not in these.
  const keys = entities.flatMap(({ [field]: value }): (string | number)[] => {
    if (typeof value !== 'string') return [];
    if (!field.endsWith('Name')) return [toMilliseconds(value)];
    return value === 'Ana' || value === 'Bo' ? [value] : [];
  });
  const index = keys.findIndex((key, at) => at > 0 && (sign > 0 ? keys[at - 1]! > key : keys[at - 1]! < key));
  return index < 0 ? undefined : `${field} in the order ${query.sortOrder}: ${keys[index - 1]} before ${keys[index]}`;
}
