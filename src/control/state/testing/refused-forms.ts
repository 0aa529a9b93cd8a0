import type { Refused } from './refused-writes.ts';

const LONE = '\ud800';

/** What no entity can look like, or none that is new. */
export const WRONG_FORMS: readonly Refused[] = [
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
