import { operations } from '../../../../src/contract/generated/operations.ts';
import { type Json, problem, type Reply, type Request, SUCCESS, withHeaders } from '../exchange.ts';
import { answerInstead, type ByHand, changeRefusal, type Start } from '../mutant.ts';
import { claimsOf, PRINCIPAL_CLAIM, tokenOf } from './world.ts';

const isAboutUsers = ({ operation }: Request): boolean => operation !== undefined && operations[operation].scope === 'users:manage';
const schemeOf = ({ headers }: Request): string => headers.authorization?.split(' ')[0] ?? '';
const claims = (request: Request): Json => claimsOf(tokenOf(request));
const isJwt = (request: Request): boolean => claims(request).client_id !== undefined;

/** A mutant that answers with a success to requests that the kit refuses with 401. */
const accept = (isMeant: (request: Request) => boolean): Start =>
  changeRefusal(401, 'any', (_, { request }) => (isMeant(request) ? SUCCESS : undefined));

/** A mutant that refuses with 401 the requests that `isMeant` selects. */
const refuse = (isMeant: (request: Request) => boolean): Start =>
  answerInstead('any', (request) => (isMeant(request) ? withHeaders(problem(401), { 'www-authenticate': 'Bearer' }) : undefined));

const withChallenge = (value: string | undefined) => (reply: Reply) => withHeaders(reply, { 'www-authenticate': value });

export const authentication = {
  'auth.token.any-client': {
    'Accepts other schemes than Bearer.': accept((request) => schemeOf(request) === 'Basic'),
    'Accepts a token in the query.': accept(({ query }) => query.access_token !== undefined),
  },
  'auth.token.invalid': { 'Does not verify the signatures of tokens.': accept(isJwt) },
  'auth.challenge': {
    ...Object.fromEntries(
      ['missing', 'invalid', 'expired'].map((reason) => [
        `Sends no WWW-Authenticate header if the token is ${reason}.`,
        changeRefusal(`auth.token.${reason}`, 'any', withChallenge(undefined)),
      ]),
    ),
    'Sends a Basic challenge with bearer in its realm.': changeRefusal(401, 'any', withChallenge('Basic realm="needs a bearer token"')),
  },
  'auth.scheme.case': {
    'Refuses the scheme in lower case and in capitals.': refuse((request) => /^(bearer|BEARER)$/.test(schemeOf(request))),
  },
  'auth.claim.only-users': {
    'Refuses tokens without the principal claim for every operation.': refuse(
      (request) => !isAboutUsers(request) && isJwt(request) && claims(request)[PRINCIPAL_CLAIM] === undefined,
    ),
  },
} satisfies ByHand;
