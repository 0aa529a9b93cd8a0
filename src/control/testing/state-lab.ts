import assert from 'node:assert/strict';
import { json } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { createClock } from '../../clock/clock.ts';
import { createIds } from '../../clock/ids.ts';
import { FailureError, type GateFailure, isFailure } from '../../contract/failure.ts';
import { type Decisions, defaultDecisions } from '../../contract/generated/decisions.ts';
import { eventTypes } from '../../contract/generated/events.ts';
import { schemaReferences } from '../../contract/generated/schema-references.ts';
import { getValidator } from '../../contract/validators.ts';
import { createCursors } from '../../domain/cursors.ts';
import type { ProviderEvent } from '../../domain/events.ts';
import type { ServiceContext } from '../../service/context.ts';
import { createWorldState, type WorldState } from '../../service/world-state.ts';
import { openStore, type StoreOptions } from '../../store/store.ts';
import { createDatabase } from '../../store/testing/postgres.ts';
import { readDump } from '../../world/testing/tables.ts';
import type { Collection, EntityOf, World } from '../../world/world.ts';
import type { ChunkedResponse, ControlResponse } from '../handler.ts';
import { stateHandlers } from '../state.ts';

const types: EntityOf<'subscriptions'>['types'] = [...eventTypes];

/** The account north has entities of every kind. */
export const labWorld: World = {
  world: 'lab',
  epoch: '2026-01-01T00:00:00.000Z',
  providers: { acme: { name: 'Acme' }, rival: { name: 'Rival' } },
  experiences: {
    desk: { provider: 'acme', name: 'Desk', type: 'AGENT' },
    lobby: { provider: 'acme', name: 'Lobby' },
    spare: { provider: 'acme', name: 'Spare', levels: { acme: 'read', rival: 'manage' } },
    kiosk: { provider: 'rival', name: 'Kiosk', type: 'AGENT' },
  },
  accounts: { north: { name: 'North' }, south: { name: 'South' } },
  telephoneNumbers: { '+12065550100': { account: 'north' }, '+12065550101': { account: 'north' }, '+12065550200': { account: 'south' } },
  users: {
    ada: { account: 'north', firstName: 'Ada', lastName: 'Byron', nativeIds: [{ style: 'base62', id: 'A1' }] },
    bob: { account: 'north', updatedAt: '2026-01-02T00:00:00.000Z' },
    cy: { account: 'south', firstName: 'Cy' },
  },
  principals: { ann: { name: 'Ann', telephoneNumber: '+12065550101', accounts: { north: 'manage' } } },
  clients: { backend: { provider: 'acme', name: 'Backend', secret: 'backend-secret', redirectUris: ['https://acme.example/callback'] } },
  assignments: {
    'desk-north': { experience: 'desk', targetType: 'ACCOUNT', target: 'north' },
    'desk-number': { experience: 'desk', targetType: 'PHONE_NUMBER', target: '+12065550100' },
    'desk-ada': { experience: 'desk', targetType: 'USER', target: 'ada' },
  },
  connections: {
    'north-desk': { account: 'north', experience: 'desk', state: 'ACTIVE' },
    'south-lobby': { account: 'south', experience: 'lobby' },
  },
  subscriptions: {
    everything: { provider: 'acme', types },
    'desk-only': { provider: 'acme', experience: 'desk', types, destinationUrl: 'https://acme.example/events' },
    'lobby-only': { provider: 'acme', experience: 'lobby', types },
    'rival-everything': { provider: 'rival', types },
  },
};

/** Kit time in the tests. The clock is stopped, so all changes have the same time. */
export const NOON_MS = '2026-03-01T12:00:00.000Z';

export type ActorName = 'portal' | 'platform';
export type Entity = Readonly<Record<string, unknown>> & { readonly alias: string; readonly id: string; readonly updatedAt: string };
export interface StoredEvent {
  readonly type: ProviderEvent['type'];
  readonly entityId: string;
  readonly experienceId: string;
  readonly data: ProviderEvent['data'] & { readonly updatedAt: string };
}

/** Calls the control API's state handlers, with a store that contains `labWorld`. */
export class Lab {
  readonly context: ServiceContext;
  readonly world: WorldState;
  forgotten = 0;

  constructor(context: ServiceContext, world: WorldState) {
    this.context = context;
    this.world = world;
  }

  setDecisions(decisions: Partial<Decisions>): void {
    Object.assign(this.context.decisions, decisions);
  }

  /**
   * @param request such as `PATCH users/ada`, or `GET` for the whole state @returns the body, which matches the contract @throws
   * FailureError
   */
  async send(request: string, body?: unknown, as?: ActorName): Promise<Entity> {
    const [, method = '', collection, id] = /^(\w+)(?: ([^/]+)(?:\/(.*))?)?$/s.exec(request) ?? assert.fail(request);
    const operation =
      id === undefined ? (collection === undefined ? WORLD_OPERATIONS : COLLECTION_OPERATIONS)[method] : ENTITY_OPERATIONS[method];
    const deps = {
      store: this.context.store,
      world: this.world,
      createContext: () => this.context,
      clearRateWindows: () => this.forgotten++,
    };
    const params = { ...(collection !== undefined && { collection }), ...(id !== undefined && { id }) };
    const result = await stateHandlers[operation!]({ params, query: { as }, body } as never, deps);
    if (isFailure(result)) throw new FailureError(result);
    const response: Exclude<ControlResponse, GateFailure> =
      'send' in result ? { status: 200, body: await createBodyReader(result) } : result;
    const schemas: Readonly<Record<string, string>> = schemaReferences.responses[operation!];
    const schema = schemas[response.status];
    if (schema === undefined) assert.equal(response.body, undefined);
    else assert.deepEqual(getValidator(schema)(response.body), [], request);
    return response.body as Entity;
  }

  async expectRefusals(gate: string, rows: readonly RefusedRow[]): Promise<void> {
    const before = [await this.dump(), await this.listEvents()];
    for (const [request, body, pointer, detail, as] of rows) {
      const sent = `${request} ${JSON.stringify(body)}`;
      const error = await this.send(request, body, as).then(
        () => assert.fail(`${sent} was accepted`),
        (thrown: unknown) => thrown,
      );
      assert.ok(error instanceof FailureError, `${sent}: ${error}`);
      const { reason, errors = [] } = error.failure;
      assert.deepEqual([reason, errors[0]?.pointer ?? ''], [`control.${gate}`, pointer], `${sent}: ${error}`);
      assert.ok(error.message.includes(detail), `${sent}: ${error}`);
    }
    assert.deepEqual([await this.dump(), await this.listEvents()], before);
  }

  dump(): Promise<World> {
    return readDump(this.context.store);
  }

  async getId(collection: Collection, alias: string): Promise<string> {
    return (await this.send(`GET ${collection}/${alias}`)).id;
  }

  async listEvents(): Promise<StoredEvent[]> {
    const rows = await this.context.store.db.selectFrom('events').selectAll().orderBy('id').execute();
    return rows.map(({ type, experience_id, entity_id, data }) => ({
      type: type as StoredEvent['type'],
      experienceId: experience_id,
      entityId: entity_id,
      data: JSON.parse(data) as StoredEvent['data'],
    }));
  }

  async listDeliveries(): Promise<ProviderEvent[]> {
    const rows = await this.context.store.db.selectFrom('deliveries').select('body').orderBy('id').execute();
    return rows.map(({ body }) => JSON.parse(body) as ProviderEvent);
  }

  async checkDeliveries(): Promise<void> {
    const rows = await this.context.store.db
      .selectFrom('deliveries as d')
      .innerJoin('events as e', 'e.id', 'd.event_id')
      .select(['d.body', 'd.subscription_id', 'e.type', 'e.timestamp', 'e.experience_id', 'e.data'])
      .execute();
    for (const { body, subscription_id, type, timestamp, experience_id, data } of rows) {
      const envelope = JSON.parse(body) as ProviderEvent;
      assert.deepEqual(getValidator(schemaReferences.events[envelope.type])(envelope), [], body);
      const scope = { experienceId: experience_id };
      assert.deepEqual(envelope, { type, timestamp, subscriptionId: subscription_id, scope, data: JSON.parse(data) });
    }
  }
}

async function createBodyReader({ send }: ChunkedResponse): Promise<object> {
  let body: object = {};
  await send(async (chunks) => {
    body = (await json(chunks)) as object;
  });
  return body;
}

type Operations = Readonly<Record<string, keyof typeof stateHandlers>>;
const WORLD_OPERATIONS: Operations = { GET: 'dumpState', PUT: 'loadState', POST: 'createEntities' };
const COLLECTION_OPERATIONS: Operations = { GET: 'listCollection', POST: 'createEntity' };
const ENTITY_OPERATIONS: Operations = { GET: 'readEntity', PUT: 'putEntity', PATCH: 'patchEntity', DELETE: 'deleteEntity' };

/** A refused request, with the first error's pointer ('' without errors) and a part of the problem's detail. */
export type RefusedRow = readonly [request: string, body: unknown, pointer: string, detail: string, as?: ActorName];

export type Check = (title: string, body: (lab: Lab) => Promise<void>) => void;

/** Each test starts with `labWorld` and the default decisions. */
function createLabTests(engine: string, place: () => Promise<StoreOptions>): Check {
  let opened: Promise<Lab> | undefined;
  after(async () => (await opened)?.context.store.close());
  return (title, body) =>
    test(`${engine}: ${title}`, async () => {
      opened ??= openLab(await place());
      const lab = await opened;
      lab.setDecisions(defaultDecisions);
      await lab.send('PUT', labWorld);
      await body(lab);
      await lab.checkDeliveries();
    });
}

async function openLab(options: StoreOptions): Promise<Lab> {
  const store = await openStore(options);
  const clock = createClock(() => Date.parse(NOON_MS));
  const ids = createIds();
  const world = await createWorldState(store, clock, ids);
  const decisions = { ...defaultDecisions };
  return new Lab({ store, getListDatabase: () => store.db, clock, ids, decisions, cursors: createCursors(() => 'k') }, world);
}

export const onSqlite = () => createLabTests('sqlite', async () => ({}));
export const onPostgres = () => createLabTests('postgres', async () => ({ database: await createDatabase() }));
