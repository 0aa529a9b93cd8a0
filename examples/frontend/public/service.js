// Calls the service with openapi-fetch. The access tokens come from this page's server.
import createClient from 'openapi-fetch';

const TIMEOUT_MS = 10_000;
const RENEW_EARLY_MS = 20_000;
let session;
let client;

/** Thrown if the user has to log in. */
export class LoginNeededError extends Error {}

/** Thrown if the service refuses a call or does not respond. */
export class RefusedError extends Error {
  /**
   * @param problem the response body: title, detail, type, traceId
   * @param retryAfter the seconds in `Retry-After`; NaN without the header
   */
  constructor(problem, retryAfter = Number.NaN) {
    super(problem.detail ?? problem.title);
    Object.assign(this, { problem, retryAfter });
  }
}

/** Returns the user's session, with a valid access token. @throws LoginNeededError */
export async function currentSession() {
  if (session && Date.now() < session.expiresAt - RENEW_EARLY_MS) return session;
  return receiveSession(await fetch('/session'));
}

async function receiveSession(response) {
  session = undefined;
  if (response.status === 401) throw new LoginNeededError();
  if (!response.ok) throw new RefusedError({ title: 'The authorization server cannot be reached' });
  const { expiresIn, ...received } = await response.json();
  session = { ...received, expiresAt: Date.now() + expiresIn * 1000 };
  return session;
}

export async function logout() {
  session = undefined;
  await fetch('/logout', { method: 'POST' });
}

/** Sends a request. If the service refuses the token, gets a new token and repeats the request once. */
async function authorizedFetch(request) {
  const repetition = request.clone();
  const response = await send(request, await currentSession());
  if (response.status !== 401) return response;
  return send(repetition, await receiveSession(await fetch('/session/refresh', { method: 'POST' })));
}

async function send(request, { accessToken }) {
  request.headers.set('authorization', `Bearer ${accessToken}`);
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), TIMEOUT_MS);
  try {
    return await fetch(request, { signal: timeout.signal });
  } catch {
    const reason = timeout.signal.aborted ? `did not answer within ${TIMEOUT_MS / 1000} seconds` : 'cannot be reached';
    throw new RefusedError({ title: `The service ${reason}` });
  } finally {
    clearTimeout(timer);
  }
}

async function callService(method, path, options) {
  const { apiUrl } = await currentSession();
  client ??= createClient({ baseUrl: apiUrl, fetch: authorizedFetch });
  const { data, error, response } = await client[method](path, options);
  if (response.ok) return data;
  if (response.status === 401) throw new LoginNeededError();
  // The service lists Retry-After in Access-Control-Expose-Headers, so the page can read it.
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  throw new RefusedError(error?.title ? error : { title: `The service answered with ${response.status}` }, retryAfter);
}

/** Each function throws LoginNeededError or RefusedError. */
export const service = {
  connections: (query) => callService('GET', '/experience/connections', { params: { query } }),
  assignments: (query) => callService('GET', '/experience/assignments', { params: { query } }),
  check: (experienceId, query) =>
    callService('GET', '/experience/experiences/{experienceId}/assignability', { params: { path: { experienceId }, query } }),
  assign: (body) => callService('POST', '/experience/assignments', { body }),
  remove: (assignmentId) => callService('DELETE', '/experience/assignments/{assignmentId}', { params: { path: { assignmentId } } }),
};
