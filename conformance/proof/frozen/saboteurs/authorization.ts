import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import type { SaboteursOf } from '../saboteur.ts';
import { authorizationCallback } from './authorization-callback.ts';
import { authorizationClients } from './authorization-clients.ts';
import { authorizationCodes } from './authorization-codes.ts';
import { authorizationPkce } from './authorization-pkce.ts';
import { authorizationTokens } from './authorization-tokens.ts';

/** Servers that break one rule of the authorization server each. */
export const authorization: SaboteursOf<TestableRuleId['authorization']> = {
  ...authorizationPkce,
  ...authorizationCallback,
  ...authorizationClients,
  ...authorizationTokens,
  ...authorizationCodes,
};
