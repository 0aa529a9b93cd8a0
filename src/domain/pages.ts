import type { Evidence } from '../contract/evidence.ts';
import { addEvidence, refuse, refuseByDecision } from '../contract/failure.ts';
import type { Decisions } from '../contract/generated/decisions.ts';
import type { Json } from '../contract/outcome.ts';
import type { Cursors, DecodedCursor } from './cursors.ts';

const DEFAULT_PAGE_SIZE = 100;

/** Returns the page size, limited to the allowed range (Limits). */
export function parsePageSize(text: string | undefined, maximum: number): number {
  return text === undefined ? DEFAULT_PAGE_SIZE : Math.min(Math.max(Number(text), 1), maximum);
}

/** Returns how many items a page contains while more items follow. */
export function getPageFill(
  decisions: Decisions,
  { pageSize, cursor }: { readonly pageSize: number; readonly cursor?: string | undefined },
): number {
  const fill = decisions['lists.page-fill'];
  if (fill === 'full') return pageSize;
  return fill === 'empty' && cursor === undefined ? 0 : Math.ceil(pageSize / 2);
}

export function getReportedPageSize(decisions: Decisions, requested: number, entityCount: number): number {
  return decisions['lists.page-size'] === 'held' ? entityCount : requested;
}

export function findPageStart(decisions: Decisions, decodedCursor: DecodedCursor | undefined) {
  if (decodedCursor === undefined) return { after: undefined, isEmpty: false };
  if ('position' in decodedCursor) return { after: decodedCursor.position[0], isEmpty: false };
  const invalid = decisions['lists.cursor.invalid'];
  if (invalid === 'first-page' || invalid === 'empty') return { after: undefined, isEmpty: invalid === 'empty' };
  const detail =
    decodedCursor.problem === 'malformed'
      ? 'The cursor was not issued by this service since the world was last loaded or reset.'
      : 'The cursor belongs to a list with other filters.';
  const errors = [{ pointer: '?cursor', message: 'must be the cursor of the previous page of the same list' }];
  return addEvidence(refuseByDecision('lists.cursor.invalid', detail, errors), describeCursorProblem(decodedCursor));
}

type InvalidCursor = Exclude<DecodedCursor, { position: unknown }>;

function describeCursorProblem(cursor: InvalidCursor): Evidence {
  if (cursor.problem === 'malformed') return { cause: 'cursor', problem: 'malformed' };
  return { cause: 'cursor', problem: 'other list', issuedFor: cursor.issuedFor.split('|').filter(Boolean).join(' ') };
}

/** A cursor is valid only for a users list with the same account, `sortBy` and `sortOrder` (GET /users). */
interface UsersListKey {
  readonly accountId: string;
  readonly sortBy: string;
  readonly sortOrder: string;
}

export const createUsersListName = ({ accountId, sortBy, sortOrder }: UsersListKey): string =>
  ['users', accountId, sortBy, sortOrder].join('|');

const USERS_CURSOR_TEXTS = {
  malformed: 'The cursor was not issued for the users list since the world was last loaded or reset.',
  'other-account': 'The cursor was issued for another account.',
  'other-sort-by': 'The cursor was issued for another sort field.',
  'other-sort-order': 'The cursor was issued for another sort order.',
} as const;

export function refuseUsersCursor(cursor: InvalidCursor, key: UsersListKey) {
  const errors = [{ pointer: '?cursor', message: 'must be the cursor of the previous page, for the same accountId, sortBy and sortOrder' }];
  const problem = findUsersCursorProblem(cursor, key);
  return addEvidence(refuse(400, `users.list.cursor-${problem}`, USERS_CURSOR_TEXTS[problem], errors), describeCursorProblem(cursor));
}

function findUsersCursorProblem(cursor: InvalidCursor, key: UsersListKey): keyof typeof USERS_CURSOR_TEXTS {
  if (cursor.problem === 'malformed') return 'malformed';
  const [name, accountId, sortBy] = cursor.issuedFor.split('|');
  if (name !== 'users') return 'malformed';
  if (accountId !== key.accountId) return 'other-account';
  return sortBy === key.sortBy ? 'other-sort-order' : 'other-sort-by';
}

/** An entity as JSON, and its position for a cursor. The default position is the id. */
type PageEntry = readonly [json: string, ...position: string[]];

interface PageSource {
  readonly cursors: Cursors;
  readonly decisions: Decisions;
  readonly list: string;
  readonly pageSize: number;
  /** How many items the page contains if more follow. */
  readonly fill: number;
  /** The number of entities on all pages, if the list reports it. */
  readonly count?: number;
}

/** One extra row means that another page follows. @param found the number of found rows */
export function hasNextPage(decisions: Decisions, fill: number, found: number): boolean {
  return found > fill || (found === fill && fill > 0 && decisions['lists.last-page'] === 'empty-page');
}

export function buildPage<Page>(rows: readonly PageEntry[], { cursors, decisions, list, pageSize, fill, count }: PageSource): Json<Page> {
  const texts = rows.slice(0, fill).map(([json]) => json);
  const cursor = hasNextPage(decisions, fill, rows.length) ? `"${cursors.issue(list, getCursorPosition(rows[fill - 1]))}"` : 'null';
  const end = count === undefined ? '' : `,"count":${count}`;
  const reported = getReportedPageSize(decisions, pageSize, texts.length);
  // Use `join`, which creates a flat string, because sending a page takes twice as long with `+`.
  texts[0] = `{"entities":[${texts[0] ?? ''}`;
  texts.push(`${texts.pop()!}],"cursor":${cursor},"pageSize":${reported}${end}}`);
  return { json: texts.join() };
}

/** @param last the page's last entry. Undefined if the page is empty, but more entries follow. */
function getCursorPosition(last: PageEntry | undefined): readonly string[] {
  if (last === undefined) return [];
  const [json, ...position] = last;
  return position.length > 0 ? position : [(JSON.parse(json) as { id: string }).id];
}
