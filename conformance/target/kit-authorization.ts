import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { Providers } from './arrangement.ts';
import type { Control } from './control.ts';
import { followRedirects, type Visit } from './visit.ts';

/** What the kit's authorization server is asked with: made by who makes the rest of the suite's world. */
interface World {
  readonly control: Control;
  made(collection: 'principals' | 'clients', what: string, entity: object): Promise<string>;
  provider(): Promise<string>;
  /** What somebody who may do everything may do. */
  grants(): Promise<object>;
  /** A number that nobody has, and that nothing is assigned to. */
  freshNumber(): string;
  /** Whether the kit is thrown away: who else uses it would be an hour older. */
  readonly disposable: boolean;
}

// Nothing listens there: redirects to it are read and not followed.
const REDIRECT_URI = 'http://127.0.0.1:3000/callback';
const AUTH_PATH = '/auth/';

/** The capabilities of the authorization server, at a kit: it approves or denies by itself, as its principals are told to. */
export function kitAuthorization({ control, made, provider, grants, freshNumber, disposable }: World): Providers {
  const principal = async (what: string, members: object): Promise<string> => {
    const telephoneNumber = freshNumber();
    await made('principals', what, { name: `Suite ${what}`, telephoneNumber, accounts: await grants(), ...members });
    return telephoneNumber;
  };
  return {
    'oauth.server': () => (baseUrl) => ({ authorizeUrl: `${baseUrl}${AUTH_PATH}authorize`, tokenUrl: `${baseUrl}${AUTH_PATH}oauth/token` }),
    'oauth.secret-client': async () => {
      const secret = `suite-secret-${randomUUID()}`;
      const client = { provider: await provider(), name: 'Suite, by secret', secret, redirectUris: [REDIRECT_URI] };
      return { clientId: await made('clients', 'secret-client', client), secret, redirectUri: REDIRECT_URI };
    },
    'oauth.key-client': async () => {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const named = { kid: 'suite', alg: 'ES256', use: 'sig' };
      const secret = `suite-secret-${randomUUID()}`;
      const jwk = { ...publicKey.export({ format: 'jwk' }), ...named };
      const client = { provider: await provider(), name: 'Suite, by key', secret, publicKey: jwk, redirectUris: [REDIRECT_URI] };
      return {
        clientId: await made('clients', 'key-client', client),
        privateJwk: { ...privateKey.export({ format: 'jwk' }), ...named },
        audience: await control.tokenEndpoint(),
        redirectUri: REDIRECT_URI,
        secret,
      };
    },
    'oauth.login-hint': () => principal('consenter', {}),
    'oauth.approve': () => visit,
    'oauth.deny': async () => {
      const decliner = await principal('decliner', { consent: 'declines' });
      return (authorizeUrl, get) => {
        const url = new URL(authorizeUrl);
        url.searchParams.set('login_hint', decliner);
        return visit(url.href, get);
      };
    },
    ...(disposable && { 'clock.advance': () => (ms: number) => control.advance(ms) }),
  };
}

/** Whatever stands before the kit has an address of its own, which the kit does not know: redirects within the kit go through it again. */
const visit: Visit = (authorizeUrl, get) => {
  const [before = ''] = authorizeUrl.split(AUTH_PATH);
  return followRedirects(authorizeUrl, get, ({ pathname, search }) =>
    pathname.includes(AUTH_PATH) ? `${before}${pathname.slice(pathname.indexOf(AUTH_PATH))}${search}` : undefined,
  );
};
