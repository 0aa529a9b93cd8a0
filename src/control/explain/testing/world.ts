import { stableUuid } from '../../../clock/ids.ts';
import { type Collection, SINGULAR, type World } from '../../../world/world.ts';

const EPOCH = '2026-01-01T00:00:00.000Z';
const NAME = 'explained';
const ALL = ['experience-connections:manage', 'experience-assignments:manage', 'experience-assignability:check', 'users:manage'] as const;

/** The id of an entity of `explainedWorld`. */
export const idOf = (collection: Exclude<Collection, 'telephoneNumbers'>, alias: string): string =>
  stableUuid(NAME, SINGULAR[collection], alias, Date.parse(EPOCH));

export const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

/** A world for requests that are refused for every possible reason. The account `spare` has no assignments and no connections. */
export const explainedWorld = {
  world: NAME,
  epoch: EPOCH,
  providers: { acme: { name: 'Acme' }, globex: { name: 'Globex' } },
  experiences: {
    agent: { provider: 'acme', name: 'Agent', type: 'AGENT' },
    'other-agent': { provider: 'acme', name: 'Other agent', type: 'AGENT' },
    general: { provider: 'acme', name: 'General' },
    readable: { provider: 'globex', name: 'Readable', levels: { acme: 'read' } },
    hidden: { provider: 'globex', name: 'Hidden' },
  },
  accounts: { stage: { name: 'Stage' }, spare: { name: 'Spare' }, readable: { name: 'Readable' }, hidden: { name: 'Hidden' } },
  telephoneNumbers: {
    '+12065550100': { account: 'stage' },
    '+12065550101': { account: 'stage' },
    '+12065550102': { account: 'spare' },
    '+12065550103': { account: 'hidden' },
    '+12065550104': { account: 'readable' },
  },
  users: {
    ada: { account: 'stage', nativeIds: [{ style: 'unsupported', id: 'ext:0042@pbx.example' }] },
    grace: { account: 'stage' },
    hidden: { account: 'hidden' },
  },
  principals: {
    manager: { name: 'Manager', accounts: { stage: 'manage', spare: 'manage', readable: 'read' } },
    outsider: { name: 'Outsider' },
  },
  clients: { 'acme-web': { provider: 'acme', name: 'Acme Web', secret: 'canary-of-the-client-secret' } },
  assignments: {
    number: { experience: 'agent', targetType: 'PHONE_NUMBER', target: '+12065550100' },
    hidden: { experience: 'general', targetType: 'PHONE_NUMBER', target: '+12065550103' },
    'read-only': { experience: 'readable', targetType: 'USER', target: 'ada' },
  },
  connections: {
    'with-number': { account: 'stage', experience: 'agent', state: 'ACTIVE' },
    free: { account: 'stage', experience: 'other-agent', state: 'INACTIVE' },
    'read-only': { account: 'stage', experience: 'readable', state: 'ACTIVE' },
    hidden: { account: 'stage', experience: 'hidden', state: 'ACTIVE' },
    only: { account: 'readable', experience: 'agent', state: 'ACTIVE' },
    'of-hidden': { account: 'hidden', experience: 'agent', state: 'ACTIVE' },
  },
  tokens: {
    full: { client: 'acme-web', principal: 'manager', scopes: [...ALL] },
    outsider: { client: 'acme-web', principal: 'outsider', scopes: [...ALL] },
    scopeless: { client: 'acme-web', principal: 'manager', scopes: [] },
    claimless: { client: 'acme-web', scopes: [...ALL] },
    nothing: { client: 'acme-web', scopes: [] },
  },
} satisfies World;
