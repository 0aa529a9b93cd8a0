import { randomBytes } from 'node:crypto';

const secret = (what: string): string => `canary-${what}-${randomBytes(9).toString('hex')}`;

/** Values that no log may hold: each of them is handed to a kit in another way. */
export const canaries = {
  clientSecret: secret('client-secret'),
  controlToken: secret('control-token'),
  wrongControlToken: secret('wrong-control-token'),
  databasePassword: secret('database-password'),
  opaqueToken: secret('opaque-token'),
  query: secret('query'),
  cursor: secret('cursor'),
  header: secret('header'),
  body: secret('body'),
  malformedBody: secret('malformed-body'),
  nonsense: secret('nonsense'),
  /** A number that exists, so that it comes as far as the row that the database refuses. */
  telephoneNumber: `+1999${String(randomBytes(6).readUIntBE(0, 6) % 1e10).padStart(10, '7')}`,
};

/** A small world with the secret and the number among it; in the form of a world file. */
export const canaryWorld = {
  world: 'canaries',
  providers: { provider: { name: 'Provider' } },
  experiences: { experience: { provider: 'provider', name: 'Experience', type: 'GENERAL' } },
  accounts: { account: { name: 'Account' } },
  telephoneNumbers: { [canaries.telephoneNumber]: { account: 'account' } },
  users: { user: { account: 'account', firstName: 'User' } },
  principals: { principal: { name: 'Principal', accounts: { account: 'manage' } } },
  clients: {
    client: { provider: 'provider', name: 'Client', secret: canaries.clientSecret, redirectUris: ['http://127.0.0.1:3000/callback'] },
  },
  tokens: { full: { client: 'client', principal: 'principal' } },
};
