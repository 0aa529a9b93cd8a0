import { operations } from '../../../../src/contract/generated/operations.ts';
import { type Json, problem, type Reply, type Request, success, withHeaders } from '../exchange.ts';
import { answerInstead, type ByHand, changeReply, changeRequest, type Start } from '../mutant.ts';
import { claimsOf, PRINCIPAL_CLAIM, tokenOf, withToken } from './world.ts';

type Where = (request: Request) => boolean;

const isAboutUsers: Where = ({ operation }) => operation !== undefined && operations[operation].scope === 'users:manage';
const isRead: Where = ({ method }) => method === 'GET';
const isDelete: Where = ({ method }) => method === 'DELETE';
const schemeOf = ({ headers }: Request): string | undefined => headers.authorization?.split(' ')[0];
const claims = (request: Request): Json => claimsOf(tokenOf(request));
const isJwt: Where = (request) => claims(request).client_id !== undefined;

const isMissing: Where = ({ headers }) => headers.authorization === undefined;
const isExpired: Where = (request) => (claims(request).exp ?? Number.POSITIVE_INFINITY) * 1000 <= Date.now();
const lacksPrincipal: Where = (request) => isJwt(request) && claims(request)[PRINCIPAL_CLAIM] === undefined && !isExpired(request);
const isInvalid: Where = (request) =>
  tokenOf(request) !== undefined && !isExpired(request) && !(isAboutUsers(request) && lacksPrincipal(request));
const isNoJwt: Where = (request) => tokenOf(request) !== undefined && !isJwt(request);
const both =
  (...parts: readonly Where[]): Where =>
  (request) =>
    parts.every((part) => part(request));

/** Replaces the 401 for the requests that `where` selects. */
const answer401 = (where: Where, answer: (request: Request, reply: Reply) => Reply): Start =>
  changeReply('any', (reply, request) => (reply.status === 401 && where(request) ? answer(request, reply) : undefined));

/** Accepts the claims of a token without checking its signature or expiry. */
const believe = (where: Where): Start =>
  changeRequest('any', async (request, { control }) => {
    const { client_id: client, scope, [PRINCIPAL_CLAIM]: principal } = claims(request);
    if (client === undefined || !where(request)) return undefined;
    return withToken(request, await control.token({ client, principal, scopes: String(scope).split(' ') }));
  });

/** Takes requests without a good token for requests of a client that it knows. */
const trust = (where: Where, principal = 'manager'): Start =>
  changeRequest('any', async (request, { control }) =>
    request.operation !== undefined && where(request)
      ? withToken(request, await control.token({ client: 'acme-web', principal }))
      : undefined,
  );

const challenge = (value: string | undefined) => (_: Request, reply: Reply) => withHeaders(reply, { 'www-authenticate': value });

/** Refuses requests with a good token. */
const refuse = (code: number, where: Where): Start =>
  answerInstead('any', (request) =>
    where(request)
      ? withHeaders(problem(code), { 'www-authenticate': code === 401 ? 'Bearer error="invalid_token"' : undefined })
      : undefined,
  );
const refuseScheme = (code: number, spelling: RegExp): Start =>
  refuse(code, (request) => tokenOf(request) !== undefined && spelling.test(schemeOf(request) ?? ''));
const needPrincipal = (code: number, where: Where = () => true): Start =>
  refuse(code, (request) => !isAboutUsers(request) && lacksPrincipal(request) && where(request));

export const authentication = {
  'auth.token.any-client': {
    'Takes the password of Basic for a token.': changeRequest('any', (request) => {
      const [, encoded] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? [];
      return encoded === undefined
        ? undefined
        : withToken(
            request,
            Buffer.from(encoded, 'base64')
              .toString()
              .replace(/^[^:]*:/, ''),
          );
    }),
    'Accepts a token in the query.': changeRequest('any', (request) =>
      isMissing(request) && request.query.access_token ? withToken(request, request.query.access_token) : undefined,
    ),
    'Accepts every scheme but Bearer without looking.': trust(
      (request) => !isMissing(request) && schemeOf(request)?.toLowerCase() !== 'bearer',
    ),
  },
  'auth.token.missing': {
    'Redirects to a login page without a token.': answer401(isMissing, () => ({ ...success(302), headers: { location: '/login' } })),
    'Lets everybody read.': trust(both(isMissing, isRead)),
    'Lets everybody delete.': trust(both(isMissing, isDelete)),
  },
  'auth.token.invalid': {
    'Does not verify signatures.': believe((request) => !isExpired(request) && !lacksPrincipal(request)),
    'Accepts what is not a JWT.': trust(isNoJwt),
  },
  'auth.token.expired': {
    'Accepts expired tokens.': believe(isExpired),
  },
  'auth.challenge': {
    'Sends no challenge without a token.': answer401(isMissing, challenge(undefined)),
    'Sends no challenge to an invalid token.': answer401(isInvalid, challenge(undefined)),
    'Sends no challenge to an expired token.': answer401(isExpired, challenge(undefined)),
    'Names Bearer in the realm of Basic.': answer401(() => true, challenge('Basic realm="needs a bearer token"')),
  },
  'auth.scheme.case': {
    'Knows the scheme as Bearer only.': refuseScheme(401, /^(?!Bearer$)/),
    'Does not know the scheme in capitals.': refuseScheme(401, /^BEARER$/),
    'Answers 400 to the scheme in lower case.': refuseScheme(400, /^bearer$/),
  },
  'auth.claim.principal': {
    'Takes a token without the principal claim for one of a principal who sees nothing.': trust(
      both(isAboutUsers, lacksPrincipal),
      'outsider',
    ),
  },
  'auth.claim.only-users': {
    'Needs the principal claim everywhere.': needPrincipal(401),
    'Answers 403 without the principal claim everywhere.': needPrincipal(403),
    'Needs the principal claim for changes.': needPrincipal(401, (request) => !isRead(request)),
  },
} satisfies ByHand;
