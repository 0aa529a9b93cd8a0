import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { Providers } from './arrangement.ts';
import type { KitOptions, KitWorld } from './kit-world.ts';
import { followRedirects, type Visit } from './visit.ts';

/** The lifetimes of codes and tokens in the checks of expiry, if the kit's clock must not be moved. Requests need some of this time. */
const CODE_LIFETIME_S = 2;
const TOKEN_LIFETIME_S = 6;

const AUTH_PATH = '/auth/';
// No server needs to listen at this URL, because the suite does not follow redirects to it.
const redirectUri = 'http://127.0.0.1:3000/callback';

export function createOAuthCapabilities(world: KitWorld, { control, disposable }: KitOptions): Providers {
  // `login` replaces the kit's login page, because no person is there to approve the requests.
  const createSecretClient = async (name: string, members: object = {}) => {
    const secret = `suite-secret-${randomUUID()}`;
    const id = await world.owned('clients', name, { redirectUris: [redirectUri], login: 'auto', secret, ...members });
    return { id, secret, redirectUri };
  };
  /**
   * By default, the user approves requests.
   * @returns the user's telephone number
   */
  async function createLoginUser(name: string, members: object = {}): Promise<string> {
    const telephoneNumber = world.newNumber();
    await world.named('principals', name, { name: `Suite ${name}`, telephoneNumber, accounts: await world.grants('manage'), ...members });
    return telephoneNumber;
  }
  return {
    'oauth.server': () => (baseUrl) => ({ authorizeUrl: `${baseUrl}${AUTH_PATH}authorize`, tokenUrl: `${baseUrl}${AUTH_PATH}oauth/token` }),
    'oauth.secret-client': () => createSecretClient('secret-client'),
    // The checks of expiry wait for these lifetimes, because they must not move the clock.
    ...(!disposable && {
      'oauth.expiring-client': () =>
        createSecretClient('expiring-client', { accessTokenLifetime: TOKEN_LIFETIME_S, codeLifetime: CODE_LIFETIME_S }),
      'oauth.code-lifetime': () => CODE_LIFETIME_S * 1000,
    }),
    'oauth.key-client': async () => {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const parameters = { kid: 'suite', alg: 'ES256', use: 'sig' };
      const client = await createSecretClient('key-client', { publicKey: { ...publicKey.export({ format: 'jwk' }), ...parameters } });
      const audience = await control.readTokenEndpoint();
      return { ...client, privateKey: { ...privateKey.export({ format: 'jwk' }), ...parameters }, audience };
    },
    'oauth.login-hint': () => createLoginUser('consenter'),
    'oauth.approve': () => visit,
    'oauth.deny': async () => {
      const telephoneNumber = await createLoginUser('decliner', { consent: 'declines' });
      return (authorizeUrl, get) => {
        const url = new URL(authorizeUrl);
        url.searchParams.set('login_hint', telephoneNumber);
        return visit(url.href, get);
      };
    },
  };
}

/** Follows the kit's redirects, but with the authorization URL's base URL, because a proxy may be in front of the kit. */
const visit: Visit = (authorizeUrl, get) => {
  const [front = ''] = authorizeUrl.split(AUTH_PATH);
  return followRedirects(authorizeUrl, get, ({ pathname, search }) =>
    pathname.includes(AUTH_PATH) ? `${front}${pathname.slice(pathname.indexOf(AUTH_PATH))}${search}` : undefined,
  );
};
