import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createBrowser } from '../../src/oauth/server/testing/browser.ts';
import { CLIENT_SECRET, createTrace, LOGIN_HINT, REDIRECT_URI, sendRequest } from './kits.ts';
import type { Ledger } from './ledger.ts';

const CONCURRENT_LOGINS = 2;
/** The number of concurrent requests with one code. The proxy spreads them over the replicas. */
const REDEMPTIONS = 3;
const REFRESHES = 2;
const SCOPES = 'experience-connections:manage experience-assignments:manage offline_access';

type Page = Awaited<ReturnType<ReturnType<typeof createBrowser>['open']>>;
type Headers = Readonly<Record<string, string>>;

interface LoginSettings {
  readonly url: string;
  readonly ledger: Ledger;
  readonly clientId: string;
  readonly principalId: string;
}

export function startLogins({ url, ledger, clientId, principalId }: LoginSettings) {
  const counts = { logins: 0, 'codes redeemed several times at once': 0, 'tokens refreshed': 0 };
  const problems: string[] = [];
  let stopped = false;

  /** @returns the response; undefined if unexpected or incomplete */
  async function visit(expected: readonly number[], open: (headers: Headers) => Promise<Page>): Promise<Page | undefined> {
    const { traceId, headers } = createTrace();
    const sentAt = performance.now();
    const opening = open(headers);
    const sending = opening.then(({ response: { status, ok }, text }) => {
      return { traceId, status, ok, text, sentAt, answeredAt: performance.now() };
    });
    const answer = await ledger.receive('login', sending, ({ status }) => expected.includes(status));
    const writes = answer && (answer.status === 303 || answer.text.includes('"access_token"'));
    if (writes) ledger.requests.push(traceId);
    return answer && (await opening);
  }

  async function logIn(challenge: string): Promise<string | undefined> {
    const { open, follow, submit } = createBrowser();
    const parameters = {
      client_id: clientId,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      state: 'state',
      scope: SCOPES,
      login_hint: LOGIN_HINT,
    };
    const query = new URLSearchParams({ ...parameters, code_challenge: challenge, code_challenge_method: 'S256' });
    const started = await visit([303], (headers) => open(`${url}/auth/authorize?${query}`, { headers }));
    const page = started && (await visit([200], (headers) => follow(started, headers)));
    const form = { answer: 'approve', principal: principalId };
    const approved = page && (await visit([303], (headers) => submit(page.response.url, form, headers)));
    const returned = approved && (await visit([303], (headers) => follow(approved, headers)));
    const location = returned?.response.headers.get('location');
    const code = location && URL.parse(location)?.searchParams.get('code');
    if (location && !code) problems.push(`a login ended without a code: ${location}`);
    return code || undefined;
  }

  const requestToken = (expected: readonly number[], grant: Headers) =>
    visit(expected, (headers) => {
      const body = new URLSearchParams({ ...grant, client_id: clientId, client_secret: CLIENT_SECRET });
      return createBrowser().open(`${url}/auth/oauth/token`, { method: 'POST', body, headers });
    });

  async function redeemCodeConcurrently(grant: Headers): Promise<void> {
    const answers = await Promise.all(Array.from({ length: REDEMPTIONS }, () => requestToken([200, 400], grant)));
    const successes = answers.filter((answer) => answer?.response.status === 200).length;
    if (successes > 1) problems.push(`a code was redeemed ${successes} times`);
    if (successes === 0 && !answers.includes(undefined)) problems.push('a code was never redeemed, although all requests were answered');
    counts['codes redeemed several times at once'] += 1;
  }

  async function useTokens(grant: Headers): Promise<void> {
    let answer = await requestToken([200], grant);
    for (let refreshes = 0; answer && refreshes < REFRESHES; refreshes++) {
      const tokens = JSON.parse(answer.text) as { access_token: string; refresh_token: string };
      const path = `/experience/assignments/${randomUUID()}`;
      await ledger.receive(path, sendRequest(url, 'GET', path, undefined, tokens.access_token), ({ status }) => status === 404);
      answer = await requestToken([200], { grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
      if (answer) counts['tokens refreshed'] += 1;
    }
  }

  async function runLogins(): Promise<void> {
    while (!stopped) {
      const verifier = randomBytes(32).toString('base64url');
      const code = await logIn(createHash('sha256').update(verifier).digest('base64url'));
      if (code === undefined) continue;
      counts.logins += 1;
      const grant = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
      await (Math.random() < 0.5 ? redeemCodeConcurrently(grant) : useTokens(grant));
    }
  }

  const running = Promise.all(Array.from({ length: CONCURRENT_LOGINS }, runLogins));
  return {
    counts: counts as Readonly<typeof counts>,
    problems: problems as readonly string[],
    async stop(): Promise<void> {
      stopped = true;
      await running;
    },
  };
}
