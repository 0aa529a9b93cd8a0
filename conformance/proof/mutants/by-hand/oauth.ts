import { isSuccess, type Reply, withHeaders } from '../exchange.ts';
import type { ByHand, Start } from '../mutant.ts';
import {
  changeAuthorize,
  formOf,
  onCode,
  onExchange,
  redirect,
  redirectOf,
  withForm,
  withFreshCode,
  withRedirect,
  withRightSecret,
} from './oauth-requests.ts';
import { SCOPES } from './world.ts';

const hasCode = (reply: Reply): boolean => redirectOf(reply).code !== undefined;

const isDenied = (reply: Reply): boolean => redirectOf(reply).error === 'access_denied';

const isRefused = ({ status }: Reply): boolean => status >= 400 && status < 500;

const onApproval = (change: (reply: Reply) => Reply): Start => changeAuthorize((reply) => (hasCode(reply) ? change(reply) : undefined));

const onDenial = (parameters: Readonly<Record<string, string | undefined>>): Start =>
  changeAuthorize((reply) => (isDenied(reply) ? withRedirect(reply, parameters) : undefined));

const changeState = (change: (state: string) => string | undefined, isMeant = hasCode): Start =>
  changeAuthorize((reply) => {
    const { state } = redirectOf(reply);
    return state !== undefined && isMeant(reply) ? withRedirect(reply, { state: change(state) }) : undefined;
  });

const refuseScope = (scope: string): Start =>
  changeAuthorize((reply, { query }) => {
    const scopes = (query.scope ?? '').split(' ');
    // A request with nearly all scopes is one of another check.
    return hasCode(reply) && scopes.includes(scope) && scopes.length < 4
      ? withRedirect(reply, { code: undefined, error: 'invalid_scope' })
      : undefined;
  });

/** Redirects where the kit refuses without a redirect. */
const redirectRefusal = (isMeant: RegExp, parameters: Readonly<Record<string, string>>): Start =>
  changeAuthorize((reply, { query: { redirect_uri: to = '' } }) =>
    isRefused(reply) && URL.canParse(to) && isMeant.test(to) ? redirect(to, parameters) : undefined,
  );

const repeatTokens: Start = () => {
  const given = new Map<string | undefined, Reply>();
  return onExchange(async (request, service) => {
    const { code } = formOf(request);
    const reply = given.get(code) ?? (await service(request));
    if (isSuccess(reply)) given.set(code, reply);
    return reply;
  })();
};

const renewCode = (refusal: RegExp): Start =>
  onCode(async ({ own }, request, service) => {
    const reply = await service(request);
    return !isSuccess(reply) && refusal.test(reply.text) && own ? withFreshCode(request, own, service) : reply;
  });

const compareRedirects = (isSame: (sent: string, right: string) => boolean): Start =>
  onCode(async ({ own }, request, service) => {
    const right = own?.query.redirect_uri ?? '';
    return service(own && isSame(formOf(request).redirect_uri ?? '', right) ? withForm(request, { redirect_uri: right }) : request);
  });

const acceptUnknownCode = (isMeant: (code: string) => boolean): Start =>
  onCode(async ({ own, last }, request, service) =>
    !own && last && isMeant(formOf(request).code ?? '') ? withFreshCode(request, last, service) : service(request),
  );

const UUID = /^[\da-f-]{36}$/;

export const oauth = {
  'oauth.authorize.scopes': Object.fromEntries(
    [...SCOPES, 'offline_access'].map((scope) => [`Refuses the scope ${scope}.`, refuseScope(scope)]),
  ),
  'oauth.callback.code': {
    'Redirects without a code.': onApproval((reply) => withRedirect(reply, { code: undefined })),
    'Calls the code authorization_code.': onApproval((reply) =>
      withRedirect(reply, { code: undefined, authorization_code: redirectOf(reply).code }),
    ),
    'Sends the code in the fragment.': onApproval((reply) => withHeaders(reply, { location: reply.headers.location?.replace('?', '#') })),
    'Sends an error beside the code.': onApproval((reply) => withRedirect(reply, { error: 'access_denied' })),
  },
  'oauth.callback.state': {
    'Sends no state.': changeState(() => undefined),
    'Sends no state with an error.': changeState(() => undefined, isDenied),
    'Sends the state in lower case.': changeState((state) => state.toLowerCase()),
    'Cuts the state at 255 characters.': changeState((state) => state.slice(0, 255)),
    'Decodes a plus in the state.': changeState((state) => state.replaceAll('+', ' ')),
    'Ends the state at an ampersand.': changeState((state) => state.split('&')[0]),
  },
  'oauth.callback.denied': {
    'Sends a code.': onDenial({ error: undefined, error_description: undefined, code: 'a-code' }),
    'Sends no error.': onDenial({ error: undefined }),
    'Sends a code beside the error.': onDenial({ code: 'a-code' }),
  },
  'oauth.authorize.redirect-uri-unknown': {
    'Redirects errors anywhere.': redirectRefusal(/./, { error: 'invalid_request' }),
    'Compares how the address starts.': redirectRefusal(/^http:\/\/127\.0\.0\.1:3000\/callback/, { code: 'a-code' }),
    'Compares paths only.': redirectRefusal(/^https:\/\/elsewhere/, { code: 'a-code' }),
  },
  'oauth.authorize.client-unknown': {
    'Redirects an unknown client.': redirectRefusal(/^http:\/\/127\.0\.0\.1:3000\/callback$/, { error: 'unauthorized_client' }),
  },
  'oauth.code.single-use': { 'Repeats the token.': repeatTokens, 'Issues a new token.': renewCode(/used before/) },
  'oauth.code.short-lived': { 'Accepts expired codes.': renewCode(/expired/) },
  'oauth.code.client': {
    'Accepts codes of other clients.': onCode(async ({ own }, request, service, kit) => {
      const issuedTo = own?.query.client_id;
      return service(
        issuedTo !== undefined && issuedTo !== formOf(request).client_id ? await withRightSecret(request, kit, issuedTo) : request,
      );
    }),
  },
  'oauth.code.redirect-uri': {
    'Accepts every redirect_uri.': compareRedirects(() => true),
    'Compares how redirect_uri starts.': compareRedirects((sent, right) => sent.startsWith(right)),
    'Compares the path of redirect_uri.': compareRedirects((sent, right) => sent.endsWith(right.replace(/^\w+:\/\/[^/]+/, ''))),
  },
  'oauth.code.unknown': {
    'Accepts every UUID.': acceptUnknownCode((code) => UUID.test(code)),
    'Accepts every other code.': acceptUnknownCode((code) => !UUID.test(code)),
  },
} satisfies ByHand;
