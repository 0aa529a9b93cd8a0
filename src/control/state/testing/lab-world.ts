import { eventTypes } from '../../../contract/generated/events.ts';
import type { EntityOf, World } from '../../../world/world.ts';

const EVERY_TYPE: EntityOf<'subscriptions'>['types'] = [...eventTypes];

/** Two providers, two accounts; in the account north something of every kind. */
export const labWorld: World = {
  world: 'lab',
  epoch: '2026-01-01T00:00:00.000Z',
  providers: { acme: { name: 'Acme' }, rival: { name: 'Rival' } },
  experiences: {
    desk: { provider: 'acme', name: 'Desk', type: 'AGENT' },
    lobby: { provider: 'acme', name: 'Lobby' },
    spare: { provider: 'acme', name: 'Spare', levels: { acme: 'read', rival: 'manage' } },
    kiosk: { provider: 'rival', name: 'Kiosk', type: 'AGENT' },
  },
  accounts: { north: { name: 'North' }, south: { name: 'South' } },
  telephoneNumbers: { '+12065550100': { account: 'north' }, '+12065550101': { account: 'north' }, '+12065550200': { account: 'south' } },
  users: {
    ada: { account: 'north', firstName: 'Ada', lastName: 'Byron', nativeIds: [{ style: 'base62', id: 'A1' }] },
    bob: { account: 'north', updatedAt: '2026-01-02T00:00:00.000Z' },
    cy: { account: 'south', firstName: 'Cy' },
  },
  principals: { ann: { name: 'Ann', telephoneNumber: '+12065550101', accounts: { north: 'manage' } } },
  clients: { backend: { provider: 'acme', name: 'Backend', secret: 'backend-secret', redirectUris: ['https://acme.example/callback'] } },
  assignments: {
    'desk-north': { experience: 'desk', targetType: 'ACCOUNT', target: 'north' },
    'desk-number': { experience: 'desk', targetType: 'PHONE_NUMBER', target: '+12065550100' },
    'desk-ada': { experience: 'desk', targetType: 'USER', target: 'ada' },
  },
  connections: {
    'north-desk': { account: 'north', experience: 'desk', state: 'ACTIVE' },
    'south-lobby': { account: 'south', experience: 'lobby' },
  },
  subscriptions: {
    everything: { provider: 'acme', types: EVERY_TYPE },
    'desk-only': { provider: 'acme', experience: 'desk', types: EVERY_TYPE, destinationUrl: 'https://acme.example/events' },
    'lobby-only': { provider: 'acme', experience: 'lobby', types: EVERY_TYPE },
    'rival-everything': { provider: 'rival', types: EVERY_TYPE },
  },
};
