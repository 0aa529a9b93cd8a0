// Serves the page and logs users in. Only this server has the client secret and the refresh tokens.
//
//   npx xpk start                        starts the service, in another terminal
//   node examples/frontend/server.mjs    serves the page on http://127.0.0.1:5173
import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

/** The default client is in the kit's demo world. Its redirect URI is `pageUrl` with the path /callback. */
const DEFAULTS = {
  apiUrl: process.env.XPK_URL ?? 'http://127.0.0.1:4010',
  authUrl: process.env.XPK_AUTH_URL ?? `${process.env.XPK_URL ?? 'http://127.0.0.1:4010'}/auth`,
  pageUrl: process.env.PAGE_URL ?? 'http://127.0.0.1:5173',
  clientId: process.env.XPK_CLIENT_ID ?? '019b76da-a800-7f0a-9bd4-d234947478e0',
  clientSecret: process.env.XPK_CLIENT_SECRET ?? 'demo-secret-acme-web',
};
// offline_access requests a refresh token. Request this scope only together with the connection and assignment scopes.
const SCOPE = 'experience-connections:manage experience-assignments:manage experience-assignability:check offline_access';
const REFRESH_EARLY_MS = 30_000;

const toFilePath = (name) => fileURLToPath(new URL(`public/${name}`, import.meta.url));
const FILES = {
  '/': [toFilePath('index.html'), 'text/html; charset=utf-8'],
  '/page.css': [toFilePath('page.css'), 'text/css; charset=utf-8'],
  '/page.js': [toFilePath('page.js'), 'text/javascript; charset=utf-8'],
  '/service.js': [toFilePath('service.js'), 'text/javascript; charset=utf-8'],
  '/openapi-fetch.js': [fileURLToPath(import.meta.resolve('openapi-fetch')), 'text/javascript; charset=utf-8'],
};

/** Creates the server's request handler. Stores the logins in memory. */
export function createHandler(settings = {}) {
  const { apiUrl, authUrl, pageUrl, clientId, clientSecret } = { ...DEFAULTS, ...settings };
  const redirectUri = `${pageUrl}/callback`;
  const pending = new Map(); // The started logins, by `state`.
  const sessions = new Map(); // The users' tokens, by session id.

  const routes = {
    'GET /login': (url, _session, res) => {
      const [state, verifier] = [randomBytes(16).toString('base64url'), randomBytes(32).toString('base64url')];
      const number = url.searchParams.get('number') ?? '';
      pending.set(state, { verifier, number });
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: SCOPE,
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        login_hint: number,
      });
      // The cookie binds the login to this browser. Otherwise, an attacker could make a user complete the attacker's login.
      redirect(res, `${authUrl}/authorize?${query}`, formatCookie('state', state));
    },

    'GET /callback': async (url, _session, res, cookies) => {
      const login = pending.get(cookies.state);
      pending.delete(cookies.state);
      if (!login || url.searchParams.get('state') !== cookies.state) return redirect(res, '/?refused=The+login+did+not+start+here.');
      const refused = url.searchParams.get('error_description') ?? url.searchParams.get('error');
      if (refused !== null) return redirect(res, `/?refused=${encodeURIComponent(refused)}`);
      const code = url.searchParams.get('code');
      const session = await requestTokens(
        { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: login.verifier },
        login.number,
      );
      if (!session) return redirect(res, '/?refused=The+login+could+not+be+completed.');
      const id = randomBytes(32).toString('base64url');
      sessions.set(id, session);
      redirect(res, '/', formatCookie('session', id));
    },

    // The page requests an access token when it starts, and again before the token expires.
    'GET /session': async (_url, session, res) => {
      const isCurrent = session && Date.now() < session.expiresAt - REFRESH_EARLY_MS;
      sendSession(res, isCurrent ? session : await refreshSession(session));
    },

    // Called after the service refused the token with 401.
    'POST /session/refresh': async (_url, session, res) => sendSession(res, await refreshSession(session)),

    'POST /logout': (_url, _session, res, cookies) => {
      sessions.delete(cookies.session);
      res.writeHead(204).end();
    },
  };

  async function refreshSession(session) {
    if (!session) return undefined;
    // Concurrent requests share one refresh, because a refresh token may be valid only once.
    session.refreshing ??= requestTokens({ grant_type: 'refresh_token', refresh_token: session.refreshToken }, session.number).finally(
      () => {
        session.refreshing = undefined;
      },
    );
    const refreshed = await session.refreshing;
    return refreshed && Object.assign(session, refreshed);
  }

  /** Requests tokens. @returns undefined if the authorization server refuses the request */
  async function requestTokens(parameters, number) {
    const body = new URLSearchParams({ ...parameters, client_id: clientId, client_secret: clientSecret });
    const response = await fetch(`${authUrl}/oauth/token`, { method: 'POST', body });
    if (!response.ok) return undefined;
    const tokens = await response.json();
    return {
      number,
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token,
      expiresAt: Date.now() + tokens.expires_in * 1000,
    };
  }

  function sendSession(res, session) {
    if (!session) return res.writeHead(401).end();
    const { number, accessToken, expiresAt } = session;
    res.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    res.end(JSON.stringify({ apiUrl, number, accessToken, expiresIn: (expiresAt - Date.now()) / 1000 }));
  }

  return async (req, res) => {
    try {
      const url = new URL(req.url, pageUrl);
      const [path, type] = (req.method === 'GET' && FILES[url.pathname]) || [];
      if (path) return res.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' }).end(await readFile(path));
      const route = routes[`${req.method} ${url.pathname}`];
      if (!route) return res.writeHead(404).end();
      const cookies = Object.fromEntries((req.headers.cookie ?? '').split('; ').map((pair) => pair.split('=', 2)));
      await route(url, sessions.get(cookies.session), res, cookies);
    } catch (error) {
      console.error(error);
      res.writeHead(502).end();
    }
  };
}

// With https, add the `Secure` attribute.
const formatCookie = (name, value) => `${name}=${value}; HttpOnly; SameSite=Lax; Path=/`;

function redirect(res, location, setCookie = []) {
  res.writeHead(302, { location, 'set-cookie': setCookie, 'cache-control': 'no-store' }).end();
}

if (import.meta.main) {
  const { port, hostname, origin } = new URL(DEFAULTS.pageUrl);
  createServer(createHandler()).listen(Number(port), hostname, () => console.log(`Open ${origin}`));
}
