import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { Profile } from '../../../src/contract/generated/profile.ts';
import { SCOPES, type Scope } from '../../target/capabilities.ts';
import { createAccount, createExperience, createNumber } from './independent/accounts.ts';
import { createAssignment } from './independent/assignments.ts';
import { createConnection } from './independent/connections.ts';
import { issueToken } from './independent/oauth.ts';
import type { Permission, Service, Token } from './independent/service.ts';
import { createUser } from './independent/users.ts';

const LIFETIME_S = 3600;
const REDIRECT_URI = 'http://127.0.0.1:3000/callback';

/** Creates the data that the checks need, and describes it as a target profile. */
export function createIndependentWorld(service: Service) {
  const accounts = {
    main: createAccount(service),
    second: createAccount(service),
    hidden: createAccount(service),
    manyUsers: createAccount(service),
    manyConnections: createAccount(service),
  };
  const createGeneral = () => createExperience(service, 'GENERAL');
  const [main, second, wide, readOnly, hidden] = [createGeneral(), createGeneral(), createGeneral(), createGeneral(), createGeneral()];
  // Even AGENT Experiences of different providers cannot share a telephone number.
  const [agent, secondAgent] = [createExperience(service, 'AGENT'), createExperience(service, 'AGENT', 'pr/2')];

  service.principals.set('manager', {
    default: 'manage',
    experience: new Map<string, Permission>([
      [readOnly.id, 'read'],
      [hidden.id, 'none'],
    ]),
    account: new Map<string, Permission>([[accounts.hidden, 'none']]),
  });
  service.principals.set('reader', { default: 'read', experience: new Map(), account: new Map() });
  service.principals.set('outsider', { default: 'none', experience: new Map(), account: new Map() });
  const mintToken = (given: Partial<Omit<Token, 'expiresAt'>> = {}, seconds = LIFETIME_S) => {
    const { principalId = 'manager' } = given;
    const token = { principalId, clientId: `client of ${principalId}`, scopes: new Set(SCOPES), principalClaim: true, ...given };
    return issueToken(service, token, seconds);
  };
  const omitScope = (omitted: Scope) => new Set(SCOPES.filter((scope) => scope !== omitted));

  const createUserWithId = (nativeId: string) => createUser(service, { accountId: accounts.main, nativeIds: [nativeId] }).id;
  for (let index = 0; index < 210; index++)
    createUser(service, {
      accountId: accounts.manyUsers,
      ...(index % 7 > 0 && { firstName: `First ${index % 50}`, lastName: `Last ${index % 90}` }),
    });
  for (let index = 0; index < 110; index++) {
    createConnection(service, accounts.manyConnections, createGeneral().id);
    createAssignment(service, wide, 'PHONE_NUMBER', createNumber(service, accounts.manyUsers), accounts.manyUsers);
  }

  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const common = { principalId: 'manager', redirectUris: [REDIRECT_URI] };
  const secretClient = { id: 'secret-client', secret: randomBytes(18).toString('base64url'), ...common };
  const keyClient = { id: 'key-client', publicKey, ...common };
  for (const client of [secretClient, keyClient]) service.clients.set(client.id, client);

  const profile: Profile = {
    tokens: {
      full: mintToken(),
      reader: mintToken({ principalId: 'reader' }),
      outsider: mintToken({ principalId: 'outsider' }),
      secondCredential: mintToken({ clientId: 'another client' }),
      withoutClaim: mintToken({ principalClaim: false }),
      withoutClaimAndScope: mintToken({ principalClaim: false, scopes: omitScope('users:manage') }),
      withoutScope: Object.fromEntries(SCOPES.map((scope) => [scope, mintToken({ scopes: omitScope(scope) })])) as Record<Scope, string>,
    },
    accounts,
    experiences: {
      ...{ main: main.id, second: second.id, agent: agent.id, secondAgent: secondAgent.id, readOnly: readOnly.id, hidden: hidden.id },
      facts: Object.fromEntries([main, second, agent, secondAgent].map(({ id, name, providerId }) => [id, { name, providerId }])),
    },
    numberOfSecondAccount: createNumber(service, accounts.second),
    manyAssignments: { accountId: accounts.manyUsers, experienceId: wide.id, count: 110 },
    users: {
      hidden: createUser(service, { accountId: accounts.hidden }).id,
      base62: { nativeId: '4fT9bQ', unifiedId: createUserWithId('4fT9bQ') },
      legacyNumeric: { nativeId: '100200300', unifiedId: createUserWithId('100200300') },
      ambiguous: { nativeId: '4815162342', legacyNumeric: createUserWithId('4815162342'), base62: createUserWithId('4815162342') },
      readModelBoundMs: 1000,
      sort: {
        fields: { createdAt: 'created', firstName: 'given', lastName: 'family' },
        ascending: 'ascending',
        descending: 'descending',
      },
    },
    authorization: {
      url: service.authUrl,
      secretClient: { id: secretClient.id, secret: secretClient.secret, redirectUri: REDIRECT_URI },
      keyClient: {
        id: keyClient.id,
        privateKey: privateKey.export({ format: 'jwk' }) as { kty: string },
        audience: service.authUrl,
        redirectUri: REDIRECT_URI,
      },
      loginHint: '+46700000001',
      approve: 'automatic',
      codeLifetimeSeconds: 8,
      waitSeconds: 15,
    },
  };
  // Use a token that has just expired, because a faulty server may accept tokens for a while after they expire.
  return { profile, expiredToken: () => mintToken({}, -1) };
}
