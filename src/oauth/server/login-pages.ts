import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import { errors, type InteractionResults, type Provider } from 'oidc-provider';
import { allAccountGrants, allPrincipals, clientById } from '../../store/authorization.ts';
import type { Store } from '../../store/store.ts';
import { findPrincipalByNumber, saveGrant } from './approval.ts';
import { LOGIN_ENDED_MESSAGE } from './artifacts.ts';
import type { AuthorizationContext } from './context.ts';
import type { Form } from './form.ts';
import { formatLoginPage, type LoginPage, sendPage } from './page.ts';
import { createProviderRequest } from './provider-request.ts';
import { isScope, SCOPES } from './scopes.ts';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

export function createLoginHandlers(provider: Provider, issuer: string, context: AuthorizationContext) {
  const { store } = context;

  /** @throws SessionNotFound if the cookie and the path belong to different requests */
  async function findInteraction({ params: { uid } }: Request, request: IncomingMessage, res: ServerResponse): Promise<Interaction> {
    const interaction = await provider.interactionDetails(request, res).catch(throwSessionEnded);
    return interaction.uid === uid ? interaction : throwSessionEnded();
  }

  return {
    async get(req: Request, res: Response): Promise<void> {
      const interaction = await findInteraction(req, createProviderRequest(req, issuer), res);
      const { params, uid } = interaction;
      const client = await clientById.first(store.db, { id: String(params.client_id) });
      const telephoneNumber = typeof params.login_hint === 'string' ? params.login_hint : undefined;
      const html = formatLoginPage({
        client: { name: client?.name ?? '', provider: client?.provider ?? '' },
        scopes: getScopes(interaction).map((scope) => ({ scope, description: SCOPES[scope] })),
        telephoneNumber,
        principals: await listChoices(store, telephoneNumber),
        action: `${new URL(issuer).pathname}/interaction/${uid}`,
      });
      sendPage(res, 200, html);
    },

    async post(req: Request, res: Response, form: Form): Promise<void> {
      // This check is for browsers that do not support SameSite cookies, because they send the login's cookie with another site's form.
      if (!isSameOrigin(req, issuer)) throw new errors.OIDCProviderError(403, 'access_denied', { detail: CROSS_SITE_MESSAGE });
      const request = createProviderRequest(req, issuer);
      const interaction = await findInteraction(req, request, res);
      // Another submission, a reset, or an advance of kit time may have ended the login.
      const finish = (result: InteractionResults) => provider.interactionFinished(request, res, result).catch(throwSessionEnded);
      if (form.answer === 'deny') return finish({ error: 'access_denied', error_description: 'The user denied the request.' });
      if (form.answer !== 'approve') throw new errors.InvalidRequest('Go back, and approve or deny the request.');
      const principal = (await allPrincipals(store.db, {})).find(({ id }) => id === form.principal);
      if (!principal) throw new errors.InvalidRequest('Go back, and select a principal to log in as.');
      const grantId = await saveGrant(provider, {
        accountId: principal.id,
        clientId: String(interaction.params.client_id),
        scopes: getScopes(interaction),
        audience: context.getAuthority().audience,
      });
      return finish({ login: { accountId: principal.id, remember: false }, consent: { grantId } });
    },
  };
}

/** Throws SessionNotFound with a message for users instead of the library's message. */
function throwSessionEnded(error?: unknown): never {
  if (error !== undefined && !(error instanceof errors.SessionNotFound)) throw error;
  throw new errors.SessionNotFound(LOGIN_ENDED_MESSAGE);
}

const CROSS_SITE_MESSAGE = "The form was not sent by this server's login page. Behind a proxy, start the kit with --public-url.";

const getScopes = ({ params }: Interaction) => String(params.scope).split(' ').filter(isScope);

function isSameOrigin({ headers }: IncomingMessage, issuer: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  return headers.origin === undefined || headers.origin === new URL(issuer).origin;
}

async function listChoices(store: Store, number: string | undefined): Promise<LoginPage['principals']> {
  const suggested = number === undefined ? undefined : await findPrincipalByNumber(store, number);
  const grants = Map.groupBy(await allAccountGrants(store.db, {}), ({ principal_id }) => principal_id);
  return (await allPrincipals(store.db, {})).map(({ id, name, telephone_number }) => ({
    id,
    name,
    telephoneNumber: telephone_number ?? undefined,
    accounts: (grants.get(id) ?? []).map((grant) => ({ name: grant.name, level: grant.level === 1 ? 'read' : 'manage' })),
    suggested: id === suggested?.id,
  }));
}
