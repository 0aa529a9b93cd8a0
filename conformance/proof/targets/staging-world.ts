import { eventTypes } from '../../../src/contract/generated/events.ts';
import type { Profile } from '../../../src/contract/generated/profile.ts';
import { DEFAULT_SCOPES, type World } from '../../../src/world/world.ts';

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const many = <Entity>(count: number, entity: (index: number) => [string, Entity]): Record<string, Entity> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => entity(index)));

const CONNECTED = 103;
const WIDELY_ASSIGNED = 120;
const wideNumber = (index: number): string => `+1206556${String(1000 + index)}`;

/** The ids of the staging world, in the form of a target profile. */
export const stagingProfile = {
  accounts: { main: id(1), second: id(2), hidden: id(3), manyUsers: id(4), manyConnections: id(5) },
  experiences: {
    ...{ main: id(11), second: id(12), agent: id(13), secondAgent: id(14), readOnly: id(15), hidden: id(16) },
    unconnected: [id(17), id(18), id(19)],
    facts: Object.fromEntries(
      [11, 12, 13, 14, 17, 18, 19].map((number) => [id(number), { name: `Experience ${number}`, providerId: id(51) }]),
    ),
  },
  freeNumbers: Array.from({ length: 60 }, (_, index) => `+1206555${1000 + index}`),
  numberOfSecondAccount: '+12065550199',
  manyAssignments: { accountId: id(4), experienceId: id(20), count: WIDELY_ASSIGNED },
  freeUsers: Array.from({ length: 30 }, (_, index) => id(1000 + index)),
  users: {
    hidden: id(31),
    base62: { nativeId: '4fT9bQ', unifiedId: id(32) },
    legacyNumeric: { nativeId: '100200300', unifiedId: id(33) },
    ambiguous: { nativeId: '4815162342', legacyNumeric: id(34), base62: id(35) },
  },
  bodies: {
    connectionCreate: { accountId: '{{accountId}}', experienceId: '{{experienceId}}', state: '{{state?}}' },
    connectionUpdate: { state: '{{state}}' },
  },
} satisfies Profile;

/** The tokens of the staging world, in the form of a target profile. @param tokenOf returns the token with the given name */
export function stagingTokens(tokenOf: (name: string) => string) {
  return {
    full: tokenOf('full'),
    reader: tokenOf('reader'),
    outsider: tokenOf('outsider'),
    secondCredential: tokenOf('second'),
    withoutClaim: tokenOf('without-claim'),
    withoutClaimAndScope: tokenOf('without-claim-and-scope'),
    withoutScope: {
      'experience-assignability:check': tokenOf('without-assignability'),
      'experience-assignments:manage': tokenOf('without-assignments'),
      'experience-connections:manage': tokenOf('without-connections'),
      'users:manage': tokenOf('without-users'),
    },
  };
}

const accounts = { main: 'manage', second: 'manage', 'many-users': 'manage', 'many-connections': 'manage' } as const;
const reading = { main: 'read', second: 'read', 'many-users': 'read', 'many-connections': 'read' } as const;

/**
 * The world that an operator would prepare for tests with a profile. It contains everything that the checks need.
 * @param connected whether the accounts are connected to the Experiences to which checks assign targets. If true, the main account is also
 * assigned to the main Experience.
 * @param destinationUrl the destination of the subscription that the operator creates for the suite
 */
export function stagingWorld({ connected, destinationUrl }: { readonly connected: boolean; readonly destinationUrl: string }): World {
  const experience = (at: number, members: object = {}) => ({ id: id(at), provider: 'acme', name: `Experience ${at}`, ...members });
  return {
    world: 'staging',
    providers: { acme: { id: id(51), name: 'Acme' }, stranger: { name: 'Another provider' } },
    clients: { suite: { provider: 'acme', name: 'Suite' }, second: { provider: 'acme', name: 'Suite, second' } },
    accounts: {
      main: { id: id(1), name: 'Main' },
      second: { id: id(2), name: 'Second' },
      hidden: { id: id(3), name: 'Hidden' },
      'many-users': { id: id(4), name: 'Many users' },
      'many-connections': { id: id(5), name: 'Many connections' },
    },
    principals: {
      manager: { name: 'Manager', accounts },
      reader: { name: 'Reader', accounts: reading },
      outsider: { name: 'Outsider' },
    },
    experiences: {
      main: experience(11),
      second: experience(12),
      agent: experience(13, { type: 'AGENT' }),
      'second-agent': experience(14, { type: 'AGENT' }),
      'read-only': experience(15, { provider: 'stranger', levels: { acme: 'read' } }),
      hidden: experience(16, { provider: 'stranger' }),
      'unconnected-1': experience(17),
      'unconnected-2': experience(18),
      'unconnected-3': experience(19),
      wide: experience(20),
      ...many(CONNECTED, (index) => [`connected-${index}`, { provider: 'acme', name: `Connected ${index}` }]),
    },
    telephoneNumbers: {
      ...Object.fromEntries(stagingProfile.freeNumbers.map((number) => [number, { account: 'main' }])),
      '+12065550199': { account: 'second' },
      ...many(WIDELY_ASSIGNED, (index) => [wideNumber(index), { account: 'many-users' }]),
    },
    users: {
      ...Object.fromEntries(stagingProfile.freeUsers.map((id, index) => [`free-${index}`, { id, account: 'main' }])),
      hidden: { id: id(31), account: 'hidden' },
      base62: { id: id(32), account: 'main', nativeIds: [{ style: 'base62', id: '4fT9bQ' }] },
      'legacy-numeric': { id: id(33), account: 'main', nativeIds: [{ style: 'legacy-numeric', id: '100200300' }] },
      'ambiguous-numeric': { id: id(34), account: 'main', nativeIds: [{ style: 'legacy-numeric', id: '4815162342' }] },
      'ambiguous-base62': { id: id(35), account: 'main', nativeIds: [{ style: 'base62', id: '4815162342' }] },
    },
    assignments: {
      ...many(WIDELY_ASSIGNED, (index) => [
        `wide-${index}`,
        { experience: 'wide', targetType: 'PHONE_NUMBER' as const, target: wideNumber(index) },
      ]),
      ...(connected && { 'main-account': { experience: 'main', targetType: 'ACCOUNT', target: 'main' } }),
    },
    connections: {
      ...many(CONNECTED, (index) => [`many-${index}`, { account: 'many-connections', experience: `connected-${index}` }]),
      ...(connected && assignableConnections()),
    },
    subscriptions: { suite: { id: id(41), provider: 'acme', destinationUrl, types: [...eventTypes] } },
    tokens: {
      full: { client: 'suite', principal: 'manager' },
      reader: { client: 'suite', principal: 'reader' },
      outsider: { client: 'suite', principal: 'outsider' },
      second: { client: 'second', principal: 'manager' },
      'without-claim': { client: 'suite' },
      'without-claim-and-scope': { client: 'suite', scopes: without('users:manage') },
      'without-assignability': { client: 'suite', principal: 'manager', scopes: without('experience-assignability:check') },
      'without-assignments': { client: 'suite', principal: 'manager', scopes: without('experience-assignments:manage') },
      'without-connections': { client: 'suite', principal: 'manager', scopes: without('experience-connections:manage') },
      'without-users': { client: 'suite', principal: 'manager', scopes: without('users:manage') },
    },
    generate: { users: [{ alias: 'crowd', account: 'many-users', count: 260, namelessEvery: 7 }] },
  };
}

function without(scope: (typeof DEFAULT_SCOPES)[number]): (typeof DEFAULT_SCOPES)[number][] {
  return DEFAULT_SCOPES.filter((other) => other !== scope);
}

function assignableConnections(): NonNullable<World['connections']> {
  const pairs = ['main', 'second'].flatMap((account) =>
    ['main', 'second', 'agent', 'second-agent'].map((experience) => ({ account, experience })),
  );
  return Object.fromEntries([
    ...pairs.map((pair) => [`${pair.account}-${pair.experience}`, pair]),
    ['many-users-wide', { account: 'many-users', experience: 'wide' }],
  ]);
}
