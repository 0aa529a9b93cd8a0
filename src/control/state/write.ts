import type { Actor } from '../../domain/access.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { WorldState } from '../../service/world-state.ts';
import { type Collection, type EntityOf, SINGULAR } from '../../world/world.ts';
import { accounts, telephoneNumbers } from './accounts.ts';
import { assignments } from './assignments.ts';
import { clients } from './clients.ts';
import { connections } from './connections.ts';
import { experiences } from './experiences.ts';
import { type Members, objectOf } from './form.ts';
import { lockFor } from './lock.ts';
import { type Change, plan } from './plan.ts';
import { principals } from './principals.ts';
import { providers } from './providers.ts';
import { find, hintFor, type Known } from './references.ts';
import { orRefusal, refuse, refuseNotFound, type StateRefusal } from './refusal.ts';
import type { Compiled, RowWrites } from './row-writes.ts';
import { subscriptions } from './subscriptions.ts';
import type { UseCases } from './use-cases.ts';
import { users } from './users.ts';

export interface StateDeps {
  readonly context: ServiceContext;
  readonly world: WorldState;
}

/** An entity in the form of a world, with the name it is kept under. */
export type NamedEntity<C extends Collection = Collection> = { alias: string } & EntityOf<C>;

export interface Written<C extends Collection = Collection> {
  readonly created: boolean;
  readonly entity: NamedEntity<C>;
}

const USE_CASES = { assignments, connections } satisfies { [C in Collection]?: UseCases<C> };
type Api = keyof typeof USE_CASES;
const ROW_WRITES = { providers, experiences, accounts, telephoneNumbers, users, principals, clients, subscriptions } satisfies {
  [C in Exclude<Collection, Api>]: RowWrites<C>;
};

/** Changes after which a token may stand for somebody else, or for nobody. The grants of an account go with it. */
const KNOWN_TO_CALLERS: ReadonlySet<Collection> = new Set(['providers', 'experiences', 'principals', 'clients', 'accounts'] as const);

/** Who acts where nobody says: the portal on assignments and connections, the platform on the rest. */
export function actorOn(collection: Collection, as: 'portal' | 'platform' | undefined): Actor {
  return { kind: as ?? (collection in USE_CASES ? 'portal' : 'platform') };
}

/** Creates, replaces or changes an entity, as `actor` would, in one transaction with its events. */
export function writeEntity<C extends Collection>(
  deps: StateDeps,
  actor: Actor,
  collection: C,
  change: Change,
): Promise<Written<C> | StateRefusal> {
  const write =
    collection in USE_CASES ? throughUseCases(deps, actor, collection as never, change) : toRows(deps, collection as never, change);
  return orRefusal(collection, write as Promise<Written<C>>);
}

/** Deletes an entity with all that goes with it, as `actor` would. */
export function deleteEntity(
  deps: StateDeps,
  actor: Actor,
  collection: Collection,
  name: string,
): Promise<{ deleted: true } | StateRefusal> {
  return orRefusal(
    collection,
    collection in USE_CASES ? removeThroughUseCases(deps, actor, collection as Api, name) : removeRows(deps, collection as never, name),
  );
}

async function toRows<C extends Exclude<Collection, Api>>(
  { context, world }: StateDeps,
  collection: C,
  change: Change,
): Promise<Written<C>> {
  const writes = ROW_WRITES[collection] as unknown as RowWrites<C>;
  const written = await context.store.write(async (tx) => {
    await lockFor(tx, collection, change.kind === 'create' ? undefined : change.name, objectOf(change.body));
    const { next, current } = await plan(tx, context, collection, change);
    const compiled = next as Compiled<C>;
    if (current) await writes.update({ tx, context }, compiled, current);
    else await writes.create({ tx, context }, compiled);
    if (KNOWN_TO_CALLERS.has(collection)) await world.changed(tx);
    return { created: !current, entity: named((await find(tx, collection, next.id))!) };
  });
  if (KNOWN_TO_CALLERS.has(collection)) await world.reload();
  return written;
}

async function removeRows<C extends Exclude<Collection, Api>>({ context, world }: StateDeps, collection: C, name: string) {
  const writes = ROW_WRITES[collection] as unknown as RowWrites<C>;
  await context.store.write(async (tx) => {
    await lockFor(tx, collection, name, {});
    const current = await find(tx, collection, name);
    if (!current) return refuseNotFound(collection, name, await hintFor(tx, collection, name));
    await writes.remove({ tx, context }, current);
    if (KNOWN_TO_CALLERS.has(collection)) await world.changed(tx);
  });
  if (KNOWN_TO_CALLERS.has(collection)) await world.reload();
  return { deleted: true as const };
}

async function throughUseCases<C extends Api>({ context }: StateDeps, actor: Actor, collection: C, change: Change): Promise<Written<C>> {
  const { store } = context;
  const useCases = USE_CASES[collection] as unknown as UseCases<C>;
  const { next, current } = await store.read((db) => plan(db, context, collection, change));
  if (current) await useCases.update(context, actor, next);
  const id = current ? current.id : await useCases.create(context, actor, next);
  const entity = await store.read((db) => find(db, collection, id));
  if (!entity) return refuse('not-found', `The ${SINGULAR[collection]} was written, and deleted by another request at once.`);
  return { created: !current, entity: named(entity) };
}

async function removeThroughUseCases<C extends Api>({ context }: StateDeps, actor: Actor, collection: C, name: string) {
  const useCases = USE_CASES[collection] as unknown as UseCases<C>;
  const current = await context.store.read(async (db) => {
    const found = await find(db, collection, name);
    return found ?? refuseNotFound(collection, name, await hintFor(db, collection, name));
  });
  await useCases.remove(context, actor, current);
  return { deleted: true as const };
}

function named<C extends Collection>({ alias, entity }: Known<C>): NamedEntity<C> {
  return { alias, ...(entity as Members) } as NamedEntity<C>;
}
