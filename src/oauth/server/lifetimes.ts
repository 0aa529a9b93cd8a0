import type { Decisions } from '../../contract/generated/decisions.ts';

const DAY_S = 86_400;
/** However often it is refreshed, what a user granted ends after a year. */
export const GRANT_LIFETIME_S = 365 * DAY_S;

/** How long what is given out is good, in seconds of kit time; where the specification is silent and nobody may choose, what is usual. */
export const lifetimes = (decisions: Decisions) => ({
  AccessToken: decisions['oauth.access-token-lifetime'],
  ClientCredentials: decisions['oauth.access-token-lifetime'],
  AuthorizationCode: decisions['oauth.code-lifetime'],
  RefreshToken: 30 * DAY_S,
  Grant: GRANT_LIFETIME_S,
  Interaction: 3600,
  // Neither is kept or issued; the library asks for a time nevertheless.
  Session: 3600,
  IdToken: 3600,
});
