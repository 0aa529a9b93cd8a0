import type { Request, Response } from 'express';
import type { AuthorizationContext } from './context.ts';
import { type Form, readForm } from './form.ts';
import { createLoginHandlers } from './login-pages.ts';
import { acceptsHtml } from './page.ts';
import { createProvider } from './provider.ts';
import { createProviderRequest } from './provider-request.ts';
import { sendRefusal } from './refuse.ts';
import { readTokenRequest } from './token-request.ts';
import { commitBeforeResponse } from './writes.ts';

/** An authorization request's parameters. Any others are ignored (specification: Authentication; RFC 6749, section 3.1). */
const AUTHORIZATION_PARAMETERS = new Set([
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'login_hint',
]);

export function createServer(issuer: string, context: AuthorizationContext) {
  const provider = createProvider(issuer, context);
  const library = provider.callback();
  const pages = createLoginHandlers(provider, issuer, context);
  type Handler = (req: Request, res: Response, form: Form) => Promise<void>;
  const handle =
    (asPage: (req: Request) => boolean, alwaysStoresEntry: boolean, handler: Handler) =>
    async (req: Request, res: Response): Promise<void> => {
      try {
        // Read the body first, because `commitBeforeResponse` would delay the HTTP server's response to a malformed body.
        const form = req.method === 'POST' ? await readForm(req, res) : {};
        await commitBeforeResponse(res, { ...context, alwaysStoresEntry }, () => handler(req, res, form));
      } catch (error) {
        sendRefusal(context, req, res, error, asPage(req));
      }
    };

  return {
    authorize: handle(acceptsHtml, false, (req, res) => {
      const at = req.url.indexOf('?');
      const query = [...new URLSearchParams(at < 0 ? '' : req.url.slice(at + 1))].filter(([name]) => AUTHORIZATION_PARAMETERS.has(name));
      return library(createProviderRequest(req, issuer, { path: `/authorize?${new URLSearchParams(query)}` }), res);
    }),
    resume: handle(acceptsHtml, false, (req, res) => {
      const path = `/authorize/${encodeURIComponent(String(req.params.uid))}`;
      return library(createProviderRequest(req, issuer, { path }), res);
    }),
    showLogin: handle(() => true, false, pages.get),
    submitLogin: handle(() => true, false, pages.post),
    token: handle(
      () => false,
      true,
      async (req, res, form) => {
        const parameters = readTokenRequest(form, req.headers.authorization, context.decisions);
        await library(createProviderRequest(req, issuer, { path: '/oauth/token', form: parameters }), res);
      },
    ),
  };
}
