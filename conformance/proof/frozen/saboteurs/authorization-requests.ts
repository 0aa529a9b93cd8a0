import { type Json, type Reply, type Request, withHeaders } from '../exchange.ts';
import { type Behind, remembering, type Sabotage, type Saboteur, type Service } from '../saboteur.ts';

/** Changes of parameters: what is undefined is taken out. */
export type Changes = Readonly<Record<string, string | undefined>>;

export const isAuthorize = ({ method, url }: Request): boolean => method === 'GET' && url.split('?')[0] === '/auth/authorize';
export const isExchange = ({ method, url }: Request): boolean => method === 'POST' && url.split('?')[0] === '/auth/oauth/token';

function changedParameters(given: Iterable<[string, string]>, changes: Changes): string {
  const parameters = Object.entries({ ...Object.fromEntries(given), ...changes });
  return new URLSearchParams(parameters.filter((entry): entry is [string, string] => entry[1] !== undefined)).toString();
}

/** An authorization request with other parameters. */
export function asked(request: Request, changes: Changes): Request {
  const query = changedParameters(Object.entries(request.query), changes);
  return { ...request, url: `/auth/authorize?${query}`, query: Object.fromEntries(new URLSearchParams(query)) };
}

export const formOf = ({ text }: Request): Readonly<Record<string, string | undefined>> => Object.fromEntries(new URLSearchParams(text));

/** A token request with other parameters. */
export function exchanging(request: Request, changes: Changes): Request {
  return { ...request, text: changedParameters(new URLSearchParams(request.text), changes) };
}

/** What a redirect carries; {} where there is none. */
export function carriedBy({ status, headers }: Reply): Readonly<Record<string, string | undefined>> {
  const { location } = headers;
  return status < 300 || status >= 400 || !location || !URL.canParse(location) ? {} : Object.fromEntries(new URL(location).searchParams);
}

/** A redirect that carries something else. */
export function carrying(reply: Reply, changes: Changes): Reply {
  const url = new URL(reply.headers.location ?? '');
  url.search = changedParameters(url.searchParams, changes);
  return withHeaders(reply, { location: url.href });
}

export function redirect(to: string, carried: Changes): Reply {
  const url = new URL(to);
  url.search = changedParameters(url.searchParams, carried);
  return { status: 303, headers: { location: url.href }, text: '' };
}

/** An error in the form of RFC 6749. */
export function oauthError(status: number, error: string): Reply {
  return { status, headers: { 'content-type': 'application/json', 'cache-control': 'no-store' }, text: JSON.stringify({ error }) };
}

/** The request as whoever holds the secret of the client would send it. */
export async function withRightSecret(request: Request, { control }: Behind, clientId = formOf(request).client_id): Promise<Request> {
  const client = await control.find('clients', clientId ?? '');
  const secret = client?.secret === undefined ? undefined : String(client.secret);
  return exchanging(request, { client_id: clientId, client_secret: secret, client_assertion: undefined, client_assertion_type: undefined });
}

/** What a client assertion says, whoever signed it. */
export function claimsOf(assertion: string | undefined): Json {
  try {
    return JSON.parse(Buffer.from(assertion?.split('.')[1] ?? '', 'base64url').toString()) as Json;
  } catch {
    return {};
  }
}

/** A server that answers authorization requests otherwise. @param change gives undefined for those that it leaves as they are. */
export function atAuthorize(does: string, change: (reply: Reply, request: Request, behind: Behind) => Reply | undefined): Saboteur {
  return remembering(does, () => async (request, service, behind) => {
    const reply = await service(request);
    return (isAuthorize(request) && change(reply, request, behind)) || reply;
  });
}

/** A server that reads authorization requests otherwise. */
export function misreadingAuthorize(does: string, change: (request: Request) => Request | undefined): Saboteur {
  return remembering(does, () => async (request, service) => service((isAuthorize(request) && change(request)) || request));
}

type Answering = (request: Request, service: Service, behind: Behind) => Promise<Reply>;

/** A server that answers token requests otherwise. */
export function atExchange(does: string, answer: Answering): Saboteur {
  return remembering(
    does,
    () => async (request, service, behind) => (isExchange(request) ? answer(request, service, behind) : service(request)),
  );
}

/** A server that tries again as `change` says what it should have refused. */
export function forgiving(
  does: string,
  change: (request: Request, behind: Behind) => Request | undefined | Promise<Request | undefined>,
): Saboteur {
  return atExchange(does, async (request, service, behind) => service((await change(request, behind)) ?? request));
}

/** A server that remembers what each code was asked for with. @param last the latest request that gave a code. */
export function knowingCodes(
  does: string,
  answer: (known: Request | undefined, last: Request | undefined, ...rest: Parameters<Sabotage>) => Promise<Reply>,
): Saboteur {
  return remembering(does, () => {
    const requests = new Map<string, Request>();
    let last: Request | undefined;
    return async (request, service, behind) => {
      if (isExchange(request)) return answer(requests.get(formOf(request).code ?? ''), last, request, service, behind);
      const reply = await service(request);
      const { code } = carriedBy(reply);
      if (isAuthorize(request) && code !== undefined) {
        requests.set(code, request);
        last = request;
      }
      return reply;
    };
  });
}
