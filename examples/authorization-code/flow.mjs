// A user authorizes an experience provider: authorization code with PKCE, then API calls, then a refresh.
// First start the kit in another terminal: npm start. Then run one of these commands:
//
//   node examples/authorization-code/flow.mjs                # Authenticates with the client_secret.
//   node examples/authorization-code/flow.mjs --assertion    # Authenticates with a signed assertion.
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { on, once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

// A provider gets these values when it registers its client. The defaults belong to the kit's demo world.
const api = process.env.API_URL ?? 'http://127.0.0.1:4010';
const authUrl = process.env.AUTH_URL ?? `${api}/auth`;
const redirectUri = process.env.REDIRECT_URI ?? 'http://127.0.0.1:3000/callback';
const usesAssertion = process.argv.includes('--assertion');
const clientId = usesAssertion ? '019b76da-a800-71d2-9fe7-32f36b424512' : '019b76da-a800-7f0a-9bd4-d234947478e0';

// 1. Send the browser to the authorization server. Store the state and the verifier. The URL contains the state and the verifier's hash.
const state = randomBytes(16).toString('base64url');
const verifier = randomBytes(32).toString('base64url');
const request = new URLSearchParams({
  response_type: 'code',
  client_id: clientId,
  redirect_uri: redirectUri,
  // offline_access requests a refresh token. Request this scope only together with the connection and assignment scopes.
  scope: 'experience-connections:manage experience-assignments:manage users:manage offline_access',
  state,
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
  login_hint: '+12065550100', // the number that the user wants to use with the Experience
});
const server = createServer().listen(Number(new URL(redirectUri).port), new URL(redirectUri).hostname);
await once(server, 'listening');
console.log(`Open ${authUrl}/authorize?${request}`);

// 2. The user decides, and the browser returns to the redirect URI. Accept only a response with the state that you sent.
const answer = await waitForRedirect();
if (answer.get('state') !== state) throw new Error('The state in the response is not the state that was sent.');
if (answer.has('error')) throw new Error(`${answer.get('error')}: ${answer.get('error_description')}`);

// 3. Exchange the code for tokens. A code expires soon and can be used only once. The verifier proves who started the authorization.
const tokens = await requestTokens({
  grant_type: 'authorization_code',
  code: answer.get('code'),
  redirect_uri: redirectUri,
  code_verifier: verifier,
});
console.log(`Got an access token for ${tokens.scope}, valid for ${tokens.expires_in} s.`);

// 4. Call the API with the access token.
await readUser(tokens.access_token);

// 5. Get a new access token before the old one expires. Store the new refresh token, and never use the old one again.
const refreshed = await requestTokens({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
console.log(`Refreshed: the refresh token ${refreshed.refresh_token === tokens.refresh_token ? 'is the same' : 'has changed'}.`);
await readUser(refreshed.access_token);

/** Waits for the redirect. Responds to other requests, such as for an icon, with 404. */
async function waitForRedirect() {
  for await (const [req, res] of on(server, 'request')) {
    const url = new URL(req.url, redirectUri);
    res.setHeader('connection', 'close');
    if (url.pathname === new URL(redirectUri).pathname) {
      res.end('Done. You may close this window.');
      server.close();
      return url.searchParams;
    }
    res.writeHead(404).end();
  }
}

/** Requests tokens. The client authenticates in the request body, never in a header. */
async function requestTokens(parameters) {
  const response = await fetch(`${authUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: clientId, ...parameters, ...createClientAuthentication() }),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(`${body.error}: ${body.error_description}`);
  return body;
}

function createClientAuthentication() {
  if (!usesAssertion) return { client_secret: 'demo-secret-acme-web' };
  return { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer', client_assertion: createAssertion() };
}

/** Signs a JWT that is valid for a minute and for only one request. In your program, use an OAuth library. */
function createAssertion() {
  const file = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const key = file('fixtures/keys/acme-signer.private.jwk.json');
  const command = [file('src/cli/xpk.cjs'), 'assertion', '--auth-url', authUrl, '--client', clientId, '--key', key];
  return execFileSync(process.execPath, command, { encoding: 'utf8' }).trim();
}

async function readUser(accessToken) {
  const response = await fetch(`${api}/users/2065550001`, { headers: { authorization: `Bearer ${accessToken}` } });
  console.log(`GET /users/2065550001: ${response.status} ${await response.text()}`);
}
