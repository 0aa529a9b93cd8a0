import { bodyOf, type Json, type Reply, type Request, withHeaders } from '../exchange.ts';
import type { Kit, RequestHandler, Service, Start } from '../mutant.ts';
import { claimsOf } from './world.ts';

/** Parameters to set; undefined removes one. */
export type Parameters = Readonly<Record<string, string | undefined>>;

export const isAuthorize = ({ method, url }: Request): boolean => method === 'GET' && url.split('?')[0] === '/auth/authorize';
export const isExchange = ({ method, url }: Request): boolean => method === 'POST' && url.split('?')[0] === '/auth/oauth/token';

function merge(given: Iterable<[string, string]>, changes: Parameters): string {
  const all = Object.entries({ ...Object.fromEntries(given), ...changes });
  return new URLSearchParams(all.filter((entry): entry is [string, string] => entry[1] !== undefined)).toString();
}

/** The authorization request with other parameters. */
export function withQuery(request: Request, changes: Parameters): Request {
  const query = merge(Object.entries(request.query), changes);
  return { ...request, url: `/auth/authorize?${query}`, query: Object.fromEntries(new URLSearchParams(query)) };
}

export const formOf = ({ text }: Request): Parameters => Object.fromEntries(new URLSearchParams(text));

/** The token request with other parameters. */
export const withForm = (request: Request, changes: Parameters): Request => ({
  ...request,
  text: merge(new URLSearchParams(request.text), changes),
});

/** The parameters of a redirect; `{}` if it is not one. */
export function redirectOf({ status, headers: { location } }: Reply): Parameters {
  return status < 300 || status >= 400 || !location || !URL.canParse(location) ? {} : Object.fromEntries(new URL(location).searchParams);
}

/** The redirect with other parameters. */
export function withRedirect(reply: Reply, changes: Parameters): Reply {
  const url = new URL(reply.headers.location ?? '');
  url.search = merge(url.searchParams, changes);
  return withHeaders(reply, { location: url.href });
}

export function redirect(to: string, parameters: Parameters): Reply {
  return withRedirect({ status: 303, headers: { location: to }, text: '' }, parameters);
}

/** An error of RFC 6749. */
export function oauthError(status: number, error: string): Reply {
  return { status, headers: { 'content-type': 'application/json', 'cache-control': 'no-store' }, text: JSON.stringify({ error }) };
}

/** The token request as the holder of the client's secret would send it. */
export async function withRightSecret(request: Request, { control }: Kit, clientId = formOf(request).client_id): Promise<Request> {
  const client = await control.find('clients', clientId ?? '');
  const secret = client?.secret === undefined ? undefined : String(client.secret);
  return withForm(request, { client_id: clientId, client_secret: secret, client_assertion: undefined, client_assertion_type: undefined });
}

export const assertionOf = (request: Request): Json => claimsOf(formOf(request).client_assertion);

/** Changes the replies to authorization requests. */
export const changeAuthorize =
  (change: (reply: Reply, request: Request) => Reply | undefined): Start =>
  () => ({
    requests: async (request, service) => {
      const reply = await service(request);
      return (isAuthorize(request) ? change(reply, request) : undefined) ?? reply;
    },
  });

/** Handles token requests. */
export const onExchange =
  (handle: RequestHandler): Start =>
  () => ({
    requests: (request, service, kit) => (isExchange(request) ? handle(request, service, kit) : service(request)),
  });

/** Changes token requests before the kit sees them. */
export const changeExchange = (change: (request: Request, kit: Kit) => Request | undefined | Promise<Request | undefined>): Start =>
  onExchange(async (request, service, kit) => service((await change(request, kit)) ?? request));

/** The authorization request of a token request's code, and the last one that issued a code. */
export interface Codes {
  readonly own: Request | undefined;
  readonly last: Request | undefined;
}

/** Handles token requests by the authorization request that their code was issued for. */
export const onCode =
  (handle: (codes: Codes, request: Request, service: Service, kit: Kit) => Promise<Reply>): Start =>
  () => {
    const issued = new Map<unknown, Request>();
    let last: Request | undefined;
    return {
      requests: async (request, service, kit) => {
        if (isExchange(request)) return handle({ own: issued.get(formOf(request).code), last }, request, service, kit);
        const reply = await service(request);
        const { code } = redirectOf(reply);
        if (isAuthorize(request) && code !== undefined) {
          issued.set(code, request);
          last = request;
        }
        return reply;
      },
    };
  };

/** The token request with a code that was issued just now. */
export async function withFreshCode(request: Request, known: Request, service: Service): Promise<Reply> {
  return service(withForm(request, { code: redirectOf(await service(known)).code }));
}

/** Changes successful token responses. */
export const changeTokens = (change: (reply: Reply, kit: Kit) => Reply | Promise<Reply>): Start =>
  onExchange(async (request, service, kit) => {
    const reply = await service(request);
    return bodyOf(reply).access_token === undefined ? reply : change(reply, kit);
  });
