import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { problem, type Reply, type Request, withHeaders } from '../exchange.ts';
import type { SaboteursOf } from '../saboteur.ts';
import { atAuthorize, carriedBy, carrying, redirect } from './authorization-requests.ts';

const scopesOf = ({ query }: Request): string[] => (query.scope ?? '').split(' ');
const SCOPES = [
  'experience-connections:manage',
  'experience-assignments:manage',
  'experience-assignability:check',
  'users:manage',
  'offline_access',
];
const hasCode = (reply: Reply): boolean => carriedBy(reply).code !== undefined;
const isDenied = (reply: Reply): boolean => carriedBy(reply).error === 'access_denied';

/** A server that does not know the scope. */
const without = (scope: string) =>
  atAuthorize(`Refuses the scope ${scope}.`, (reply, request) =>
    hasCode(reply) && scopesOf(request).includes(scope) && scopesOf(request).length < 4
      ? carrying(reply, { code: undefined, error: 'invalid_scope' })
      : undefined,
  );

const [first = '', ...rest] = SCOPES;

/** A server that changes the state of every redirect to redirect_uri. */
const changingState = (does: string, change: (state: string) => string | undefined, concerns: (reply: Reply) => boolean = hasCode) =>
  atAuthorize(does, (reply) => {
    const { state } = carriedBy(reply);
    return state !== undefined && concerns(reply) ? carrying(reply, { state: change(state) }) : undefined;
  });

/** Where a request asks to be sent; undefined where that is no address. */
const wanted = ({ query }: Request): string | undefined => (URL.canParse(query.redirect_uri ?? '') ? query.redirect_uri : undefined);
const isRefusedHere = ({ status }: Reply): boolean => status >= 400 && status < 500;

/** Servers that break one rule each. */
export const authorizationCallback = {
  'oauth.authorize.scopes': [without(first), ...rest.map(without)],
  'oauth.callback.code': [
    atAuthorize('Redirects without a code.', (reply) => (hasCode(reply) ? carrying(reply, { code: undefined }) : undefined)),
    atAuthorize('Calls the code authorization_code.', (reply) => {
      const { code } = carriedBy(reply);
      return code === undefined ? undefined : carrying(reply, { code: undefined, authorization_code: code });
    }),
    atAuthorize('Sends the code in the fragment.', (reply) =>
      hasCode(reply) ? withHeaders(reply, { location: String(reply.headers.location).replace('?', '#') }) : undefined,
    ),
    atAuthorize('Redirects to the root of the client’s host.', (reply) =>
      hasCode(reply) ? withHeaders(reply, { location: String(reply.headers.location).replace('/callback?', '/?') }) : undefined,
    ),
    atAuthorize('Fails where the user approves.', (reply) => (hasCode(reply) ? problem(500) : undefined)),
    atAuthorize('Says access_denied beside the code.', (reply) =>
      hasCode(reply) ? carrying(reply, { error: 'access_denied' }) : undefined,
    ),
  ],
  'oauth.callback.state': [
    changingState('Leaves the state out.', () => undefined),
    changingState('Leaves the state out of errors.', () => undefined, isDenied),
    changingState('Makes the state lower case.', (state) => state.toLowerCase()),
    changingState('Cuts the state off at 255 characters.', (state) => state.slice(0, 255)),
    changingState('Takes a plus in the state for a space.', (state) => state.replaceAll('+', ' ')),
    changingState('Decodes the state twice.', (state) => state.replaceAll('%20', ' ')),
    changingState('Does not encode the state: it ends at an ampersand.', (state) => state.split('&')[0]),
  ],
  'oauth.callback.denied': [
    atAuthorize('Gives a code where the user denies.', (reply) =>
      isDenied(reply) ? carrying(reply, { error: undefined, error_description: undefined, code: 'a-code-nevertheless' }) : undefined,
    ),
    atAuthorize('Says nothing of an error where the user denies.', (reply) =>
      isDenied(reply) ? carrying(reply, { error: undefined }) : undefined,
    ),
    atAuthorize('Gives a code beside the error.', (reply) =>
      isDenied(reply) ? carrying(reply, { code: 'a-code-nevertheless' }) : undefined,
    ),
  ],
  'oauth.authorize.redirect-uri-unknown': [
    atAuthorize('Tells errors to any redirect_uri.', (reply, request) => {
      const to = wanted(request);
      return isRefusedHere(reply) && to !== undefined ? redirect(to, { error: 'invalid_request', state: request.query.state }) : undefined;
    }),
    atAuthorize('Compares only where the redirect_uri begins.', (reply, request) => {
      const to = wanted(request);
      return isRefusedHere(reply) && to?.startsWith('http://127.0.0.1:3000/callback') ? redirect(to, { code: 'a-code' }) : undefined;
    }),
    atAuthorize('Compares paths only.', (reply, request) => {
      const to = wanted(request);
      return isRefusedHere(reply) && to?.startsWith('https://elsewhere') ? redirect(to, { code: 'a-code' }) : undefined;
    }),
  ],
  'oauth.authorize.client-unknown': [
    atAuthorize('Tells unknown clients by a redirect that they are unknown.', (reply, request) => {
      const to = wanted(request);
      return isRefusedHere(reply) && to === 'http://127.0.0.1:3000/callback' ? redirect(to, { error: 'unauthorized_client' }) : undefined;
    }),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['authorization']>>;
