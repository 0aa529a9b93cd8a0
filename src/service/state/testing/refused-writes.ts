import type { Collection } from '../../../fixtures/world.ts';
import type { StateRefusal } from '../refusal.ts';
import type { As, Check, Lab } from './lab.ts';

/** What is tried, how it is refused, and where the entity is wrong. */
type Refused = readonly [
  title: string,
  work: (lab: Lab) => Promise<unknown>,
  why: StateRefusal['refused'],
  detail: RegExp,
  pointer?: string,
];

const COLLECTIONS: readonly Collection[] = [
  'providers',
  'experiences',
  'accounts',
  'telephoneNumbers',
  'users',
  'principals',
  'clients',
  'assignments',
  'connections',
  'subscriptions',
];
const CY_ID = async (lab: Lab) => String((await lab.patch('users', 'cy', {})).id);
const LONE = '\ud800';

const UNKNOWN: readonly Refused[] = [
  [
    'an experience of no provider',
    (l) => l.create('experiences', { provider: 'acmee', name: 'X' }),
    'invalid',
    /"acmee" is no provider. Did you mean "acme"/,
    '/provider',
  ],
  [
    'a level for no provider',
    (l) => l.patch('experiences', 'desk', { levels: { 'ri~al': 'read' } }),
    'invalid',
    /Did you mean "rival"/,
    '/levels/ri~0al',
  ],
  [
    'no level for no provider',
    (l) => l.patch('experiences', 'desk', { levels: { rivals: null } }),
    'invalid',
    /"rivals" is no provider/,
    '/levels/rivals',
  ],
  [
    'a number of no account',
    (l) => l.put('telephoneNumbers', '+12065550999', { account: 'nort' }),
    'invalid',
    /Did you mean "north"/,
    '/account',
  ],
  [
    'a user of no account',
    (l) => l.create('users', { account: 'nowhere-at-all' }),
    'invalid',
    /"nowhere-at-all" is no account\.$/,
    '/account',
  ],
  [
    'a grant on no account',
    (l) => l.patch('principals', 'ann', { accounts: { sout: 'read' } }),
    'invalid',
    /Did you mean "south"/,
    '/accounts/sout',
  ],
  ['a client of no provider', (l) => l.create('clients', { provider: 'x', name: 'X' }), 'invalid', /"x" is no provider/, '/provider'],
  [
    'an assignment of no experience',
    (l) => l.create('assignments', { experience: 'dusk', targetType: 'USER', target: 'cy' }),
    'invalid',
    /Did you mean "desk"/,
    '/experience',
  ],
  [
    'an assignment to no user',
    (l) => l.create('assignments', { experience: 'desk', targetType: 'USER', target: 'adda' }),
    'invalid',
    /"adda" is no user. Did you mean "ada"/,
    '/target',
  ],
  [
    'an assignment to no account',
    (l) => l.create('assignments', { experience: 'desk', targetType: 'ACCOUNT', target: 'ada' }),
    'invalid',
    /is no account/,
    '/target',
  ],
  [
    'an assignment to no number',
    (l) => l.create('assignments', { experience: 'desk', targetType: 'PHONE_NUMBER', target: '+12065550102' }),
    'invalid',
    /no telephone number. Did you mean "\+1206555010/,
    '/target',
  ],
  [
    'an assignment to a NUL',
    (l) => l.create('assignments', { experience: 'desk', targetType: 'USER', target: '\0' }),
    'invalid',
    /is no user/,
    '/target',
  ],
  [
    'a connection of no account',
    (l) => l.create('connections', { account: 'nort', experience: 'desk' }),
    'invalid',
    /Did you mean "north"/,
    '/account',
  ],
  [
    'a subscription of no provider',
    (l) => l.create('subscriptions', { provider: 'acmy', types: ['provisioning.user.created'] }),
    'invalid',
    /Did you mean "acme"/,
    '/provider',
  ],
  [
    "a subscription to another's experience",
    (l) => l.patch('subscriptions', 'everything', { experience: 'kiosk' }),
    'invalid',
    /belongs to another provider/,
    '/experience',
  ],
];

const FORM: readonly Refused[] = [
  ['a list for an entity', (l) => l.create('accounts', []), 'invalid', /has to be an entity/],
  [
    'an unknown member',
    (l) => l.create('accounts', { nmae: 'X', name: 'X' }),
    'invalid',
    /no member "nmae" here. Did you mean "name"/,
    '/nmae',
  ],
  ['an unknown member that is null', (l) => l.patch('accounts', 'north', { nmae: null }), 'invalid', /no member "nmae"/, '/nmae'],
  ['a prototype', (l) => l.create('accounts', JSON.parse('{"name":"X","__proto__":{"id":"1"}}')), 'invalid', /no member "__proto__"/],
  ['a missing member', (l) => l.put('users', 'new', { firstName: 'X' }), 'invalid', /The member "account" is missing/],
  ['a member removed that has to be there', (l) => l.patch('accounts', 'north', { name: null }), 'invalid', /The member "name" is missing/],
  ['a wrong type', (l) => l.patch('accounts', 'north', { name: 5 }), 'invalid', /has to be a text, not a number/, '/name'],
  ['an empty name', (l) => l.patch('users', 'ada', { firstName: '' }), 'invalid', /must not be empty/, '/firstName'],
  ['no state', (l) => l.patch('connections', 'north-desk', { state: null }), 'invalid', /ACTIVE, INACTIVE/, '/state'],
  ['an id in no form', (l) => l.create('accounts', { id: '7', name: 'X' }), 'invalid', /does not have the right form/, '/id'],
  [
    'a native id in another form',
    (l) => l.patch('users', 'cy', { nativeIds: [{ style: 'legacy-numeric', id: 'x' }] }),
    'invalid',
    /form/,
    '/nativeIds/0/id',
  ],
  [
    'a native id twice',
    (l) => l.patch('users', 'cy', { nativeIds: Array(2).fill({ style: 'base62', id: 'x' }) }),
    'invalid',
    /listed twice/,
    '/nativeIds/1/id',
  ],
  ['a private key', (l) => l.patch('clients', 'backend', { publicKey: { kty: 'EC', d: 'x' } }), 'invalid', /private key/, '/publicKey/d'],
  ['a name that is no text', (l) => l.patch('accounts', 'north', { name: `x${LONE}` }), 'invalid', /surrogate/, '/name'],
  [
    'an alias that is no text',
    (l) => l.create('connections', { alias: LONE, account: 'south', experience: 'desk' }),
    'invalid',
    /surrogate/,
    '/alias',
  ],
  ['an alias with a NUL', (l) => l.put('accounts', 'a\0', { name: 'X' }), 'invalid', /form/],
  ['an alias that is a number', (l) => l.create('accounts', { alias: 7, name: 'X' }), 'invalid', /has to be a text/, '/alias'],
  ['a number without one', (l) => l.create('telephoneNumbers', { account: 'north' }), 'invalid', /"alias" is missing/],
  ['a number in no form', (l) => l.put('telephoneNumbers', '5550100', { account: 'north' }), 'invalid', /written as in \+12065550100/],
  [
    'another name than in the path',
    (l) => l.put('accounts', 'east', { alias: 'west', name: 'X' }),
    'invalid',
    /The path says "east"/,
    '/alias',
  ],
  [
    'an account under two names',
    (l) => l.create('principals', { name: 'X', accounts: { cy: 'read', north: 'read' } }),
    'invalid',
    /"cy" is no account/,
    '/accounts/cy',
  ],
  [
    'a creation in the past',
    (l) => l.create('users', { account: 'north', createdAt: '2026-01-01T00:00:00.000Z' }),
    'invalid',
    /service gives/,
    '/createdAt',
  ],
  [
    'a connection with an id',
    (l) => l.create('connections', { id: '0f5ad5bc-63f2-4d6c-9d7e-2b7f1f0a5c11', account: 'south', experience: 'desk' }),
    'invalid',
    /service gives/,
    '/id',
  ],
  [
    'an assignment as an id',
    (l) => l.put('assignments', '0f5ad5bc-63f2-4d6c-9d7e-2b7f1f0a5c11', { experience: 'lobby', targetType: 'USER', target: 'cy' }),
    'invalid',
    /cannot be created as/,
  ],
];

const TAKEN: readonly Refused[] = [
  ['an alias twice', (l) => l.create('users', { alias: 'ada', account: 'north' }), 'conflict', /There is a user "ada" already/],
  [
    'a number twice',
    (l) => l.create('telephoneNumbers', { alias: '+12065550100', account: 'south' }),
    'conflict',
    /There is a telephone number/,
  ],
  [
    'an id twice',
    async (l) => l.put('users', 'new', { account: 'north', id: await CY_ID(l) }),
    'conflict',
    /The user "cy" has the id/,
    '/id',
  ],
  [
    "another's id for an alias",
    async (l) => l.create('users', { alias: await CY_ID(l), account: 'north' }),
    'conflict',
    /is the id of the user "cy"/,
  ],
  [
    "another's native id",
    (l) => l.patch('users', 'cy', { nativeIds: [{ style: 'base62', id: 'A1' }] }),
    'conflict',
    /of the user "ada" already/,
    '/nativeIds/0/id',
  ],
  [
    "a new user with another's native id",
    (l) => l.create('users', { account: 'north', nativeIds: [{ style: 'base62', id: 'A1' }] }),
    'conflict',
    /"ada"/,
  ],
  [
    'an assignment twice',
    (l) => l.create('assignments', { experience: 'desk', targetType: 'ACCOUNT', target: 'north' }),
    'conflict',
    /assignments\.create\.duplicate/,
  ],
  [
    'a number of two AGENT experiences',
    (l) => l.create('assignments', { experience: 'kiosk', targetType: 'PHONE_NUMBER', target: '+12065550100' }),
    'conflict',
    /agent-number-taken/,
    '/target',
  ],
  [
    'a connection twice',
    (l) => l.create('connections', { account: 'north', experience: 'desk' }),
    'conflict',
    /connections\.create\.exists/,
  ],
  [
    'the alias of another connection',
    (l) => l.create('connections', { alias: 'north-desk', account: 'south', experience: 'desk' }),
    'conflict',
    /There is a connection "north-desk"/,
  ],
];

const FIXED: readonly Refused[] = [
  [
    'another id',
    (l) => l.patch('accounts', 'north', { id: '0f5ad5bc-63f2-4d6c-9d7e-2b7f1f0a5c11' }),
    'conflict',
    /The id of the account cannot be changed/,
    '/id',
  ],
  [
    'another alias',
    (l) => l.patch('accounts', 'north', { alias: 'nord' }),
    'conflict',
    /alias .* cannot be changed: it is "north"/,
    '/alias',
  ],
  [
    'another account of a user',
    (l) => l.patch('users', 'ada', { account: 'south' }),
    'conflict',
    /account of the user cannot be changed: it is "north"/,
    '/account',
  ],
  [
    'another creation of a user',
    (l) => l.patch('users', 'ada', { createdAt: '2025-01-01T00:00:00.000Z' }),
    'conflict',
    /createdAt/,
    '/createdAt',
  ],
  ['another update of a user', (l) => l.patch('users', 'bob', { updatedAt: null }), 'conflict', /updatedAt/, '/updatedAt'],
  [
    'another account of a number',
    (l) => l.put('telephoneNumbers', '+12065550100', { account: 'south' }),
    'conflict',
    /account/,
    '/account',
  ],
  ['another owner of an experience', (l) => l.patch('experiences', 'desk', { provider: 'rival' }), 'conflict', /provider/, '/provider'],
  [
    'another type of an experience',
    (l) => l.patch('experiences', 'desk', { type: 'GENERAL' }),
    'conflict',
    /type .* it is "AGENT"/,
    '/type',
  ],
  ['another target of an assignment', (l) => l.patch('assignments', 'desk-ada', { target: 'bob' }), 'conflict', /target/, '/target'],
  [
    'another experience of an assignment',
    (l) => l.patch('assignments', 'desk-ada', { experience: 'lobby' }),
    'conflict',
    /experience/,
    '/experience',
  ],
  ['another account of a connection', (l) => l.patch('connections', 'north-desk', { account: 'south' }), 'conflict', /account/, '/account'],
  [
    'another experience of a connection',
    (l) => l.patch('connections', 'north-desk', { experience: 'lobby' }),
    'conflict',
    /experience/,
    '/experience',
  ],
  [
    'another provider of a subscription',
    (l) => l.patch('subscriptions', 'everything', { provider: 'rival' }),
    'conflict',
    /provider/,
    '/provider',
  ],
  ['another provider of a client', (l) => l.patch('clients', 'backend', { provider: 'rival' }), 'conflict', /provider/, '/provider'],
];

const REFERRED: readonly Refused[] = [
  [
    'a provider that owns something',
    (l) => l.remove('providers', 'acme'),
    'conflict',
    /experiences "desk", "lobby", "spare" and the clients "backend" and the subscriptions "desk-only"/,
  ],
  [
    'an experience with assignments and connections',
    (l) => l.remove('experiences', 'desk'),
    'conflict',
    /assignments "desk-ada", "desk-north", "desk-number" and the connections "north-desk"/,
  ],
  [
    'an experience with a subscription',
    async (l) => l.remove('experiences', 'lobby'),
    'conflict',
    /connections "south-lobby" and the subscriptions "lobby-only"/,
  ],
];

/** Every way in which a write makes no sense or is ruled out; nothing is changed, and nothing published. */
export function refusedWrites(check: Check): void {
  for (const [title, work, why, detail, pointer] of [...UNKNOWN, ...FORM, ...TAKEN, ...FIXED, ...REFERRED]) {
    check(`refused: ${title}`, (lab) => lab.refuses(() => work(lab), why, detail, pointer));
  }
  for (const collection of COLLECTIONS) {
    check(`${collection}: what does not exist is not found`, async (lab) => {
      for (const as of [undefined, 'portal', 'platform'] as (As | undefined)[]) {
        await lab.refuses(() => lab.patch(collection, 'no-such-thing', {}, as), 'not-found', /There is no .* "no-such-thing"/);
        await lab.refuses(() => lab.remove(collection, 'no\0such', as), 'not-found', /There is no/);
      }
    });
  }
  check('an alias that is nearly right is hinted at', (lab) =>
    lab.refuses(() => lab.remove('connections', 'north-dsek'), 'not-found', /Did you mean "north-desk"/),
  );

  check('references are by alias or by id, in any letter case', async (lab) => {
    const id = await CY_ID(lab);
    const made = await lab.create('assignments', { experience: 'lobby', targetType: 'USER', target: id.toUpperCase() });
    await lab.refuses(
      () => lab.create('assignments', { experience: 'lobby', targetType: 'USER', target: 'cy' }),
      'conflict',
      /already assigned/,
    );
    await lab.put('assignments', made.alias, { experience: 'lobby', targetType: 'USER', target: id });
  });

  check('two names of one thing in a map are refused', async (lab) => {
    const { north } = (await lab.dump()).accounts!;
    const accounts = { north: 'read', [north!.id!]: 'manage' };
    await lab.refuses(
      () => lab.put('principals', 'new', { name: 'X', accounts }),
      'invalid',
      /stands for what another name here/,
      `/accounts/${north!.id}`,
    );
  });
}
