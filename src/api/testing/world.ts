import { stableUuid } from '../../clock/ids.ts';
import { eventTypes } from '../../contract/generated/events.ts';
import { type Collection, type EntityOf, SINGULAR, type World } from '../../world/world.ts';

const NAME = 'behaviour';
const EPOCH = '2026-01-01T00:00:00.000Z';
export const ROOMS = 90;
/** More than a page holds (Limits), of connections and of assignments. */
export const MANY = 103;
/** More than the largest page of users holds. */
export const CROWD = 260;
/** Clients whose rate windows nobody else uses. */
export const LOAD_CLIENTS = 12;

/** The id of an entity of the world for behaviour tests. */
export const idOf = (collection: Exclude<Collection, 'telephoneNumbers'>, alias: string): string =>
  stableUuid(NAME, SINGULAR[collection], alias, Date.parse(EPOCH));

/** An id that nothing has. */
export const NOBODY = '00000000-0000-7000-8000-000000000000';

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
const entries = <T>(count: number, entry: (n: number) => [string, T]): Record<string, T> => Object.fromEntries(range(count).map(entry));

/** The numbers of a room. */
export const numberOf = (room: number, k: number): string => `+1206555${String(room * 10 + k).padStart(4, '0')}`;
const rooms = range(ROOMS);

/** Ties in every sort column, absent names, users that were never updated, and names whose order differs between bytes and languages. */
const crowd = entries<EntityOf<'users'>>(CROWD, (n) => {
  const firstName = ['Zoë', 'anne', 'Åsa', 'Bo', undefined, 'de la Cruz', '健太'][n % 7];
  const lastName = ['Ng', undefined, 'ng', 'Østergaard', "O'Brien"][n % 5];
  const createdAt = new Date(Date.parse(EPOCH) - ((n * 7919) % 97) * 60_000).toISOString();
  const updatedAt = n % 3 === 0 ? new Date(Date.parse(EPOCH) + (n % 11)).toISOString() : null;
  return [`crowd-${n}`, { account: 'crowd', ...(firstName && { firstName }), ...(lastName && { lastName }), createdAt, updatedAt }];
});

const scopes = {
  connections: 'experience-connections:manage',
  assignments: 'experience-assignments:manage',
  assignability: 'experience-assignability:check',
  users: 'users:manage',
} as const;
const allBut = (left: keyof typeof scopes) => Object.values(scopes).filter((scope) => scope !== scopes[left]);

/**
 * The world of the behaviour tests. Each test takes a room of its own: an account with three numbers and two users in which nothing has happened.
 * `readable` may be read, `hidden` not be seen, accounts and Experiences alike; `stage` has what hangs on them.
 */
export const behaviourWorld = {
  world: NAME,
  epoch: EPOCH,
  providers: { acme: { name: 'Acme' }, globex: { name: 'Globex' } },
  experiences: {
    agent: { provider: 'acme', name: 'Agent', type: 'AGENT' },
    'other-agent': { provider: 'acme', name: 'Other agent', type: 'AGENT' },
    general: { provider: 'acme', name: 'General', type: 'GENERAL' },
    readable: { provider: 'globex', name: 'Readable', type: 'GENERAL', levels: { acme: 'read' } },
    hidden: { provider: 'globex', name: 'Hidden', type: 'GENERAL' },
    ...entries(MANY, (n) => [`many-${n}`, { provider: 'acme', name: `One of many ${n}`, type: 'GENERAL' as const }]),
  },
  accounts: {
    readable: { name: 'Readable' },
    hidden: { name: 'Hidden' },
    stage: { name: 'Stage' },
    crowd: { name: 'Crowd' },
    busy: { name: 'Busy' },
    ...entries(ROOMS, (n) => [`room-${n}`, { name: `Room ${n}` }]),
  },
  telephoneNumbers: {
    '+442079460101': { account: 'readable' },
    '+442079460102': { account: 'readable' },
    '+442079460103': { account: 'hidden' },
    '+442079460104': { account: 'hidden' },
    '+442079460105': { account: 'stage' },
    ...Object.fromEntries(rooms.flatMap((room) => range(3).map((k) => [numberOf(room, k), { account: `room-${room}` }]))),
  },
  users: {
    ada: {
      account: 'stage',
      firstName: 'Ada',
      lastName: 'Lovelace',
      updatedAt: '2026-01-02T00:00:00.000Z',
      nativeIds: [
        { style: 'base62', id: '7Xk2_mQ9-bLw4ZtR' },
        { style: 'legacy-numeric', id: '2065550001' },
      ],
    },
    'twin-numeric': { account: 'stage', firstName: 'Castor', nativeIds: [{ style: 'legacy-numeric', id: '4815162342' }] },
    'twin-base62': { account: 'stage', firstName: 'Pollux', nativeIds: [{ style: 'base62', id: '4815162342' }] },
    elsewhere: {
      account: 'stage',
      nativeIds: [
        { style: 'unsupported', id: 'ext:0042@pbx.example' },
        { style: 'unsupported', id: '9900000001' },
      ],
    },
    readable: { account: 'readable' },
    hidden: { account: 'hidden', nativeIds: [{ style: 'base62', id: 'aLoNe_19-05' }] },
    ...crowd,
    ...Object.fromEntries(rooms.flatMap((room) => range(2).map((k) => [`room-${room}-user-${k}`, { account: `room-${room}` }]))),
  },
  principals: {
    manager: { name: 'Manager', accounts: levels('manage') },
    reader: { name: 'Reader', accounts: levels('read') },
    outsider: { name: 'Outsider' },
  },
  clients: {
    'acme-web': { provider: 'acme', name: 'Acme Web' },
    'globex-web': { provider: 'globex', name: 'Globex Web' },
    ...entries(LOAD_CLIENTS, (n) => [`load-${n}`, { provider: 'acme', name: `Load ${n}` }]),
  },
  assignments: {
    'in-readable-account': { experience: 'general', targetType: 'PHONE_NUMBER', target: '+442079460101' },
    'of-readable-experience': { experience: 'readable', targetType: 'USER', target: 'ada' },
    'in-hidden-account': { experience: 'general', targetType: 'PHONE_NUMBER', target: '+442079460103' },
    'of-hidden-experience': { experience: 'hidden', targetType: 'USER', target: 'ada' },
    ...entries(MANY, (n) => [`many-${n}`, { experience: `many-${n}`, targetType: 'ACCOUNT' as const, target: 'busy' }]),
  },
  connections: {
    'in-readable-account': { account: 'readable', experience: 'agent', state: 'ACTIVE' },
    'of-readable-experience': { account: 'stage', experience: 'readable', state: 'ACTIVE' },
    'in-hidden-account': { account: 'hidden', experience: 'agent', state: 'ACTIVE' },
    'of-hidden-experience': { account: 'stage', experience: 'hidden', state: 'ACTIVE' },
    ...entries(MANY, (n) => [`many-${n}`, { account: 'busy', experience: `many-${n}` }]),
  },
  subscriptions: { acme: { provider: 'acme', types: [...eventTypes] } },
  tokens: {
    full: { client: 'acme-web', principal: 'manager' },
    reader: { client: 'acme-web', principal: 'reader' },
    outsider: { client: 'acme-web', principal: 'outsider' },
    'no-principal': { client: 'acme-web' },
    globex: { client: 'globex-web', principal: 'manager' },
    'no-scopes': { client: 'acme-web', principal: 'manager', scopes: [] },
    'no-connections': { client: 'acme-web', principal: 'manager', scopes: allBut('connections') },
    'no-assignments': { client: 'acme-web', principal: 'manager', scopes: allBut('assignments') },
    'no-assignability': { client: 'acme-web', principal: 'manager', scopes: allBut('assignability') },
    'no-users': { client: 'acme-web', principal: 'manager', scopes: allBut('users') },
    'no-principal-no-users': { client: 'acme-web', scopes: allBut('users') },
  },
} as const satisfies World;

export type ReadyToken = keyof (typeof behaviourWorld)['tokens'];

function levels(inRooms: 'read' | 'manage') {
  return { readable: 'read', stage: inRooms, crowd: inRooms, busy: inRooms, ...entries(ROOMS, (n) => [`room-${n}`, inRooms]) } as const;
}
