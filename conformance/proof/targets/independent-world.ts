import { generateKeyPairSync } from 'node:crypto';
import type { Profile } from '../../../src/contract/generated/profile.ts';
import { OPERATION_SCOPES } from '../../actors/oauth-parameters.ts';
import type { RunningServer } from './independent/server.ts';

const LIFETIME_S = 3600;
const REDIRECT_URI = 'http://127.0.0.1:3000/callback';

/** Creates the data that the checks need, and describes it as a target profile. */
export function createIndependentWorld({ operator, authUrl }: RunningServer) {
  const { createAccount, createExperience } = operator;
  const accounts = {
    main: createAccount(),
    second: createAccount(),
    hidden: createAccount(),
    manyUsers: createAccount(),
    manyConnections: createAccount(),
  };
  const [main, second, wide] = [createExperience('GENERAL'), createExperience('GENERAL'), createExperience('GENERAL')];
  const agent = createExperience('AGENT');
  // Even AGENT Experiences of different providers cannot share a telephone number.
  const secondAgent = createExperience('AGENT', 'pr/2');
  const [readOnly, hidden] = [createExperience('GENERAL'), createExperience('GENERAL')];

  const manager = operator.createPrincipal('manage');
  operator.setPermission(manager, 'account', accounts.hidden, 'none');
  operator.setPermission(manager, 'experience', readOnly.id, 'read');
  operator.setPermission(manager, 'experience', hidden.id, 'none');
  const reader = operator.createPrincipal('read');
  const outsider = operator.createPrincipal('none');
  const mintToken = (given: Partial<Parameters<typeof operator.mintToken>[0]> = {}) =>
    operator.mintToken({ principalId: manager, scopes: [...OPERATION_SCOPES], expiresIn: LIFETIME_S, ...given });
  const omitScope = (scope: string) => OPERATION_SCOPES.filter((other) => other !== scope);

  const createUser = (nativeId: string) => operator.createUser({ accountId: accounts.main, nativeIds: [nativeId] });
  for (let index = 0; index < 210; index++)
    operator.createUser({
      accountId: accounts.manyUsers,
      ...(index % 7 > 0 && { firstName: `First ${index % 50}`, lastName: `Last ${index % 90}` }),
    });
  for (let index = 0; index < 110; index++) {
    operator.createConnectionInPortal(accounts.manyConnections, createExperience('GENERAL').id);
    const targetValue = operator.createNumber({ accountId: accounts.manyUsers });
    operator.createAssignmentInPortal({ experienceId: wide.id, targetType: 'PHONE_NUMBER', targetValue });
  }

  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const redirectUris = [REDIRECT_URI];
  const secretClient = operator.createClient({ principalId: manager, redirectUris });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const keyClient = operator.createClient({ principalId: manager, redirectUris, publicKey: pem });

  const profile: Profile = {
    tokens: {
      full: mintToken(),
      reader: mintToken({ principalId: reader }),
      outsider: mintToken({ principalId: outsider }),
      secondCredential: mintToken({ clientId: 'another client' }),
      withoutClaim: mintToken({ principalClaim: false }),
      withoutClaimAndScope: mintToken({ principalClaim: false, scopes: omitScope('users:manage') }),
      withoutScope: Object.fromEntries(OPERATION_SCOPES.map((scope) => [scope, mintToken({ scopes: omitScope(scope) })])) as Record<
        (typeof OPERATION_SCOPES)[number],
        string
      >,
    },
    accounts,
    experiences: {
      ...{ main: main.id, second: second.id, agent: agent.id, secondAgent: secondAgent.id, readOnly: readOnly.id, hidden: hidden.id },
      facts: Object.fromEntries([main, second, agent, secondAgent].map(({ id, name, providerId }) => [id, { name, providerId }])),
    },
    numberOfSecondAccount: operator.createNumber({ accountId: accounts.second }),
    manyAssignments: { accountId: accounts.manyUsers, experienceId: wide.id, count: 110 },
    users: {
      hidden: operator.createUser({ accountId: accounts.hidden }),
      base62: { nativeId: '4fT9bQ', unifiedId: createUser('4fT9bQ') },
      legacyNumeric: { nativeId: '100200300', unifiedId: createUser('100200300') },
      ambiguous: { nativeId: '4815162342', legacyNumeric: createUser('4815162342'), base62: createUser('4815162342') },
      readModelBoundMs: 1000,
      sort: {
        fields: { createdAt: 'created', firstName: 'given', lastName: 'family' },
        ascending: 'ascending',
        descending: 'descending',
      },
    },
    authorization: {
      url: authUrl,
      secretClient: { id: secretClient.id, secret: secretClient.secret, redirectUri: REDIRECT_URI },
      keyClient: {
        id: keyClient.id,
        privateKey: privateKey.export({ format: 'jwk' }) as { kty: string },
        audience: authUrl,
        redirectUri: REDIRECT_URI,
      },
      loginHint: '+46700000001',
      approve: 'automatic',
      codeLifetimeSeconds: 8,
      waitSeconds: 15,
    },
  };
  // Use a token that has just expired, because a faulty server may accept tokens for a while after they expire.
  return { profile, expiredToken: () => mintToken({ expiresIn: -1 }) };
}
