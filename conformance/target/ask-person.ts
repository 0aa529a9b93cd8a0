import { createServer } from 'node:http';
import { test } from '@playwright/test';
import { firstStep, leadsTo, type Visit } from './visit.ts';

const PATIENCE_MS = 300_000;
/** Where the person says that no redirect will come. */
const NOTHING_CAME = '/nothing-came';

/** A person at this machine approves or denies. Nobody is bothered where the server answers without one. */
export function askPerson(what: 'approve' | 'deny'): Visit {
  return async (authorizeUrl, get) => {
    const first = await firstStep(authorizeUrl, get);
    if (first.callback !== undefined || first.answer.status >= 400) return first;
    test.setTimeout(2 * PATIENCE_MS);
    const redirectUri = new URL(authorizeUrl).searchParams.get('redirect_uri') ?? '';
    const callback = await callbackOf(redirectUri, (origin) => {
      console.error(`Open this address, log in and ${what}:\n  ${authorizeUrl}\nIf it ends in an error instead: ${origin}${NOTHING_CAME}`);
    });
    return { ...first, location: callback, callback };
  };
}

/** Waits for a browser at the address. @returns where it came, or undefined where nothing will come. */
async function callbackOf(redirectUri: string, ready: (origin: string) => void): Promise<URL | undefined> {
  const { hostname, port, origin } = new URL(redirectUri);
  const server = createServer();
  try {
    return await new Promise<URL | undefined>((resolve, reject) => {
      const patience = setTimeout(() => resolve(undefined), PATIENCE_MS);
      server.on('error', reject);
      server.on('close', () => clearTimeout(patience));
      server.on('request', (request, response) => {
        const url = new URL(request.url ?? '/', origin);
        const isOver = url.pathname === NOTHING_CAME || leadsTo(url, redirectUri);
        response.writeHead(isOver ? 200 : 404, { 'content-type': 'text/plain', connection: 'close' });
        response.end(isOver ? 'Thank you. This page can be closed.' : 'Not found.');
        if (isOver) resolve(url.pathname === NOTHING_CAME ? undefined : url);
      });
      server.listen(Number(port || 80), hostname.replace(/^\[|\]$/g, ''), () => ready(origin));
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
