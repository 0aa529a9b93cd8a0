import { because, decided, refuse } from '../contract/failure.ts';
import type { Decisions } from '../contract/generated/decisions.ts';
import type { Json } from '../contract/outcome.ts';
import type { CursorReading, Cursors } from './cursors.ts';

const DEFAULT_PAGE_SIZE = 100;

/** The requested page size, or the default (Limits). Values out of range only arrive here if the decision is to clamp them. */
export function pageSizeOf(text: string | undefined, maximum: number): number {
  return text === undefined ? DEFAULT_PAGE_SIZE : Math.min(Math.max(Number(text), 1), maximum);
}

/** The `pageSize` of a page: the requested one, or the number of its items (decision `lists.page-size`). */
export function reportedPageSize(decisions: Decisions, requested: number, held: number): number {
  return decisions['lists.page-size'] === 'held' ? held : requested;
}

/** Where a page of assignments or connections starts: after an id, at the beginning, or nowhere. @param reading undefined without a cursor */
export function startOf(decisions: Decisions, reading: CursorReading | undefined) {
  if (reading === undefined) return { after: undefined, isEmpty: false };
  if ('position' in reading) return { after: reading.position[0], isEmpty: false };
  const invalid = decisions['lists.cursor.invalid'];
  if (invalid === 'first-page' || invalid === 'empty') return { after: undefined, isEmpty: invalid === 'empty' };
  const isMalformed = reading.problem === 'malformed';
  const detail = isMalformed ? 'This is not a cursor of this service.' : 'The cursor belongs to a list with other filters.';
  const errors = [{ pointer: '?cursor', message: 'must be the cursor of the previous page of the same list' }];
  return because(
    decided('lists.cursor.invalid', detail, errors),
    isMalformed
      ? { cause: 'cursor', problem: 'malformed' }
      : { cause: 'cursor', problem: 'other list', issuedFor: reading.of.split('|').filter(Boolean).join(' ') },
  );
}

/** A cursor of the users list is bound to its account, sort field and sort order (GET /users). */
export interface UsersListKey {
  readonly accountId: string;
  readonly sortBy: string;
  readonly sortOrder: string;
}

export const usersListName = ({ accountId, sortBy, sortOrder }: UsersListKey): string => ['users', accountId, sortBy, sortOrder].join('|');

/** The refusal of a cursor that does not belong to the users list. */
export function refuseUsersCursor(reading: Exclude<CursorReading, { position: unknown }>, key: UsersListKey) {
  const errors = [{ pointer: '?cursor', message: 'must be the cursor of the previous page of the same account, sortBy and sortOrder' }];
  const [name, accountId, sortBy] = reading.problem === 'malformed' ? [] : reading.of.split('|');
  const refusal =
    name !== 'users'
      ? refuse(400, 'users.list.cursor-malformed', 'This is not a cursor of the users list.', errors)
      : accountId !== key.accountId
        ? refuse(400, 'users.list.cursor-other-account', 'The cursor was issued for another account.', errors)
        : sortBy !== key.sortBy
          ? refuse(400, 'users.list.cursor-other-sort-by', 'The cursor was issued for another sort field.', errors)
          : refuse(400, 'users.list.cursor-other-sort-order', 'The cursor was issued for another sort order.', errors);
  return because(
    refusal,
    reading.problem === 'malformed'
      ? { cause: 'cursor', problem: 'malformed' }
      : { cause: 'cursor', problem: 'other list', issuedFor: reading.of.split('|').join(' ') },
  );
}

/** An entity as JSON, and what the cursor after it contains. */
type Row = readonly [json: string, ...position: string[]];

interface PageSource {
  readonly cursors: Cursors;
  readonly decisions: Decisions;
  /** The list that the cursor is bound to. */
  readonly list: string;
  readonly pageSize: number;
  /** The total of all pages, if the list has it. */
  readonly count?: number;
}

/** A page from rows whose entities are JSON already. `rows` has one more than the page if there are more pages. */
export function pageOf<Page>(rows: readonly Row[], { cursors, decisions, list, pageSize, count }: PageSource): Json<Page> {
  const shown = Math.min(rows.length, pageSize);
  let entities = '';
  for (let i = 0; i < shown; i++) entities += i === 0 ? rows[i]![0] : `,${rows[i]![0]}`;
  const cursor = rows.length > pageSize ? `"${cursors.issue(list, rows[shown - 1]!.slice(1))}"` : 'null';
  const end = count === undefined ? '' : `,"count":${count}`;
  return { json: `{"entities":[${entities}],"cursor":${cursor},"pageSize":${reportedPageSize(decisions, pageSize, shown)}${end}}` };
}
