import { operations } from '../../../../src/contract/generated/operations.ts';
import { changeHeaders, createProblemReply, type Reply, type Request, SUCCESS } from '../exchange.ts';
import { changeRefusal, type MutantsByRule, replaceReply, type StartMutant } from '../mutant.ts';
import { PRINCIPAL_CLAIM, readClaims } from './world.ts';

const isAboutUsers = ({ operation }: Request): boolean => operation !== undefined && operations[operation].scope === 'users:manage';
const readScheme = ({ headers }: Request): string => headers.authorization?.split(' ')[0] ?? '';
const isJwt = (request: Request): boolean => readClaims(request).client_id !== undefined;

const acceptInsteadOf401 = (isSelected: (request: Request) => boolean): StartMutant =>
  changeRefusal(401, 'any', (_, { request }) => (isSelected(request) ? SUCCESS : undefined));

const refuseWith401 = (isSelected: (request: Request) => boolean): StartMutant =>
  replaceReply('any', (request) =>
    isSelected(request) ? changeHeaders(createProblemReply(401), { 'www-authenticate': 'Bearer' }) : undefined,
  );

const setChallenge = (value: string | undefined) => (reply: Reply) => changeHeaders(reply, { 'www-authenticate': value });

export const authentication = {
  'auth.token.any-client': {
    'Accepts Basic authentication.': acceptInsteadOf401((request) => readScheme(request) === 'Basic'),
    'Accepts the token after any scheme.': acceptInsteadOf401(({ headers }) => /^(?!bearer)\w+ eyJ/i.test(headers.authorization ?? '')),
    'Accepts a token without the scheme.': acceptInsteadOf401(({ headers }) => /^eyJ/.test(headers.authorization ?? '')),
    'Accepts a token in the query.': acceptInsteadOf401(({ query }) => query.access_token !== undefined),
  },
  'auth.token.invalid': { 'Does not verify token signatures.': acceptInsteadOf401(isJwt) },
  'auth.challenge': {
    ...Object.fromEntries(
      ['missing', 'invalid', 'expired'].map((reason) => [
        `Sends no WWW-Authenticate header if the token is ${reason}.`,
        changeRefusal(`auth.token.${reason}`, 'any', setChallenge(undefined)),
      ]),
    ),
    'Sends a Basic challenge whose realm contains the word bearer.': changeRefusal(
      401,
      'any',
      setChallenge('Basic realm="needs a bearer token"'),
    ),
  },
  'auth.scheme.case': {
    'Refuses the scheme names bearer and BEARER.': refuseWith401((request) => /^(bearer|BEARER)$/.test(readScheme(request))),
  },
  'auth.claim.only-users': {
    'Requires the principal claim for every operation.': refuseWith401(
      (request) => !isAboutUsers(request) && isJwt(request) && readClaims(request)[PRINCIPAL_CLAIM] === undefined,
    ),
  },
} satisfies MutantsByRule;
