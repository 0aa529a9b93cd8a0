import { operations } from '../../../../src/contract/generated/operations.ts';
import { isSuccess, type Json, type Reply, type Request, withHeaders } from '../exchange.ts';
import { type Behind, misreading, remembering, type Saboteur, saboteur } from '../saboteur.ts';

const PRINCIPAL_CLAIM = 'urn:example:claims:principal_id';

export const isAboutUsers = ({ operation }: Request): boolean => operation !== undefined && operations[operation].scope === 'users:manage';

export const isMissing = ({ headers }: Request): boolean => headers.authorization === undefined;

/** The token of a bearer; undefined where there is none. */
export function tokenOf({ headers }: Request): string | undefined {
  return /^bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1];
}

export function withToken(request: Request, token: string): Request {
  return withHeaders(request, { authorization: `Bearer ${token}` });
}

/** What a JWT says, whoever signed it; undefined for a text that is none. */
function claimsOf(request: Request): Json | undefined {
  const [, payload] = tokenOf(request)?.split('.') ?? [];
  try {
    return payload === undefined ? undefined : (JSON.parse(Buffer.from(payload, 'base64url').toString()) as Json);
  } catch {
    return undefined;
  }
}

export function isExpired(request: Request): boolean {
  return (claimsOf(request)?.exp ?? Number.POSITIVE_INFINITY) * 1000 <= Date.now();
}

/** Whether there is a token in its time that says nobody's name. */
export function lacksPrincipal(request: Request): boolean {
  const claims = claimsOf(request);
  return claims !== undefined && claims[PRINCIPAL_CLAIM] === undefined && !isExpired(request);
}

/** Whether a token that got 401 got it for none of the other reasons. */
export function isInvalid(request: Request): boolean {
  return tokenOf(request) !== undefined && !isExpired(request) && !(isAboutUsers(request) && lacksPrincipal(request));
}

export const isNoJwt = (request: Request): boolean => tokenOf(request) !== undefined && claimsOf(request) === undefined;

/** A server that answers some requests otherwise than with 401. */
export function refusing(
  does: string,
  concerns: (request: Request) => boolean,
  answer: (reply: Reply, request: Request) => Reply | undefined,
): Saboteur {
  return saboteur(does, 'any', (reply, request) => (reply.status === 401 && concerns(request) ? answer(reply, request) : undefined));
}

/** A server that believes what some tokens say, whoever signed them and however long ago. */
export function believing(does: string, concerns: (request: Request) => boolean): Saboteur {
  return misreading(does, 'any', (request, behind) => (concerns(request) ? reissued(request, behind) : undefined));
}

async function reissued(request: Request, { control }: Behind): Promise<Request | undefined> {
  const { client_id: client, scope, [PRINCIPAL_CLAIM]: principal } = claimsOf(request) ?? {};
  return client === undefined ? undefined : withToken(request, await control.token({ client, principal, scopes: scope.split(' ') }));
}

/** A server that answers some requests without a good token as if somebody of the demo world had sent them, or whoever sent the last good one. */
export function takingForKnown(
  does: string,
  concerns: (request: Request) => boolean,
  somebody: { readonly client: string; readonly principal: string } = { client: 'acme-web', principal: 'manager' },
): Saboteur {
  return remembering(does, () => {
    let known: string | undefined;
    return async (request, service, { control }) => {
      if (request.operation !== undefined && concerns(request))
        return service(withToken(request, known ?? (await control.token(somebody))));
      const reply = await service(request);
      if (isSuccess(reply)) known = tokenOf(request) ?? known;
      return reply;
    };
  });
}
