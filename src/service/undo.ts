import type { Ids } from '../clock/ids.ts';
import type { components } from '../contract/generated/control.ts';
import { releaseAllClaims } from '../store/claims.ts';
import { countEntities } from '../store/counts.ts';
import type { Executor } from '../store/engine.ts';
import { CLOCK_OFFSET_KEY, LOAD_KEY, readWorldMeta } from '../store/meta.ts';
import type { Store } from '../store/store.ts';
import { readState, replaceState, STATE_TABLES, type StateRows } from '../store/world-tables.ts';
import { AUTOMATIC_PREFIX } from './snapshots.ts';
import type { WorldState } from './world-state.ts';

const PREFIX = `${AUTOMATIC_PREFIX}undo:`;
const MAX_KEPT = 20;
/** Copying a larger world before each change would take seconds. */
export const MAX_ENTITIES = 20_000;

/** The end of the world's history. Each change to an entity adds an event or a change. */
export interface Position {
  readonly load: string;
  readonly offset: string;
  readonly event: string;
  readonly change: string;
}

type Undoable = components['schemas']['Undoable'];
type Description = Pick<Undoable, 'text' | 'changes'>;
/** Describes what happened after the end `before` of the history. */
type DescribeChange = (tx: Executor, before: Position, isLoad: boolean) => Promise<Description>;

interface Details extends Undoable {
  readonly before: Position;
  readonly after: Position;
}

interface UndoDeps {
  readonly store: Store;
  readonly ids: Ids;
}

/**
 * Copies the world before a change. Call the returned function after the change. It returns the change's id, or undefined if nothing
 * changed.
 * @param describe called in the transaction that stores the copy
 * @returns undefined if the world is too large
 */
export async function prepareUndo(
  { store, ids }: UndoDeps,
  facts: Pick<Undoable, 'at' | 'request'>,
  describe: DescribeChange,
): Promise<(() => Promise<string | undefined>) | undefined> {
  const copy = await store.read(async (db) => {
    const entities = Object.values(await countEntities(db)).reduce((sum, count) => sum + count, 0);
    return entities > MAX_ENTITIES ? undefined : { before: await readPosition(db), rows: await readState(db) };
  });
  if (copy === undefined) return undefined;
  const { before, rows } = copy;
  return () =>
    store.write(async (tx) => {
      const after = await readPosition(tx);
      if (JSON.stringify(after) === JSON.stringify(before)) return undefined;
      const isLoad = after.load !== before.load;
      const details: Details = { id: ids.uuid(), ...facts, ...(await describe(tx, before, isLoad)), isLoad, before, after };
      const row = {
        name: PREFIX + details.id,
        saved_at: facts.at,
        world: '',
        entities: JSON.stringify(details),
        content: JSON.stringify(rows),
      };
      await tx.insertInto('snapshots').values(row).execute();
      const kept = await selectCopies(tx).offset(MAX_KEPT).execute();
      for (const { name } of kept) await tx.deleteFrom('snapshots').where('name', '=', name).execute();
      return details.id;
    });
}

/** Returns the changes that can be undone, newest first. */
export async function listUndoable(db: Executor): Promise<Undoable[]> {
  return (await selectCopies(db).execute()).map(({ entities }) => toUndoable(JSON.parse(entities) as Details));
}

function toUndoable({ before, after, ...facts }: Details): Undoable {
  const toIds = ({ event, change }: Position) => ({ event, change });
  // An earlier kit version stored no description.
  return { ...facts, text: facts.text ?? facts.request, changes: facts.changes ?? [], before: toIds(before), after: toIds(after) };
}

/**
 * Restores the world before the newest change. Keeps faults and logins.
 * @param id the change that must be the newest
 * @returns an obstacle if the world changed since, or undefined if there is no change to undo
 */
export async function undoChange(
  { store, world }: { readonly store: Store; readonly world: WorldState },
  id?: string,
): Promise<Undoable | { readonly obstacle: string } | undefined> {
  const result = await store.writeExclusively(async (tx) => {
    const [newest, next] = await selectCopies(tx).limit(2).execute();
    if (newest === undefined) return undefined;
    const details = JSON.parse(newest.entities) as Details;
    if (id !== undefined && id !== details.id) return findLaterChange(tx, id, details);
    const { before, after } = details;
    const obstacle = (await findObstacle(tx, before, after)) ?? findOverlap(next, before);
    if (obstacle !== undefined) return { obstacle: `${details.request} cannot be undone: ${obstacle}` };
    const { content } = await tx.selectFrom('snapshots').select('content').where('name', '=', newest.name).executeTakeFirstOrThrow();
    const rows: Record<string, StateRows[keyof StateRows]> = { ...(JSON.parse(content) as StateRows) };
    for (const table of STATE_TABLES.filter((name) => name.startsWith('oauth_')))
      rows[table] = await tx.selectFrom(table).selectAll().execute();
    await replaceState(tx, rows);
    await releaseAllClaims(tx, {});
    await world.markLoaded(tx);
    await tx.deleteFrom('snapshots').where('name', '=', newest.name).execute();
    await continueAfterUndo(tx, next, before);
    return toUndoable(details);
  });
  if (result !== undefined && 'id' in result) await world.reload();
  return result;
}

const selectCopies = (db: Executor) =>
  db.selectFrom('snapshots').select(['name', 'entities']).where('name', 'like', `${PREFIX}%`).orderBy('name', 'desc').limit(1000);

/** Only the newest change can be undone. */
async function findLaterChange(tx: Executor, id: string, newest: Details): Promise<{ readonly obstacle: string } | undefined> {
  const change = (await listUndoable(tx)).find((each) => each.id === id);
  return change && { obstacle: `${change.request} cannot be undone before a later change, ${newest.request}. Undo that first.` };
}

/** The undo loaded the world again. So that the next older change can be undone, too, its position gets the new load. */
async function continueAfterUndo(tx: Executor, next: { name: string; entities: string } | undefined, before: Position): Promise<void> {
  if (next === undefined) return;
  const details = JSON.parse(next.entities) as Details;
  if (details.after.load !== before.load) return;
  const after = { ...details.after, load: (await readPosition(tx)).load };
  await tx
    .updateTable('snapshots')
    .set({ entities: JSON.stringify({ ...details, after }) })
    .where('name', '=', next.name)
    .execute();
}

/** The copy before a change does not contain a change that another request made at the same time. */
function findOverlap(next: { entities: string } | undefined, before: Position): string | undefined {
  if (next === undefined) return undefined;
  const { request, after } = JSON.parse(next.entities) as Details;
  const isAfterCopy = after.load === before.load && (after.event > before.event || after.change > before.change);
  return isAfterCopy ? `this would also undo ${request}, which was made at the same time.` : undefined;
}

async function readPosition(db: Executor): Promise<Position> {
  const meta = await readWorldMeta(db);
  const readNewest = async (table: 'events' | 'changes') =>
    (await db.selectFrom(table).select('id').orderBy('id', 'desc').limit(1).executeTakeFirst())?.id ?? '';
  return {
    load: meta.get(LOAD_KEY) ?? '',
    offset: meta.get(CLOCK_OFFSET_KEY) ?? '0',
    event: await readNewest('events'),
    change: await readNewest('changes'),
  };
}

async function findObstacle(tx: Executor, before: Position, after: Position): Promise<string | undefined> {
  const now = await readPosition(tx);
  if (now.load !== after.load) return 'another world was loaded since.';
  if (now.offset !== after.offset) return 'the clock was advanced since.';
  // A provider's event between the two positions is from a request that arrived during the change.
  const event = await tx
    .selectFrom('events')
    .select(['type', 'entity_id', 'timestamp'])
    .where((eb) => eb.or([eb('id', '>', after.event), eb.and([eb('id', '>', before.event), eb('actor', '=', 'provider')])]))
    .orderBy('id')
    .executeTakeFirst();
  if (event) return `this would also undo a later change, ${event.type} of ${event.entity_id} at ${event.timestamp}.`;
  const change = await tx.selectFrom('changes').selectAll().where('id', '>', after.change).orderBy('id').executeTakeFirst();
  return (
    change &&
    `this would also undo a later change: the ${change.actor} ${change.action} ${change.alias} (${change.collection}) at ${change.at}.`
  );
}
