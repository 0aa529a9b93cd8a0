import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClock } from '../clock/clock.ts';
import { createIds } from '../clock/ids.ts';
import { defaultDecisions } from '../contract/generated/decisions.ts';
import { schemaReferences } from '../contract/generated/schema-references.ts';
import { validator } from '../contract/validators.ts';
import { createCursors } from '../domain/cursors.ts';
import { createWorldState } from '../service/world-state.ts';
import { openStore, type StoreOptions } from '../store/store.ts';
import { freshDatabase } from '../store/testing/postgres.ts';
import type { ControlAnswer, ControlRequest } from './handler.ts';
import { labWorld } from './state/testing/lab-world.ts';
import { state } from './state.ts';

type Operation = keyof typeof state;
/** As far as these tests look into a body. */
type Members = {
  readonly id: string;
  readonly state: string;
  readonly account: string;
  readonly world: string;
  readonly entities: Record<string, number>;
};
interface Door {
  /** Calls an operation; a request says only what is not empty. */
  call(operation: Operation, request?: Partial<ControlRequest>): Promise<ControlAnswer>;
  forgotten(): number;
  readonly world: { readonly name: string; readonly version: string; advance(ms: number): Promise<unknown> };
  events(): Promise<number>;
}

function doorTests(engine: string, place: () => Promise<StoreOptions>): (title: string, body: (door: Door) => Promise<void>) => void {
  return (title, body) =>
    test(`${engine}: ${title}`, async () => {
      const store = await openStore(await place());
      try {
        await body(await openDoor(store));
      } finally {
        await store.close();
      }
    });
}

async function openDoor(store: Awaited<ReturnType<typeof openStore>>): Promise<Door> {
  const clock = createClock();
  const ids = createIds();
  const world = await createWorldState(store, clock, ids);
  const context = { store, clock, ids, decisions: defaultDecisions, cursors: createCursors('k') };
  let forgotten = 0;
  const deps = { store, world, service: () => context, forget: () => forgotten++ };
  return {
    async call(operation, request = {}) {
      const answer = await state[operation]({ params: {}, query: {}, body: undefined, ...request }, deps);
      if ('status' in answer) checkBody(operation, answer);
      return answer;
    },
    forgotten: () => forgotten,
    world,
    events: async () => (await store.db.selectFrom('events').select('id').execute()).length,
  };
}

function checkBody(operation: Operation, { status, body }: Extract<ControlAnswer, { status: number }>): void {
  const schemas: Readonly<Record<string, string>> = schemaReferences.responses[operation];
  const schema = schemas[status];
  assert.equal(schema === undefined, body === undefined, `${operation} answers ${status} with a body, or without one`);
  if (schema !== undefined) assert.deepEqual(validator(schema)(body), [], operation);
}

const at = (collection: string, id?: string) => ({ params: { collection, ...(id !== undefined && { id }) } });
const bodyOf = (answer: ControlAnswer) => ('status' in answer ? (answer.body as Members) : assert.fail(answer.detail));

for (const check of [doorTests('sqlite', async () => ({})), doorTests('postgres', async () => ({ database: await freshDatabase() }))]) {
  check('a world that is loaded is what a dump says, and a dump loads as it is', async ({ call, world, forgotten }) => {
    await world.advance(3_600_000);
    const { version } = world;
    const loaded = bodyOf(await call('loadState', { body: labWorld }));
    assert.deepEqual(
      [loaded.world, loaded.entities.users, loaded.entities.telephoneNumbers, loaded.entities.experiences],
      ['lab', 3, 3, 4],
    );
    assert.deepEqual([world.name, forgotten()], ['lab', 1]);
    assert.notEqual(world.version, version, 'what callers are known by is asked anew');
    const dumped = bodyOf(await call('dumpState'));
    await call('loadState', { body: dumped });
    assert.deepEqual(bodyOf(await call('dumpState')), dumped);
  });

  check('a world that cannot be is refused with all that is wrong, and changes nothing', async ({ call, events }) => {
    await call('loadState', { body: labWorld });
    const before = bodyOf(await call('dumpState'));
    const impossible = {
      world: 'other',
      telephoneNumbers: { '+12065550100': { account: 'nort' } },
      users: { ada: { account: 'south' } },
      accounts: { north: { name: 'N' } },
    };
    const answer = await call('loadState', { body: impossible });
    assert.ok('gate' in answer && answer.gate === 'control.invalid');
    assert.deepEqual(
      answer.errors?.map(({ pointer }) => pointer),
      ['/telephoneNumbers/+12065550100/account', '/users/ada/account'],
    );
    assert.match(answer.detail, /Did you mean "north".*2 problems/);
    const misspelt = await call('loadState', { body: { world: 'other', acounts: {} } });
    assert.match('gate' in misspelt ? misspelt.detail : '', /no member "acounts" here. Did you mean "accounts"/);
    assert.deepEqual(bodyOf(await call('dumpState')), before);
    assert.equal(await events(), 0);
  });

  check('the entities of a collection are listed by alias, and each can be read', async ({ call }) => {
    await call('loadState', { body: labWorld });
    assert.deepEqual(Object.keys(bodyOf(await call('listCollection', at('users')))), ['ada', 'bob', 'cy']);
    assert.equal(bodyOf(await call('readEntity', at('telephoneNumbers', '+12065550200'))).account, 'south');
    const unknown = await call('readEntity', at('users', 'adda'));
    assert.deepEqual('gate' in unknown && [unknown.gate, unknown.detail], [
      'control.not-found',
      'There is no user "adda". Did you mean "ada"?',
    ]);
  });

  check('an entity is created, put, changed and deleted, and what happened is published', async ({ call, events }) => {
    await call('loadState', { body: labWorld });
    const connection = { account: 'south', experience: 'desk' };
    const created = await call('createEntity', { ...at('connections'), body: connection });
    assert.deepEqual([('status' in created && created.status) || created, bodyOf(created).state], [201, 'INACTIVE']);
    const { id } = bodyOf(created);
    const put = await call('putEntity', { ...at('connections', id), body: { ...connection, state: 'ACTIVE' } });
    assert.deepEqual('status' in put && [put.status, bodyOf(put).state], [200, 'ACTIVE']);
    const patched = await call('patchEntity', { ...at('connections', id), body: { state: 'INACTIVE' }, query: { as: 'platform' } });
    assert.equal(bodyOf(patched).state, 'INACTIVE');
    assert.deepEqual(await call('deleteEntity', at('connections', id)), { status: 204 });
    assert.equal(await events(), 4);
    const putNew = await call('putEntity', { ...at('accounts', 'east'), body: { name: 'East' } });
    assert.equal('status' in putNew && putNew.status, 201);
  });

  check('refusals say of which kind they are', async ({ call, events }) => {
    await call('loadState', { body: labWorld });
    const gates: [Operation, Partial<ControlRequest>, string][] = [
      ['listCollection', at('user'), 'control.not-found'],
      ['listCollection', at('constructor'), 'control.not-found'],
      ['readEntity', at('users', 'no\0one'), 'control.not-found'],
      ['createEntity', { ...at('accounts'), body: [] }, 'control.invalid'],
      ['createEntity', { ...at('accounts'), body: { name: 'X' }, query: { as: 'provider' } }, 'control.invalid'],
      ['createEntity', { ...at('users'), body: { alias: 'ada', account: 'north' } }, 'control.conflict'],
      ['putEntity', { ...at('tokens', 'x'), body: {} }, 'control.not-found'],
      ['patchEntity', { ...at('users', 'zoe'), body: {} }, 'control.not-found'],
      ['deleteEntity', at('providers', 'acme'), 'control.conflict'],
      ['deleteEntity', at('nothing', 'acme'), 'control.not-found'],
    ];
    for (const [operation, request, gate] of gates) {
      const answer = await call(operation, request);
      assert.equal('gate' in answer && answer.gate, gate, JSON.stringify(answer));
    }
    assert.equal(await events(), 0);
  });
}
