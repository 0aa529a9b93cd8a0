import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as openid from 'openid-client';
import type { Config } from './config.ts';

/** A customer's input. The telephone number is in E.164 format. */
export interface Customer {
  readonly accountId: string;
  readonly number: string;
}

/** Thrown if there is no access token. A user of the account must then log in. */
export class LoginNeededError extends Error {
  override readonly name = 'LoginNeededError';
}

export type Logins = ReturnType<typeof createLogins>;

const SCOPES = [
  'experience-connections:manage',
  'experience-assignments:manage',
  'experience-assignability:check',
  'users:manage',
  'offline_access',
];
const MAX_LOGIN_MS = 10 * 60_000;
const REFRESH_BEFORE_EXPIRY_MS = 60_000;

/** Logs users in and stores one access token for each account. The tokens cannot be rebuilt, so they have their own file. */
export function createLogins(config: Config, now: () => number) {
  const server = new openid.Configuration(
    {
      issuer: config.authUrl,
      authorization_endpoint: `${config.authUrl}/authorize`,
      token_endpoint: `${config.authUrl}/oauth/token`,
    },
    config.clientId,
    undefined,
    openid.ClientSecretPost(config.clientSecret),
  );
  if (config.authUrl.startsWith('http:')) openid.allowInsecureRequests(server);
  const db = new DatabaseSync(join(config.dataFolder, 'logins.db'));
  db.exec(`CREATE TABLE IF NOT EXISTS logins (
    account_id TEXT PRIMARY KEY, access_token TEXT NOT NULL, refresh_token TEXT, expires_at INTEGER NOT NULL) STRICT`);
  const pending = new Map<string, { customer: Customer; state: string; verifier: string }>();
  const renewals = new Map<string, Promise<string>>();

  function save(accountId: string, tokens: openid.TokenEndpointResponse, oldRefreshToken: string | null = null): string {
    const expiresAt = now() + (tokens.expires_in ?? 0) * 1000;
    const refreshToken = tokens.refresh_token ?? oldRefreshToken;
    db.prepare('INSERT OR REPLACE INTO logins VALUES (?, ?, ?, ?)').run(accountId, tokens.access_token, refreshToken, expiresAt);
    return tokens.access_token;
  }

  function find(accountId: string) {
    const login = db.prepare('SELECT access_token, refresh_token, expires_at FROM logins WHERE account_id = ?').get(accountId);
    if (!login) throw new LoginNeededError(`No user of the account ${accountId} has logged in.`);
    return login as { access_token: string; refresh_token: string | null; expires_at: number };
  }

  async function refresh(accountId: string): Promise<string> {
    const { refresh_token } = find(accountId);
    try {
      if (refresh_token) return save(accountId, await openid.refreshTokenGrant(server, refresh_token), refresh_token);
    } catch (error) {
      if (!(error instanceof openid.ResponseBodyError) || error.error !== 'invalid_grant') throw error;
    }
    db.prepare('DELETE FROM logins WHERE account_id = ?').run(accountId);
    throw new LoginNeededError(`The login for the account ${accountId} has ended.`);
  }

  /** Gets a new access token. A refresh token may be valid only once, so concurrent calls share one refresh. */
  function renewOnce(accountId: string): Promise<string> {
    const running = renewals.get(accountId) ?? refresh(accountId).finally(() => renewals.delete(accountId));
    renewals.set(accountId, running);
    return running;
  }

  return {
    /**
     * Starts a login.
     * @returns the login's cookie value, and the authorization server's URL
     */
    async start(customer: Customer): Promise<{ cookie: string; url: URL }> {
      const cookie = openid.randomState();
      const state = openid.randomState();
      const verifier = openid.randomPKCECodeVerifier();
      pending.set(cookie, { customer, state, verifier });
      setTimeout(() => pending.delete(cookie), MAX_LOGIN_MS).unref();
      const url = openid.buildAuthorizationUrl(server, {
        redirect_uri: `${config.publicUrl}/callback`,
        scope: SCOPES.join(' '),
        state,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        login_hint: customer.number,
      });
      return { cookie, url };
    },

    /** Completes a login. @param url the URL of the redirect @returns the customer given to `start` */
    async finish(cookie: string | undefined, url: URL): Promise<Customer> {
      const login = pending.get(cookie ?? '');
      if (!cookie || !login) throw new LoginNeededError('This login is unknown or took too long.');
      pending.delete(cookie);
      const checks = { expectedState: login.state, pkceCodeVerifier: login.verifier };
      save(login.customer.accountId, await openid.authorizationCodeGrant(server, url, checks));
      return login.customer;
    },

    /** Returns an access token that is valid for at least a minute. @throws LoginNeededError */
    async accessToken(accountId: string): Promise<string> {
      const { access_token, expires_at } = find(accountId);
      return expires_at - REFRESH_BEFORE_EXPIRY_MS > now() ? access_token : renewOnce(accountId);
    },

    /**
     * Replaces a refused access token, unless another request has already replaced it.
     * @throws LoginNeededError
     */
    async renew(accountId: string, refused: string): Promise<void> {
      if (find(accountId).access_token === refused) await renewOnce(accountId);
    },

    /** Returns the ids of accounts with a login. */
    accounts: () => Array.from(db.prepare('SELECT account_id FROM logins').all(), ({ account_id }) => String(account_id)),
    close: () => db.close(),
  };
}
