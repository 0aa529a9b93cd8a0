import { accessTokenOf, createFlow, type Flow, type FlowClient, hasCode, whatCame } from '../actors/oauth-flow.ts';
import { ASSERTION_TYPE, assertionOf } from '../actors/oauth-parts.ts';
import { withoutOAuthSecrets } from '../actors/oauth-secrets.ts';
import type { Capabilities } from '../target/capabilities.ts';
import { notTestable } from '../target/not-testable.ts';
import { send } from '../target/send.ts';
import type { Target } from '../target/target.ts';
import { test as base, SILENT } from './test.ts';

export interface OAuth {
  /** The requests of the client that authenticates so; absent: of one that there is. */
  flow(kind?: 'secret' | 'key'): Promise<Flow>;
  /** The same, where a good exchange gave a token: what is refused after it is refused for what was changed. Else the check is not testable. */
  proven(kind?: 'secret' | 'key'): Promise<Flow>;
}

export function secretFlowClient({ clientId, secret, redirectUri }: Capabilities['oauth.secret-client']): FlowClient {
  return { clientId, redirectUri, authentication: async () => ({ client_secret: secret }) };
}

export function keyFlowClient(client: Capabilities['oauth.key-client']): FlowClient {
  const { clientId, redirectUri } = client;
  const authentication = async () => ({ client_assertion_type: ASSERTION_TYPE, client_assertion: await assertionOf(client) });
  return { clientId, redirectUri, authentication };
}

// A person who is asked has better things to do than to prove the same for every check.
const proofs = new WeakMap<Target, Map<string, Promise<string | undefined>>>();

/** Playwright's test, for checks of the authorization server. */
export const test = base.extend<{ oauth: OAuth }>({
  oauth: [
    async ({ target, need, has }, use, testInfo) => {
      const baseUrl = target.baseUrlFor(testInfo);
      const { headers: always, timeoutMs, pace } = target.client;
      const settings = { headers: always, timeoutMs };

      async function exchanged(operationId: string, method: string, url: string, call: Parameters<typeof send>[2]) {
        await pace?.();
        const answer = await send(method, url, call, settings);
        const shown = withoutOAuthSecrets(answer);
        target.trail.push({ operationId, answer: shown });
        return { answer, shown };
      }

      async function flow(
        kind: 'secret' | 'key' = has('oauth.secret-client') || !has('oauth.key-client') ? 'secret' : 'key',
      ): Promise<Flow> {
        const serverOf = await need('oauth.server', `oauth.${kind}-client`, 'oauth.login-hint', 'oauth.approve');
        const client =
          kind === 'secret' ? secretFlowClient(await need('oauth.secret-client')) : keyFlowClient(await need('oauth.key-client'));
        return createFlow({
          server: serverOf(baseUrl),
          client,
          loginHint: await need('oauth.login-hint'),
          approve: await need('oauth.approve'),
          async get(url, headers) {
            const { answer, shown } = await exchanged('authorize', 'GET', url, { headers: { accept: 'text/html,*/*;q=0.8', ...headers } });
            // Where a redirect leads is needed whole; it is in no report, as messages tell texts only.
            return { ...shown, headers: answer.headers };
          },
          async post(url, form, headers) {
            const type = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(Buffer.byteLength(form)) };
            return (await exchanged('token', 'POST', url, { rawBody: form, headers: { ...type, ...headers } })).shown;
          },
        });
      }

      async function proven(kind?: 'secret' | 'key'): Promise<Flow> {
        const good = await flow(kind);
        const known = proofs.get(target) ?? new Map<string, Promise<string | undefined>>();
        proofs.set(target, known);
        const key = `${baseUrl} ${good.client.clientId}`;
        const proof = known.get(key) ?? prove(good);
        known.set(key, proof);
        const missing = await proof;
        if (missing !== undefined) notTestable(missing);
        return good;
      }

      await use({ flow, proven });
    },
    SILENT,
  ],
});

/** What is missing: told as a value, for every check that asks has to end as not testable by itself. */
async function prove(flow: Flow): Promise<string | undefined> {
  const asked = await flow.ask();
  if (!hasCode(asked)) return `a code, where ${whatCame(asked)}`;
  const answer = await flow.exchange(asked);
  return accessTokenOf(answer) === undefined ? `a good exchange, which was answered with ${answer.status}` : undefined;
}
