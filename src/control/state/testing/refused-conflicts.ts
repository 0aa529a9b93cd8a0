import { idOf } from './lab.ts';
import type { Refused } from './refused-writes.ts';

/** What is another's already. */
export const TAKEN: readonly Refused[] = [
  ['an alias twice', (l) => l.create('users', { alias: 'ada', account: 'north' }), 'conflict', /There is already a user "ada"/],
  [
    'a number twice',
    (l) => l.create('telephoneNumbers', { alias: '+12065550100', account: 'south' }),
    'conflict',
    /There is already a telephone number/,
  ],
  [
    'an id twice',
    async (l) => l.put('users', 'new', { account: 'north', id: await idOf(l, 'users', 'cy') }),
    'conflict',
    /The user "cy" already has the id/,
    '/id',
  ],
  [
    "another's id for an alias",
    async (l) => l.create('users', { alias: await idOf(l, 'users', 'cy'), account: 'north' }),
    'conflict',
    /is the id of the user "cy"/,
  ],
  [
    "another's native id",
    (l) => l.patch('users', 'cy', { nativeIds: [{ style: 'base62', id: 'A1' }] }),
    'conflict',
    /already the base62 id of the user "ada"/,
    '/nativeIds/0/id',
  ],
  [
    "a new user with another's native id",
    (l) => l.create('users', { account: 'north', nativeIds: [{ style: 'base62', id: 'A1' }] }),
    'conflict',
    /"ada"/,
  ],
  [
    "another's number to log in with",
    (l) => l.create('principals', { alias: 'eve', name: 'Eve', telephoneNumber: '+12065550101' }),
    'conflict',
    /"ann" logs in with this number/,
    '/telephoneNumber',
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
    /There is already a connection "north-desk"/,
  ],
];

/** What stays as it was made. */
export const FIXED: readonly Refused[] = [
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

/** What others still refer to. */
export const REFERRED: readonly Refused[] = [
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
