import { COLLECTIONS } from '../world/entities.ts';
import { onPostgres, onSqlite, type RefusedRow } from './testing/state-lab.ts';

const OTHER_ID = '0f5ad5bc-63f2-4d6c-9d7e-2b7f1f0a5c11';
const assignmentTo = { experience: 'lobby', targetType: 'USER', target: 'cy' };
const LONE_SURROGATE = '\ud800';
const parseJson = (json: string) => JSON.parse(json);
const assignNumber = (target: string) => ({ experience: 'kiosk', targetType: 'PHONE_NUMBER', target });
const createUserWithIds = (style: string, ...ids: string[]) => ({ nativeIds: ids.map((id) => ({ style, id })) });

const UNKNOWN_REFERENCES: readonly RefusedRow[] = [
  ['POST experiences', { provider: 'acmee', name: 'X' }, '/provider', 'There is no provider "acmee". Did you mean "acme"?'],
  ['PATCH experiences/desk', { levels: { 'ri~al': 'read' } }, '/levels/ri~0al', 'Did you mean "rival"?'],
  ['PATCH experiences/desk', { levels: { rivals: null } }, '/levels/rivals', 'There is no provider "rivals"'],
  ['POST users', { account: 'nowhere-at-all' }, '/account', 'There is no account "nowhere-at-all".'],
  ['PATCH principals/ann', { accounts: { sout: 'read' } }, '/accounts/sout', 'Did you mean "south"?'],
  ['POST assignments', { ...assignmentTo, target: 'adda' }, '/target', 'There is no user "adda". Did you mean "ada"?'],
  ['POST assignments', { ...assignmentTo, target: '\0' }, '/target', 'NUL'],
  ['POST assignments', assignNumber('+12065550102'), '/target', 'There is no telephone number "+12065550102". Did you mean "+1206555010'],
  ['PATCH subscriptions/everything', { experience: 'kiosk' }, '/experience', 'belongs to another provider'],
  ['POST principals', { name: 'X', accounts: { cy: 'read', north: 'read' } }, '/accounts/cy', 'There is no account "cy"'],
];

const INVALID_ENTITIES: readonly RefusedRow[] = [
  ['POST accounts', [], '', 'must be an entity'],
  ['POST accounts', { nmae: 'X', name: 'X' }, '/nmae', 'There is no member "nmae" here. Did you mean "name"?'],
  ['PATCH accounts/north', { nmae: null }, '/nmae', 'There is no member "nmae"'],
  ['POST accounts', parseJson('{"name":"X","__proto__":{"id":"1"}}'), '/__proto__', 'There is no member "__proto__"'],
  ['PATCH principals/ann', parseJson('{"__proto__":[true]}'), '/__proto__', 'There is no member "__proto__"'],
  ['PUT users/new', { firstName: 'X' }, '', 'The member "account" is missing'],
  ['PATCH accounts/north', { name: null }, '', 'The member "name" is missing'],
  ['PATCH accounts/north', { name: 5 }, '/name', 'must be a string'],
  ['PATCH users/ada', { firstName: '' }, '/firstName', 'must not be empty'],
  ['PATCH connections/north-desk', { state: null }, '/state', 'must be a string'],
  ['PATCH users/cy', createUserWithIds('base62', 'x', 'x'), '/nativeIds/1/id', 'x is listed twice'],
  ['PATCH accounts/north', { name: `x${LONE_SURROGATE}` }, '/name', 'surrogate pair'],
  ['POST connections', { alias: LONE_SURROGATE, account: 'south', experience: 'desk' }, '/alias', 'surrogate pair'],
  ['PUT accounts/a\0', { name: 'X' }, '', 'has the wrong format'],
  ['POST accounts', { alias: 7, name: 'X' }, '/alias', 'must be a string'],
  ['POST telephoneNumbers', { alias: 10, account: 'south' }, '/alias', 'must be a string'],
  ['POST telephoneNumbers', { account: 'north' }, '', 'The member "alias" is missing'],
  ['POST telephoneNumbers', { number: '+12065550100', account: 'north' }, '/number', 'There is no member "number"'],
  ['PUT telephoneNumbers/5550100', { account: 'north' }, '', 'has the form +12065550100'],
  ['PUT accounts/east', { alias: 'west', name: 'X' }, '/alias', 'The entity is "east" in the path'],
  ['POST users', { account: 'north', createdAt: '2026-01-01T00:00:00.000Z' }, '/createdAt', 'The service generates the createdAt'],
  ['POST connections', { id: OTHER_ID, account: 'south', experience: 'desk' }, '/id', 'The service generates the id'],
  [`PUT assignments/${OTHER_ID}`, assignmentTo, '', 'cannot be created as'],
];

const TAKEN_VALUES: readonly RefusedRow[] = [
  ['POST users', { alias: 'ada', account: 'north' }, '', 'There is already a user "ada"'],
  ['POST telephoneNumbers', { alias: '+12065550100', account: 'south' }, '', 'There is already a telephone number'],
  ['PATCH users/cy', createUserWithIds('base62', 'A1'), '/nativeIds/0/id', 'A1 is already the base62 id of the user "ada"'],
  ['POST users', { account: 'north', ...createUserWithIds('base62', 'A1') }, '/nativeIds/0/id', 'the user "ada"'],
  ['POST principals', { name: 'Eve', telephoneNumber: '+12065550101' }, '/telephoneNumber', '"ann" logs in with this number'],
  ['POST assignments', { experience: 'desk', targetType: 'ACCOUNT', target: 'north' }, '', 'assignments.create.duplicate'],
  ['POST assignments', assignNumber('+12065550100'), '/target', 'agent-number-taken'],
  ['POST connections', { account: 'north', experience: 'desk' }, '', 'connections.create.exists'],
  ['POST connections', { alias: 'north-desk', account: 'south', experience: 'desk' }, '', 'There is already a connection "north-desk"'],
];

const UNCHANGEABLE_MEMBERS: readonly RefusedRow[] = [
  ['PATCH accounts/north', { id: OTHER_ID }, '/id', "The account's id is"],
  ['PATCH accounts/north', { alias: 'nord' }, '/alias', 'is "north" and cannot be changed'],
  ['PATCH users/ada', { account: 'south' }, '/account', 'is "north" and cannot be changed'],
  ['PATCH users/ada', { createdAt: '2025-01-01T00:00:00.000Z' }, '/createdAt', ''],
  ['PUT telephoneNumbers/+12065550100', { account: 'south' }, '/account', ''],
  ['PATCH experiences/desk', { provider: 'rival' }, '/provider', ''],
  ['PATCH experiences/desk', { type: 'GENERAL' }, '/type', 'is "AGENT" and'],
  ['PATCH assignments/desk-ada', { target: 'bob' }, '/target', ''],
  ['PATCH connections/north-desk', { account: 'south' }, '/account', ''],
  ['PATCH subscriptions/everything', { provider: 'rival' }, '/provider', ''],
  ['PATCH clients/backend', { provider: 'rival' }, '/provider', ''],
];

const REFERENCED_ENTITIES: readonly RefusedRow[] = [
  [
    'DELETE providers/acme',
    undefined,
    '',
    'experiences "desk", "lobby", "spare" and the clients "backend" and the subscriptions "desk-only"',
  ],
  ['DELETE experiences/desk', undefined, '', 'assignments "desk-ada", "desk-north", "desk-number" and the connections "north-desk"'],
  ['DELETE experiences/lobby', undefined, '', 'connections "south-lobby" and the subscriptions "lobby-only"'],
];

const UNKNOWN_ENTITIES: readonly RefusedRow[] = [
  ['GET user', undefined, '', 'There is no collection "user". Did you mean "users"?'],
  ['GET constructor', undefined, '', 'The collections are: providers, '],
  ['PUT tokens/x', {}, '', 'There is no collection'],
  ['DELETE nothing/acme', undefined, '', 'There is no collection'],
  ['GET users/adda', undefined, '', 'There is no user "adda". Did you mean "ada"?'],
  ['DELETE connections/north-dsek', undefined, '', 'Did you mean "north-desk"?'],
  ...COLLECTIONS.flatMap((collection) =>
    (['portal', 'platform'] as const).flatMap((as): RefusedRow[] => [
      [`PATCH ${collection}/no-such-thing`, {}, '', '"no-such-thing"', as],
      [`DELETE ${collection}/no\0such`, undefined, '', 'There is no', as],
    ]),
  ),
];

for (const check of [onSqlite(), onPostgres()]) {
  check('an unknown reference is refused with a suggestion', (lab) => lab.expectRefusals('invalid', UNKNOWN_REFERENCES));
  check('an entity that does not match its schema, or that no world can contain, is refused', (lab) =>
    lab.expectRefusals('invalid', INVALID_ENTITIES),
  );
  check('a value that another entity already has is refused as a conflict', (lab) => lab.expectRefusals('conflict', TAKEN_VALUES));
  check('a change to a read-only member is refused as a conflict', (lab) => lab.expectRefusals('conflict', UNCHANGEABLE_MEMBERS));
  check('an entity that other entities refer to cannot be deleted', (lab) => lab.expectRefusals('conflict', REFERENCED_ENTITIES));
  check('an unknown collection or entity is not found', (lab) => lab.expectRefusals('not-found', UNKNOWN_ENTITIES));

  check('the id of an entity cannot be used as the id or alias of another entity', async (lab) => {
    const id = await lab.getId('users', 'cy');
    await lab.expectRefusals('conflict', [
      ['PUT users/new', { account: 'north', id }, '/id', 'There is already a user "cy" with the id'],
      ['POST users', { alias: id, account: 'north' }, '', 'There is already a user "cy" with the id'],
    ]);
  });

  check('an invalid world is refused with the number of problems, and changes nothing', async (lab) => {
    const impossible = {
      world: 'other',
      telephoneNumbers: { '+12065550100': { account: 'nort' } },
      users: { ada: { account: 'south' } },
      accounts: { north: { name: 'N' } },
    };
    await lab.expectRefusals('invalid', [
      ['PUT', impossible, '/telephoneNumbers/+12065550100/account', 'Did you mean "north"? (2 problems in total.)'],
      ['PUT', { world: 'other', acounts: {} }, '/acounts', 'There is no member "acounts" here. Did you mean "accounts"?'],
    ]);
  });

  check('if one of several entities is refused, none is created, and the pointers begin with the index of the entity', async (lab) => {
    const east = { accounts: { east: { name: 'East' } } };
    await lab.expectRefusals('invalid', [
      ['POST', { ...east, users: { dee: { account: 'eats' } } }, '/users/dee/account', 'Did you mean "east"?'],
      ['POST', { ...east, users: { dee: { account: 'east', alias: 'dan', firstName: 5 } } }, '/users/dee/firstName', 'must be a string'],
      ['POST', { ...east, connections: { one: { account: 'north', experience: 'lobby' } } }, '', 'POST /_control/state/connections'],
    ]);
    await lab.expectRefusals('conflict', [
      ['POST', { ...east, users: { ada: { account: 'east' } } }, '/users/ada', 'There is already a user'],
    ]);
    await lab.expectRefusals('not-found', [['POST', { ...east, user: {} }, '', 'There is no collection "user". Did you mean "users"?']]);
  });
}
