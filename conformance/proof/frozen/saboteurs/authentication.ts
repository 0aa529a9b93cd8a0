import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { problem, type Request, success, withHeaders } from '../exchange.ts';
import { insteadOf, misreading, type Saboteur, type SaboteursOf } from '../saboteur.ts';
import {
  believing,
  isAboutUsers,
  isExpired,
  isInvalid,
  isMissing,
  isNoJwt,
  lacksPrincipal,
  refusing,
  takingForKnown,
  tokenOf,
  withToken,
} from './authentication-tokens.ts';

const schemeOf = ({ headers }: Request): string | undefined => headers.authorization?.split(' ')[0];
const isRead = ({ method }: Request): boolean => method === 'GET';
const isDelete = ({ method }: Request): boolean => method === 'DELETE';
const emptyList = () => success(200, { entities: [], cursor: null, pageSize: 100 });

/** A server that refuses tokens without the principal claim where they are good. */
const wantingPrincipal = (does: string, status: number, concerns: (request: Request) => boolean = () => true): Saboteur =>
  insteadOf(does, 'any', (request) =>
    !isAboutUsers(request) && lacksPrincipal(request) && concerns(request) ? refusal(status) : undefined,
  );

const challenged = (value: string | undefined) => (reply: ReturnType<typeof problem>) => withHeaders(reply, { 'www-authenticate': value });

function refusal(status: number) {
  return status === 401 ? challenged('Bearer error="invalid_token"')(problem(401)) : problem(status);
}

/** A server that does not know the scheme where it is spelled so. */
const spelling = (does: string, status: number, concerns: (scheme: string | undefined) => boolean): Saboteur =>
  insteadOf(does, 'any', (request) => (tokenOf(request) !== undefined && concerns(schemeOf(request)) ? refusal(status) : undefined));

/** Servers that break one rule each. */
export const authentication: SaboteursOf<Extract<TestableRuleId['openapi'], `auth.${string}`>> = {
  'auth.token.any-client': [
    misreading('Takes the password of Basic for a token.', 'any', (request) => {
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
    misreading('Takes a token in the query, too.', 'any', (request) =>
      isMissing(request) && request.query.access_token ? withToken(request, request.query.access_token) : undefined,
    ),
    takingForKnown(
      'Leaves every scheme but Bearer to the gateway, which knows none.',
      (request) => !isMissing(request) && schemeOf(request)?.toLowerCase() !== 'bearer',
    ),
  ],
  'auth.token.missing': [
    refusing('Answers 403 where there is no token.', isMissing, () => problem(403)),
    refusing('Answers 400 where there is no Authorization header, as one is required.', isMissing, () => problem(400)),
    refusing('Redirects to a login page where there is no token.', isMissing, () => ({ ...success(302), headers: { location: '/login' } })),
    refusing('Lists nothing where there is no token.', (request) => isMissing(request) && isRead(request), emptyList),
    takingForKnown('Lets everybody read.', (request) => isMissing(request) && isRead(request)),
    takingForKnown('Lets everybody delete.', (request) => isMissing(request) && isDelete(request)),
  ],
  'auth.token.invalid': [
    refusing('Answers 403 to an invalid token.', isInvalid, () => problem(403)),
    refusing('Answers 400 to what is no JWT.', isNoJwt, () => problem(400)),
    refusing('Answers 500 to what is no JWT.', isNoJwt, () => problem(500)),
    refusing('Lists nothing to an invalid token.', (request) => isInvalid(request) && isRead(request), emptyList),
    believing('Does not verify signatures.', (request) => !isExpired(request) && !lacksPrincipal(request)),
    believing('Does not verify signatures where something is deleted.', (request) => isDelete(request) && !isExpired(request)),
    takingForKnown('Takes what is no JWT for a key of its own.', (request) => isNoJwt(request)),
  ],
  'auth.token.expired': [
    refusing('Answers 403 to an expired token.', isExpired, () => problem(403)),
    refusing('Answers 419 to an expired token.', isExpired, () => problem(419)),
    believing('Does not look at the time of a token.', isExpired),
    believing('Does not look at the time of a token where something is only read.', (request) => isExpired(request) && isRead(request)),
  ],
  'auth.challenge': [
    refusing('Has no challenge in a 401.', () => true, challenged(undefined)),
    refusing('Has no challenge where there is no token.', isMissing, challenged(undefined)),
    refusing('Has no challenge where the token is invalid.', isInvalid, challenged(undefined)),
    refusing('Has no challenge where the token has expired.', isExpired, challenged(undefined)),
    refusing('Names the scheme Basic in its challenge.', () => true, challenged('Basic realm="experience"')),
    refusing('Speaks of bearers in the realm of another scheme.', () => true, challenged('Basic realm="needs a bearer token"')),
  ],
  'auth.scheme.case': [
    spelling('Knows the scheme as Bearer only.', 401, (scheme) => scheme !== 'Bearer'),
    spelling('Knows the scheme as Bearer and bearer only.', 401, (scheme) => scheme === 'BEARER'),
    spelling('Answers 400 to a scheme in small letters.', 400, (scheme) => scheme === 'bearer'),
  ],
  'auth.claim.principal': [
    refusing('Answers 403 where the principal claim is missing.', lacksPrincipal, () => problem(403)),
    refusing('Answers 400 where the principal claim is missing.', lacksPrincipal, () => problem(400)),
    takingForKnown(
      'Takes whoever has no principal claim for someone who sees nothing.',
      (request) => isAboutUsers(request) && lacksPrincipal(request),
      { client: 'acme-web', principal: 'outsider' },
    ),
  ],
  'auth.claim.only-users': [
    wantingPrincipal('Wants the principal claim everywhere.', 401),
    wantingPrincipal('Answers 403 where the principal claim is missing, everywhere.', 403),
    wantingPrincipal('Wants the principal claim where something is changed.', 401, (request) => !isRead(request)),
  ],
};
