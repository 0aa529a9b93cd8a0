import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Comparison } from './compare.ts';
import type { Look, Way } from './looks.ts';
import { type Answer, Names } from './side.ts';
import { type Cast, World } from './world.ts';

const CAST: Cast = {
  accounts: ['«account 1»'],
  hiddenAccount: undefined,
  experiences: [],
  agents: [],
  readOnlyExperience: undefined,
  hiddenExperience: undefined,
  targets: [],
  hiddenUser: undefined,
  tokens: ['manager'],
  oddTokens: new Set(),
  hasInitialState: false,
  actions: new Set(),
  connectable: [],
  occupied: new Map(),
  canFailAuthorization: false,
  sort: { fields: [], orders: [] },
};
const CONNECTION = '«connection #1»';
const look: Look = {
  operation: 'getExperienceConnection',
  request: { path: { experienceConnectionId: CONNECTION } },
  of: CONNECTION,
  isList: false,
};
const list: Look = { operation: 'getExperienceConnections', request: { query: { accountId: '«account 1»' } }, isList: true };
const way: Way = { as: 'manager', form: 'flat', pageSize: undefined };

const IDS = {
  target: { account: '00000000-0000-4000-8000-000000000001', connection: '00000000-0000-4000-8000-000000000002' },
  twin: { account: '00000000-0000-4000-8000-000000000003', connection: '00000000-0000-4000-8000-000000000004' },
};

function create() {
  const names = new Names();
  names.define('«account 1»', IDS.target.account, IDS.twin.account);
  names.define(CONNECTION, IDS.target.connection, IDS.twin.connection);
  const world = new World(CAST);
  return { names, world, comparison: new Comparison(names, world) };
}

const answer = (status: number, json?: object): Answer => ({ status, json, text: JSON.stringify(json) ?? '' });
const createConnection = (side: 'target' | 'twin', members: object = {}) => ({
  id: IDS[side].connection,
  accountId: IDS[side].account,
  state: 'ACTIVE',
  updatedAt: '2030-01-01T00:00:00Z',
  ...members,
});
const createListing = (...entities: Readonly<Record<string, unknown>>[]) => ({
  entities,
  pages: [{ size: 100, length: entities.length, isLast: true }],
  count: undefined,
  answers: [],
  isWhole: true,
});

test('the same entity with the ids of each side is no difference', () =>
  assert.equal(
    create().comparison.compareReads(look, way, answer(200, createConnection('target')), answer(200, createConnection('twin'))),
    undefined,
  ));

test('another state is a difference, which names both', () => {
  const inactive = createConnection('target', { state: 'INACTIVE' });
  const { message } = create().comparison.compareReads(look, way, answer(200, inactive), answer(200, createConnection('twin')))!;
  assert.equal(message, 'Expected state "ACTIVE", not "INACTIVE"');
});

test('an entity that cannot be read breaks the rule about found entities', () => {
  const problem = answer(404, { title: 'Not Found' });
  assert.deepEqual(create().comparison.compareReads(look, way, problem, answer(200, createConnection('twin'))), {
    rule: 'connections.get.found',
    message: 'Expected 200, not 404 (Not Found)',
  });
});

test('a deleted entity must stay gone', () => {
  const { comparison, world } = create();
  world.connections.set(CONNECTION, { name: CONNECTION, account: '«account 1»', experience: '', state: 'ACTIVE' });
  world.remove(CONNECTION);
  const { rule } = comparison.compareReads(look, way, answer(200, createConnection('target')), answer(404))!;
  assert.equal(rule, 'connections.delete.gone');
});

test('updatedAt changes only when it does at the twin', () => {
  const { comparison } = create();
  const read = (target: string, twin: string) =>
    comparison.compareReads(
      look,
      way,
      answer(200, createConnection('target', { updatedAt: target })),
      answer(200, createConnection('twin', { updatedAt: twin })),
    );
  const [first, second] = ['2030-01-01T00:00:01Z', '2030-01-01T00:00:02Z'];
  assert.equal(read(first, first), undefined);
  assert.equal(read('2030-01-01T00:00:01.000Z', first), undefined);
  assert.match(read(second, first)!.message, /^Expected updatedAt .*, as before, not /);
});

test('a list lacks, repeats or shows too many entities', () => {
  const compare = (target: ReturnType<typeof createListing>, twin: ReturnType<typeof createListing>) =>
    create().comparison.compareListings(list, way, target, twin);
  const [shown, expected] = [createConnection('target'), createConnection('twin')];
  assert.equal(compare(createListing(shown, { id: 'of somebody else' }), createListing(expected)), undefined);
  assert.equal(compare(createListing(), createListing(expected))!.lacks, CONNECTION);
  assert.equal(compare(createListing(shown, shown), createListing(expected))!.rule, 'http.pages.traversal-complete');
  assert.match(compare(createListing(shown), createListing())!.message, /^Expected the list without «connection #1»/);
});

test('an answer whose body has a wrong shape is a difference, also on a later page, and if it is a rightful refusal', () => {
  const { comparison } = create();
  const malformed = answer(200, createConnection('target', { updatedAt: 'yesterday' }));
  assert.equal(comparison.compareReads(look, way, malformed, answer(200, createConnection('twin')))!.rule, 'connections.get.shape');
  const pages = [answer(200, { entities: [], pageSize: 1 }), answer(200, { entities: {}, pageSize: 1 })];
  const { rule } = comparison.compareListings(list, way, { ...createListing(), answers: pages }, createListing())!;
  assert.equal(rule, 'http.pages.entities-array');
  const problem = { type: 'about:blank', title: 'Not Found', status: 404, traceId: 'a' };
  const refuse = (members: object) => comparison.compareReads(look, way, answer(404, { ...problem, ...members }), answer(404, problem));
  assert.equal(refuse({}), undefined);
  assert.equal(refuse({ type: 'not a URI' })!.rule, 'http.problem.type-uri');
});

test('a user that was never updated has no updatedAt', () => {
  const { names, comparison } = create();
  const [user, existing] = ['«user #1»', '«user 1»'];
  for (const name of [user, existing]) names.define(name, `target ${name}`, `twin ${name}`);
  const compare = (name: string, updatedAt: string | null, isCurrent: boolean) =>
    comparison.compareMembers('getUser', name, { updatedAt }, { updatedAt: null }, isCurrent)?.rule;
  assert.equal(compare(user, '2030-01-01T00:00:00Z', true), 'users.updated-at-null');
  assert.equal(compare(user, null, true), undefined);
  assert.equal(compare(user, '2030-01-01T00:00:00Z', false), 'users.updated-at-null');
  // The target's own users may have been updated.
  assert.equal(compare(existing, '2030-01-01T00:00:00Z', true), undefined);
});

test('an assignment may count as an update of the user', () => {
  const { names, world, comparison } = create();
  const user = '«user 1»';
  names.define(user, 'target user', 'twin user');
  const compare = (updatedAt: string) =>
    comparison.compareMembers('getUser', user, { updatedAt }, { updatedAt: '2030-01-01T00:00:00Z' }, true);
  assert.equal(compare('2030-01-01T00:00:00Z'), undefined);
  assert.equal(compare('2030-01-01T00:00:01Z')!.rule, 'users.get.current');
  world.assigned.add(user);
  assert.equal(compare('2030-01-01T00:00:02Z'), undefined);
});

test('a list of something hidden may be empty instead of refused', () => {
  const refused = answer(404, { type: '/problems/connections.list.unknown-number' });
  const compare = (...entities: object[]) => create().comparison.compareReads(list, way, answer(200, { entities }), refused);
  assert.equal(compare(), undefined);
  assert.ok(compare(createConnection('target')));
});

test('a caller who may not make a change may get another reason for the refusal', () => {
  const refuse = (as: 'manager' | 'outsider', target: number) =>
    create().comparison.compareRefusals(
      'createExperienceAssignment',
      { body: {}, as, form: 'flat' },
      answer(target, { type: 'about:blank', title: 'Refused', status: target, traceId: 'a' }),
      answer(422, { type: '/problems/assignments.create.invalid-value' }),
    );
  assert.equal(refuse('outsider', 403), undefined);
  assert.ok(refuse('manager', 403));
});
