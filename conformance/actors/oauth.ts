import type { Answer } from '../../src/expect/answer.ts';
import { parseAccessToken } from '../expect/token.ts';
import type { Capability, Need } from '../target/capabilities.ts';
import { endAsNotTestable } from '../target/check-report.ts';
import { type Content, send } from '../target/send.ts';
import type { ClientSettings } from './api-client.ts';
import { createFlow, describeOutcome, hasCode, type OAuthFlow } from './oauth-flow.ts';
import { ASSERTION_TYPE, removeOAuthSecrets, signAssertion } from './oauth-parameters.ts';

/** `expiring` is a client for the checks of expiry. */
type CredentialKind = 'secret' | 'key' | 'expiring';

interface OAuthSettings extends Omit<ClientSettings, 'form' | 'recordExchange'> {
  readonly recordExchange: (operationId: string, answer: Answer) => void;
  readonly need: Need;
  readonly has: (capability: Capability) => boolean;
  /**
   * Caches, for each client, why a valid flow fails; undefined if it succeeds. A worker's checks share this cache, because a flow may need
   * a person.
   */
  readonly proofs: Map<string, Promise<string | undefined>>;
}

export type OAuth = ReturnType<typeof createOAuth>;

export function createOAuth({ recordExchange, need, has, proofs, ...settings }: OAuthSettings) {
  async function sendAndRecord(operationId: string, method: string, url: string, content: Content) {
    await settings.pace?.();
    const answer = await send(method, url, content, settings);
    const shown = removeOAuthSecrets(answer);
    recordExchange(operationId, shown);
    return { answer, shown };
  }

  async function getClient(kind: CredentialKind) {
    if (kind !== 'key') {
      const { id, secret, redirectUri } = await need(`oauth.${kind}-client`);
      return { clientId: id, redirectUri, authentication: async () => ({ client_secret: secret }) };
    }
    const client = await need('oauth.key-client');
    const authentication = async () => ({ client_assertion_type: ASSERTION_TYPE, client_assertion: await signAssertion(client) });
    return { clientId: client.id, redirectUri: client.redirectUri, authentication };
  }

  async function openFlow(
    kind: CredentialKind = has('oauth.secret-client') || !has('oauth.key-client') ? 'secret' : 'key',
  ): Promise<OAuthFlow> {
    const serverOf = await need('oauth.server', `oauth.${kind}-client`, 'oauth.login-hint', 'oauth.approve');
    return createFlow({
      server: serverOf(settings.baseUrl),
      client: await getClient(kind),
      loginHint: await need('oauth.login-hint'),
      approve: await need('oauth.approve'),
      async get(url, headers) {
        const { answer, shown } = await sendAndRecord('authorize', 'GET', url, { headers: { accept: 'text/html,*/*;q=0.8', ...headers } });
        // `visit` needs the original headers, including secrets, to follow redirects. Reports contain only `shown`.
        return { ...shown, headers: answer.headers };
      },
      async post(url, form, headers) {
        const type = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(Buffer.byteLength(form)) };
        return (await sendAndRecord('token', 'POST', url, { rawBody: form, headers: { ...type, ...headers } })).shown;
      },
    });
  }

  /** Like `openVerifiedFlow`, but with a client whose tokens and codes expire soon, if there is one. */
  const openExpiringFlow = () => openVerifiedFlow(has('oauth.expiring-client') ? 'expiring' : undefined);

  /** Like `openFlow`, but ends the check as not testable if a valid flow fails. */
  async function openVerifiedFlow(kind?: CredentialKind): Promise<OAuthFlow> {
    const good = await openFlow(kind);
    const key = `${settings.baseUrl} ${good.client.clientId}`;
    const proof = proofs.get(key) ?? verifyFlow(good);
    proofs.set(key, proof);
    const missing = await proof;
    if (missing !== undefined) endAsNotTestable(missing);
    return good;
  }

  return { openFlow, openVerifiedFlow, openExpiringFlow };
}

/** @returns the reason why the flow fails; undefined if it returns a token */
async function verifyFlow(flow: OAuthFlow): Promise<string | undefined> {
  const authorization = await flow.authorize();
  if (!hasCode(authorization)) return `the check needs an authorization code, but ${describeOutcome(authorization)}`;
  const answer = await flow.exchangeCode(authorization);
  return parseAccessToken(answer) === undefined
    ? `the check needs an access token, but a valid exchange was answered with ${answer.status}`
    : undefined;
}
