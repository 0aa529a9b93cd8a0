import { accessTokenOf } from '../expect/token.ts';
import type { Capability } from '../target/capabilities.ts';
import type { Answer } from '../target/exchange.ts';
import type { Need } from '../target/need.ts';
import { notTestable } from '../target/not-testable.ts';
import { type Content, send } from '../target/send.ts';
import type { ClientSettings } from './api-client.ts';
import { createFlow, describeOutcome, type Flow, hasCode } from './oauth-flow.ts';
import { ASSERTION_TYPE, signAssertion, withoutOAuthSecrets } from './oauth-parameters.ts';

type Kind = 'secret' | 'key';

interface Parts extends Omit<ClientSettings, 'form' | 'record'> {
  readonly record: (operationId: string, answer: Answer) => void;
  readonly need: Need;
  readonly has: (capability: Capability) => boolean;
  /** For each client, why a valid flow gave no token. Shared by all checks, because a person may have to log in for each flow. */
  readonly proofs: Map<string, Promise<string | undefined>>;
}

export type OAuth = ReturnType<typeof createOAuth>;

export function createOAuth({ record, need, has, proofs, ...settings }: Parts) {
  async function exchange(operationId: string, method: string, url: string, content: Content) {
    await settings.pace?.();
    const answer = await send(method, url, content, settings);
    const shown = withoutOAuthSecrets(answer);
    record(operationId, shown);
    return { answer, shown };
  }

  async function clientOf(kind: Kind) {
    if (kind === 'secret') {
      const { id, secret, redirectUri } = await need('oauth.secret-client');
      return { clientId: id, redirectUri, authentication: async () => ({ client_secret: secret }) };
    }
    const client = await need('oauth.key-client');
    const authentication = async () => ({ client_assertion_type: ASSERTION_TYPE, client_assertion: await signAssertion(client) });
    return { clientId: client.id, redirectUri: client.redirectUri, authentication };
  }

  /** Makes the flow of the client with this kind of credential. Default: a kind that the target supports. */
  async function flow(kind: Kind = has('oauth.secret-client') || !has('oauth.key-client') ? 'secret' : 'key'): Promise<Flow> {
    const serverOf = await need('oauth.server', `oauth.${kind}-client`, 'oauth.login-hint', 'oauth.approve');
    return createFlow({
      server: serverOf(settings.baseUrl),
      client: await clientOf(kind),
      loginHint: await need('oauth.login-hint'),
      approve: await need('oauth.approve'),
      async get(url, headers) {
        const { answer, shown } = await exchange('authorize', 'GET', url, { headers: { accept: 'text/html,*/*;q=0.8', ...headers } });
        // The returned headers keep their secrets, because `visit` needs them to follow redirects. Reports use only `shown`.
        return { ...shown, headers: answer.headers };
      },
      async post(url, form, headers) {
        const type = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(Buffer.byteLength(form)) };
        return (await exchange('token', 'POST', url, { rawBody: form, headers: { ...type, ...headers } })).shown;
      },
    });
  }

  /**
   * Like `flow`, but first proves that a valid flow gives a token, and otherwise ends the check as not testable. A later refusal is
   * therefore due to the changes that the check makes.
   */
  async function proven(kind?: Kind): Promise<Flow> {
    const good = await flow(kind);
    const key = `${settings.baseUrl} ${good.client.clientId}`;
    const proof = proofs.get(key) ?? missingIn(good);
    proofs.set(key, proof);
    const missing = await proof;
    if (missing !== undefined) notTestable(missing);
    return good;
  }

  return { flow, proven };
}

/**
 * Returns why a valid flow gives no token; undefined if it gives a token. The reason is returned instead of thrown, so that other checks
 * can reuse it.
 */
async function missingIn(flow: Flow): Promise<string | undefined> {
  const authorization = await flow.authorize();
  if (!hasCode(authorization)) return `the check needs an authorization code, but ${describeOutcome(authorization)}`;
  const answer = await flow.exchange(authorization);
  return accessTokenOf(answer) === undefined
    ? `the check needs an access token, but a valid exchange was answered with ${answer.status}`
    : undefined;
}
