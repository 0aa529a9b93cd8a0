import { stableUuid } from '../../clock/ids.ts';
import { type Collection, type EntityOf, SINGULAR_NOUNS, type World } from '../../world/world.ts';

const WORLD_NAME = 'api-tests';
const WORLD_EPOCH = '2026-01-01T00:00:00.000Z';
const OWN_ACCOUNT_COUNT = 30;
export const CROWD_SIZE = 61;
const MANY_EXPERIENCES = 20;

export const getId = (collection: Exclude<Collection, 'telephoneNumbers'>, alias: string): string =>
  stableUuid(WORLD_NAME, SINGULAR_NOUNS[collection], alias, Date.parse(WORLD_EPOCH));

export type ExperienceAlias = 'agent' | 'other-agent' | 'general' | 'readable' | `many-${number}`;
export const getExperienceId = (alias: ExperienceAlias): string => getId('experiences', alias);

export const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

export type Target = { readonly targetType: 'ACCOUNT' | 'PHONE_NUMBER' | 'USER'; readonly targetValue: string };
export const createNumberTarget = (targetValue: string): Target => ({ targetType: 'PHONE_NUMBER', targetValue });
export const createUserTarget = (targetValue: string): Target => ({ targetType: 'USER', targetValue });
export const createAccountTarget = (targetValue: string): Target => ({ targetType: 'ACCOUNT', targetValue });

const createEntries = <T>(count: number, entry: (n: number) => [string, T]): Record<string, T> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => entry(n + 1)));

export interface OwnAccount {
  readonly alias: string;
  readonly accountId: string;
  readonly numbers: readonly [string, string];
  readonly users: readonly [string, string];
}

const createNumber = (account: number, index: number) => `+1206555${String(account * 10 + index).padStart(4, '0')}`;

export function getOwnAccount(n: number): OwnAccount {
  if (n > OWN_ACCOUNT_COUNT)
    throw new Error(`The test world has ${OWN_ACCOUNT_COUNT} accounts for tests. Increase OWN_ACCOUNT_COUNT to use account ${n}.`);
  const alias = `room-${n}`;
  const [first, second] = [`${alias}-user-1`, `${alias}-user-2`];
  return {
    alias,
    accountId: getId('accounts', alias),
    numbers: [createNumber(n, 1), createNumber(n, 2)],
    users: [getId('users', first), getId('users', second)],
  };
}

/** Users for sorting tests: equal values, missing values, and names whose byte order differs from their alphabetical order. */
const crowdUsers = createEntries<EntityOf<'users'>>(CROWD_SIZE, (n) => {
  const firstName = ['Zoë', 'anne', 'Åsa', 'Bo', undefined, 'de la Cruz', '健太'][n % 7];
  const lastName = ['Ng', undefined, 'ng', 'Østergaard', "O'Brien"][n % 5];
  const createdAt = new Date(Date.parse(WORLD_EPOCH) - ((n * 7919) % 23) * 60_000).toISOString();
  const updatedAt = n % 3 === 0 ? new Date(Date.parse(WORLD_EPOCH) + (n % 11)).toISOString() : null;
  return [`crowd-${n}`, { account: 'crowd', ...(firstName && { firstName }), ...(lastName && { lastName }), createdAt, updatedAt }];
});

/** The provider `acme` has only read access to the Experience `readable`. */
export const apiWorld = {
  world: WORLD_NAME,
  epoch: WORLD_EPOCH,
  providers: { acme: { name: 'Acme' }, globex: { name: 'Globex' } },
  experiences: {
    agent: { provider: 'acme', name: 'Agent', type: 'AGENT' },
    'other-agent': { provider: 'acme', name: 'Other agent', type: 'AGENT' },
    general: { provider: 'acme', name: 'General', type: 'GENERAL' },
    readable: { provider: 'globex', name: 'Readable', type: 'GENERAL', levels: { acme: 'read' } },
    ...createEntries(MANY_EXPERIENCES, (n) => [`many-${n}`, { provider: 'acme', name: `One of many ${n}`, type: 'GENERAL' as const }]),
  },
  accounts: {
    stage: { name: 'Stage' },
    crowd: { name: 'Crowd' },
    ...createEntries(OWN_ACCOUNT_COUNT, (n) => [`room-${n}`, { name: `Room ${n}` }]),
  },
  telephoneNumbers: {
    ...createEntries(OWN_ACCOUNT_COUNT, (n) => [createNumber(n, 1), { account: `room-${n}` }]),
    ...createEntries(OWN_ACCOUNT_COUNT, (n) => [createNumber(n, 2), { account: `room-${n}` }]),
  },
  users: {
    ada: { account: 'stage', firstName: 'Ada', nativeIds: [{ style: 'legacy-numeric', id: '2065550001' }] },
    ...crowdUsers,
    ...createEntries(OWN_ACCOUNT_COUNT, (n) => [`room-${n}-user-1`, { account: `room-${n}` }]),
    ...createEntries(OWN_ACCOUNT_COUNT, (n) => [`room-${n}-user-2`, { account: `room-${n}` }]),
  },
  principals: {
    manager: {
      name: 'Manager',
      accounts: { stage: 'manage', crowd: 'manage', ...createEntries(OWN_ACCOUNT_COUNT, (n) => [`room-${n}`, 'manage' as const]) },
    },
  },
  clients: { 'acme-web': { provider: 'acme', name: 'Acme Web' }, 'acme-batch': { provider: 'acme', name: 'Acme Batch' } },
  connections: { 'read-only': { account: 'stage', experience: 'readable', state: 'ACTIVE' } },
  subscriptions: { acme: { provider: 'acme', types: ['experience.connection.created', 'experience.assignment.created'] } },
  tokens: {
    full: { client: 'acme-web', principal: 'manager' },
    'no-principal': { client: 'acme-web' },
    'no-scopes': { client: 'acme-web', principal: 'manager', scopes: [] },
    batch: { client: 'acme-batch', principal: 'manager' },
  },
} as const satisfies World;

export type TokenName = keyof (typeof apiWorld)['tokens'];
