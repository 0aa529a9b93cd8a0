import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createClock } from '../../../clock/clock.ts';
import { createIds } from '../../../clock/ids.ts';
import { type Decisions, defaultDecisions } from '../../../contract/generated/decisions.ts';
import { schemaReferences } from '../../../contract/generated/schema-references.ts';
import { validator } from '../../../contract/validators.ts';
import { createCursors } from '../../../domain/cursors.ts';
import type { ProviderEvent } from '../../../domain/events.ts';
import type { ServiceContext } from '../../../service/context.ts';
import { createWorldState } from '../../../service/world-state.ts';
import { openStore, type StoreOptions } from '../../../store/store.ts';
import type { Change } from '../../../world/change.ts';
import { compileWorld } from '../../../world/compile.ts';
import { dumpWorld } from '../../../world/dump.ts';
import { loadWorld } from '../../../world/load.ts';
import type { StateRefusal } from '../../../world/refusal.ts';
import type { Collection, EntityOf, World } from '../../../world/world.ts';
import { actorOn, deleteEntity, type StateDeps, writeEntity } from '../../../world/write.ts';

type NamedEntity<C extends Collection> = { alias: string } & EntityOf<C>;

import { labWorld } from './lab-world.ts';

export type As = 'portal' | 'platform';
export interface StoredEvent {
  readonly type: ProviderEvent['type'];
  readonly timestamp: string;
  readonly experienceId: string;
  readonly entityId: string;
  readonly data: ProviderEvent['data'] & { readonly updatedAt: string };
}

/** A store with the world of the tests in it, and the operator's hands. Kit time stands still, so that every change is in the same millisecond. */
export interface Lab extends StateDeps {
  readonly decide: (decisions: Partial<Decisions>) => void;
  create<C extends Collection>(collection: C, body: object, as?: As): Promise<NamedEntity<C>>;
  put<C extends Collection>(collection: C, name: string, body: object, as?: As): Promise<NamedEntity<C>>;
  patch<C extends Collection>(collection: C, name: string, body: object, as?: As): Promise<NamedEntity<C>>;
  remove(collection: Collection, name: string, as?: As): Promise<void>;
  /** Expects a refusal that leaves everything as it was. */
  refuses(work: () => Promise<unknown>, refused: StateRefusal['refused'], detail: RegExp, pointer?: string): Promise<void>;
  dump(): Promise<World>;
  load(world: World): Promise<void>;
  events(): Promise<StoredEvent[]>;
  /** The bodies of all deliveries, in the order in which they were made. */
  deliveries(): Promise<ProviderEvent[]>;
}

class Refused extends Error {
  readonly refusal: StateRefusal;

  constructor(refusal: StateRefusal) {
    super(`${refusal.refused}: ${refusal.detail}`);
    this.refusal = refusal;
  }
}

function expectGood<T extends object>(result: T | StateRefusal): T {
  if ('refused' in result) throw new Refused(result);
  return result as T;
}

const NOON = Date.parse('2026-03-01T12:00:00.000Z');

/** The id of an entity. */
export async function idOf(lab: Lab, collection: Exclude<Collection, 'telephoneNumbers'>, alias: string): Promise<string> {
  const world = await lab.dump();
  return world[collection]![alias]!.id!;
}

/** Declares a test. */
export type Check = (title: string, body: (lab: Lab) => Promise<void>) => void;

/** Declares tests of one engine, each with the world as new. */
export function labTests(engine: string, place: () => Promise<StoreOptions>): Check {
  let opened: Promise<{ lab: Lab; restore: () => Promise<void> }> | undefined;
  after(async () => (await opened)?.lab.context.store.close());
  return (title, body) =>
    test(`${engine}: ${title}`, async () => {
      opened ??= openLab(await place());
      const { lab, restore } = await opened;
      await restore();
      await body(lab);
      await checkDeliveries(lab);
    });
}

async function openLab(options: StoreOptions) {
  const store = await openStore(options);
  const clock = createClock(() => NOON);
  const ids = createIds();
  const decisions: Decisions = { ...defaultDecisions };
  const context: ServiceContext = { store, clock, ids, decisions, cursors: createCursors('k') };
  const world = await createWorldState(store, clock, ids);
  const lab = hands({ context, world }, decisions);
  const restore = async () => {
    Object.assign(decisions, defaultDecisions);
    await lab.load(labWorld);
  };
  return { lab, restore };
}

function hands(deps: StateDeps, decisions: Decisions): Lab {
  const { store } = deps.context;
  const write = async <C extends Collection>(collection: C, as: As | undefined, change: Change) =>
    expectGood(await writeEntity(deps, actorOn(collection, as), collection, change)).entity;
  const lab: Lab = {
    ...deps,
    decide: (chosen) => Object.assign(decisions, chosen),
    create: (collection, body, as) => write(collection, as, { kind: 'create', body }),
    put: (collection, name, body, as) => write(collection, as, { kind: 'put', name, body }),
    patch: (collection, name, body, as) => write(collection, as, { kind: 'patch', name, body }),
    async remove(collection, name, as) {
      expectGood(await deleteEntity(deps, actorOn(collection, as), collection, name));
    },
    async refuses(work, refused, detail, pointer) {
      const before = [await lab.dump(), await lab.events()];
      const error = await work().then(
        (result) => assert.fail(`it should have been refused, not ${JSON.stringify(result)}`),
        (it: unknown) => it,
      );
      if (!(error instanceof Refused)) throw error;
      assert.match(error.message, detail);
      assert.equal(error.refusal.refused, refused, error.message);
      if (pointer !== undefined) assert.equal(error.refusal.errors?.[0]?.pointer, pointer, error.message);
      assert.deepEqual([await lab.dump(), await lab.events()], before);
    },
    dump: () => store.read(dumpWorld),
    async load(world) {
      const { rows, problems } = compileWorld(world);
      assert.deepEqual(problems, undefined);
      await loadWorld(store, rows!);
      await store.write((tx) => deps.world.restarted(tx));
      await deps.world.reload();
    },
    async events() {
      const rows = await store.db.selectFrom('events').selectAll().orderBy('id').execute();
      return rows.map(({ type, timestamp, experience_id, entity_id, data }) => ({
        type: type as StoredEvent['type'],
        timestamp,
        experienceId: experience_id,
        entityId: entity_id,
        data: JSON.parse(data) as StoredEvent['data'],
      }));
    },
    async deliveries() {
      const rows = await store.db.selectFrom('deliveries').select('body').orderBy('id').execute();
      return rows.map(({ body }) => JSON.parse(body) as ProviderEvent);
    },
  };
  return lab;
}

/** What is true of every delivery, whatever caused it: the form of its type, and the event as it was published. */
async function checkDeliveries({ context: { store } }: Lab): Promise<void> {
  const rows = await store.db
    .selectFrom('deliveries as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .select(['d.body', 'd.subscription_id', 'e.type', 'e.timestamp', 'e.experience_id', 'e.data'])
    .execute();
  for (const { body, subscription_id, type, timestamp, experience_id, data } of rows) {
    const envelope = JSON.parse(body) as ProviderEvent;
    assert.deepEqual(validator(schemaReferences.events[envelope.type])(envelope), [], body);
    const scope = { experienceId: experience_id };
    assert.deepEqual(envelope, { type, timestamp, subscriptionId: subscription_id, scope, data: JSON.parse(data) });
  }
}
