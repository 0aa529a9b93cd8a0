import { createServer } from 'node:http';
import { test } from '@playwright/test';
import { isRedirectUri, sendFirstRequest, type Visit } from './visit.ts';

const LOGIN_TIMEOUT_MS = 300_000;
const FAILED_PATH = '/nothing-came';

/** Asks the person at this machine to log in and approve or deny, if the authorization server requires a login. */
export function askPerson(what: 'approve' | 'deny'): Visit {
  return async (authorizeUrl, get) => {
    const first = await sendFirstRequest(authorizeUrl, get);
    if (first.callback !== undefined || first.answer.status >= 400) return first;
    test.setTimeout(2 * LOGIN_TIMEOUT_MS);
    const redirectUri = new URL(authorizeUrl).searchParams.get('redirect_uri') ?? '';
    const callback = await waitForCallback(redirectUri, (origin) => {
      console.error(`Open this address, log in and ${what}:\n  ${authorizeUrl}\nIf the login fails, open ${origin}${FAILED_PATH}`);
    });
    return { ...first, location: callback, callback };
  };
}

/** @returns the URL of the browser's redirect; undefined if the login failed or took too long */
async function waitForCallback(redirectUri: string, ready: (origin: string) => void): Promise<URL | undefined> {
  const { hostname, port, origin } = new URL(redirectUri);
  const server = createServer();
  try {
    return await new Promise<URL | undefined>((resolve, reject) => {
      const timeout = setTimeout(() => resolve(undefined), LOGIN_TIMEOUT_MS);
      server.on('error', reject);
      server.on('close', () => clearTimeout(timeout));
      server.on('request', (request, response) => {
        const url = new URL(request.url ?? '/', origin);
        const hasFailed = url.pathname === FAILED_PATH;
        const isOver = hasFailed || isRedirectUri(url, redirectUri);
        response.writeHead(isOver ? 200 : 404, { 'content-type': 'text/plain', connection: 'close' });
        response.end(isOver ? 'Thank you. You can close this page.' : 'Not found.');
        if (isOver) resolve(hasFailed ? undefined : url);
      });
      server.listen(Number(port || 80), hostname.replace(/^\[|\]$/g, ''), () => ready(origin));
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
