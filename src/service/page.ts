import { because } from '../contract/evidence.ts';
import { decided, type Json } from '../contract/outcome.ts';
import type { PageRow } from '../store/prepared.ts';
import type { ServiceContext } from './context.ts';

/** Where a page of the assignments or connections list starts: after a position, at the start, or nowhere. */
export function startOf(context: ServiceContext, list: string, cursor: string | undefined) {
  if (cursor === undefined) return { position: undefined, empty: false };
  const reading = context.cursors.read(cursor, list);
  if ('position' in reading) return { position: reading.position, empty: false };
  switch (context.decisions['lists.cursor.invalid']) {
    case 'first-page':
      return { position: undefined, empty: false };
    case 'empty':
      return { position: undefined, empty: true };
    default:
      return because(
        decided(
          'lists.cursor.invalid',
          reading.problem === 'malformed' ? 'This is not a cursor of this service.' : 'The cursor belongs to a list with other filters.',
          [{ pointer: '?cursor', message: 'must be the cursor of the previous page of the same list' }],
        ),
        reading.problem === 'malformed'
          ? { cause: 'cursor', problem: 'malformed' }
          : { cause: 'cursor', problem: 'other list', issuedFor: reading.of.split('|').filter(Boolean).join(' ') },
      );
  }
}

/** The pageSize that a page says: what was asked for, or how many items it holds (decision `lists.page-size`). */
export function saidPageSize(context: ServiceContext, askedFor: number, held: number): number {
  return context.decisions['lists.page-size'] === 'held' ? held : askedFor;
}

/**
 * A page from rows that carry their entity as text. `rows` holds one more than the page where there is more to come.
 *
 * @param rows the entity, then what the cursor after a row has to remember.
 */
export function pageOf<Page>(
  context: ServiceContext,
  list: string,
  rows: readonly PageRow[],
  pageSize: number,
  count?: number,
): Json<Page> {
  const more = rows.length > pageSize;
  const shown = more ? pageSize : rows.length;
  let entities = '';
  for (let i = 0; i < shown; i++) entities += i === 0 ? rows[i]![0] : `,${rows[i]![0]}`;
  const cursor = more ? `"${context.cursors.issue(list, rows[shown - 1]!.slice(1))}"` : 'null';
  const tail = count === undefined ? '' : `,"count":${count}`;
  return { json: `{"entities":[${entities}],"cursor":${cursor},"pageSize":${saidPageSize(context, pageSize, shown)}${tail}}` };
}
