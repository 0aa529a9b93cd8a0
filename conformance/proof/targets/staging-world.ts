import { eventTypes } from '../../../src/contract/generated/events.ts';
import type { Profile } from '../../../src/contract/generated/profile.ts';
import type { World } from '../../../src/world/world.ts';
import { SCOPES, type Scope } from '../../target/capabilities.ts';

const createId = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const createMany = <Entity>(count: number, entity: (index: number) => [string, Entity]): Record<string, Entity> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => entity(index)));

const CONNECTED_EXPERIENCE_COUNT = 103;
const ASSIGNED_NUMBER_COUNT = 120;
const createAssignedNumber = (index: number): string => `+1206556${String(1000 + index)}`;

export const SORT_FIELDS = { createdAt: 'createdAt', updatedAt: 'updatedAt', firstName: 'firstName', lastName: 'lastName' } as const;

export const stagingProfile = {
  accounts: { main: createId(1), second: createId(2), hidden: createId(3), manyUsers: createId(4), manyConnections: createId(5) },
  experiences: {
    main: createId(11),
    second: createId(12),
    agent: createId(13),
    secondAgent: createId(14),
    readOnly: createId(15),
    hidden: createId(16),
    unconnected: [createId(17), createId(18), createId(19)],
    facts: Object.fromEntries(
      [11, 12, 13, 14, 17, 18, 19].map((number) => [createId(number), { name: `Experience ${number}`, providerId: createId(51) }]),
    ),
  },
  freeNumbers: Array.from({ length: 60 }, (_, index) => `+1206555${1000 + index}`),
  numberOfSecondAccount: '+12065550199',
  manyAssignments: { accountId: createId(4), experienceId: createId(20), count: ASSIGNED_NUMBER_COUNT },
  freeUsers: Array.from({ length: 30 }, (_, index) => createId(1000 + index)),
  users: {
    hidden: createId(31),
    base62: { nativeId: '4fT9bQ', unifiedId: createId(32) },
    legacyNumeric: { nativeId: '100200300', unifiedId: createId(33) },
    ambiguous: { nativeId: '4815162342', legacyNumeric: createId(34), base62: createId(35) },
  },
  bodies: {
    connectionCreate: { accountId: '{{accountId}}', experienceId: '{{experienceId}}', state: '{{state?}}' },
    connectionUpdate: { state: '{{state}}' },
  },
} satisfies Profile;

const nameTokenWithout = (scope: Scope) => `without-${scope.replace(':', '-')}`;

export function stagingTokens(tokenOf: (name: string) => string) {
  return {
    full: tokenOf('full'),
    reader: tokenOf('reader'),
    outsider: tokenOf('outsider'),
    secondCredential: tokenOf('second'),
    withoutClaim: tokenOf('without-claim'),
    withoutClaimAndScope: tokenOf('without-claim-and-scope'),
    withoutScope: Object.fromEntries(SCOPES.map((scope) => [scope, tokenOf(nameTokenWithout(scope))])) as Record<Scope, string>,
  };
}

const createLevels = (level: 'manage' | 'read') => ({ main: level, second: level, 'many-users': level, 'many-connections': level });

interface Preparation {
  /** Whether accounts are connected and the main account is assigned. */
  readonly connected: boolean;
  /** The destination of the suite's subscription. Absent: the suite creates its own subscriptions. */
  readonly destinationUrl?: string;
}

/** The world that an operator would prepare for tests with a profile. */
export function stagingWorld({ connected, destinationUrl }: Preparation): World {
  const createExperience = (number: number, members: object = {}) => ({
    id: createId(number),
    provider: 'acme',
    name: `Experience ${number}`,
    ...members,
  });
  return {
    world: 'staging',
    providers: { acme: { id: createId(51), name: 'Acme' }, stranger: { name: 'Another provider' } },
    clients: { suite: { provider: 'acme', name: 'Suite' }, second: { provider: 'acme', name: 'Suite, second' } },
    accounts: Object.fromEntries(
      ['main', 'second', 'hidden', 'many-users', 'many-connections'].map((name, index) => [name, { id: createId(index + 1), name }]),
    ),
    principals: {
      manager: { name: 'Manager', accounts: createLevels('manage') },
      reader: { name: 'Reader', accounts: createLevels('read') },
      outsider: { name: 'Outsider' },
    },
    experiences: {
      main: createExperience(11),
      second: createExperience(12),
      agent: createExperience(13, { type: 'AGENT' }),
      'second-agent': createExperience(14, { type: 'AGENT' }),
      'read-only': createExperience(15, { provider: 'stranger', levels: { acme: 'read' } }),
      hidden: createExperience(16, { provider: 'stranger' }),
      ...createMany(3, (index) => [`unconnected-${index + 1}`, createExperience(17 + index)]),
      wide: createExperience(20),
      ...createMany(CONNECTED_EXPERIENCE_COUNT, (index) => [`connected-${index}`, { provider: 'acme', name: `Connected ${index}` }]),
    },
    telephoneNumbers: {
      ...Object.fromEntries(stagingProfile.freeNumbers.map((number) => [number, { account: 'main' }])),
      '+12065550199': { account: 'second' },
      ...createMany(ASSIGNED_NUMBER_COUNT, (index) => [createAssignedNumber(index), { account: 'many-users' }]),
    },
    users: {
      ...Object.fromEntries(stagingProfile.freeUsers.map((id, index) => [`free-${index}`, { id, account: 'main' }])),
      hidden: { id: createId(31), account: 'hidden' },
      base62: { id: createId(32), account: 'main', nativeIds: [{ style: 'base62', id: '4fT9bQ' }] },
      'legacy-numeric': { id: createId(33), account: 'main', nativeIds: [{ style: 'legacy-numeric', id: '100200300' }] },
      'ambiguous-numeric': { id: createId(34), account: 'main', nativeIds: [{ style: 'legacy-numeric', id: '4815162342' }] },
      'ambiguous-base62': { id: createId(35), account: 'main', nativeIds: [{ style: 'base62', id: '4815162342' }] },
    },
    assignments: {
      ...createMany(ASSIGNED_NUMBER_COUNT, (index) => [
        `wide-${index}`,
        { experience: 'wide', targetType: 'PHONE_NUMBER' as const, target: createAssignedNumber(index) },
      ]),
      ...(connected && { 'main-account': { experience: 'main', targetType: 'ACCOUNT', target: 'main' } }),
    },
    connections: {
      ...createMany(CONNECTED_EXPERIENCE_COUNT, (index) => [
        `many-${index}`,
        { account: 'many-connections', experience: `connected-${index}` },
      ]),
      ...(connected && assignableConnections()),
    },
    ...(destinationUrl && { subscriptions: { suite: { id: createId(41), provider: 'acme', destinationUrl, types: [...eventTypes] } } }),
    tokens: {
      full: { client: 'suite', principal: 'manager' },
      reader: { client: 'suite', principal: 'reader' },
      outsider: { client: 'suite', principal: 'outsider' },
      second: { client: 'second', principal: 'manager' },
      'without-claim': { client: 'suite' },
      'without-claim-and-scope': { client: 'suite', scopes: omitScope('users:manage') },
      ...Object.fromEntries(
        SCOPES.map((scope) => [nameTokenWithout(scope), { client: 'suite', principal: 'manager', scopes: omitScope(scope) }]),
      ),
    },
    generate: { users: [{ alias: 'crowd', account: 'many-users', count: 260, namelessEvery: 7 }] },
  };
}

const omitScope = (scope: Scope): Scope[] => SCOPES.filter((other) => other !== scope);

function assignableConnections(): NonNullable<World['connections']> {
  const pairs = ['main', 'second'].flatMap((account) =>
    ['main', 'second', 'agent', 'second-agent'].map((experience) => ({ account, experience })),
  );
  const all = [...pairs, { account: 'many-users', experience: 'wide' }];
  return Object.fromEntries(all.map((pair) => [`${pair.account}-${pair.experience}`, pair]));
}
