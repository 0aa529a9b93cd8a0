import { operations } from '../../../../src/contract/generated/operations.ts';
import { refusedBy } from '../derived/refusals.ts';
import { bodyOf, isSuccess, type Json, problem, type Reply, type Request, requestOf, withHeaders } from '../exchange.ts';
import { type Kit, type Operations, onRequest, type Service, type Start } from '../mutant.ts';

export const PRINCIPAL_CLAIM = 'urn:example:claims:principal_id';
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const UNKNOWN_ID = '5ab07a9e-0000-4000-8000-000000000001';
export const SCOPES = [...new Set(Object.values(operations).map(({ scope }) => scope))];

/** Changes the replies of the requests that succeed. */
export function changeSuccess(
  operations: Operations,
  change: (reply: Reply, request: Request, service: Service, kit: Kit) => Reply | undefined | Promise<Reply | undefined>,
): Start {
  return onRequest(operations, async (request, service, kit) => {
    const reply = await service(request);
    return (isSuccess(reply) ? await change(reply, request, service, kit) : undefined) ?? reply;
  });
}

/** Changes the replies that refuse a request by one of these rules, or with one of these statuses. */
export function changeRefusal(
  rules: string | number | readonly string[],
  operations: Operations,
  change: (reply: Reply, request: Request, service: Service, kit: Kit) => Reply | undefined | Promise<Reply | undefined>,
): Start {
  return onRequest(operations, async (request, service, kit) => {
    const reply = await service(request);
    const isMeant = [rules].flat().some((rule) => rule === refusedBy(reply) || rule === reply.status);
    return (isMeant ? await change(reply, request, service, kit) : undefined) ?? reply;
  });
}

/** Refuses what the kit has created: it is removed again. */
export async function undo(collection: 'assignments' | 'connections', reply: Reply, { control }: Kit, status: number): Promise<Reply> {
  await control.remove(collection, bodyOf(reply).id);
  return problem(status);
}

/** The claims of a JWT, without checking its signature; `{}` if it is not a JWT. */
export function claimsOf(token: string | undefined): Json {
  try {
    return JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString()) as Json;
  } catch {
    return {};
  }
}

export function tokenOf({ headers }: Request): string | undefined {
  return /^bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1];
}

export const withToken = (request: Request, token: string): Request => withHeaders(request, { authorization: `Bearer ${token}` });

/** The request with a token of the same client that has every scope; of the same principal, or of none, who sees all accounts. */
export async function withAllScopes(
  request: Request,
  { control }: Kit,
  whose: 'same principal' | 'no principal' = 'same principal',
): Promise<Request> {
  const { client_id: client, [PRINCIPAL_CLAIM]: principal } = claimsOf(tokenOf(request));
  return withToken(request, await control.token({ client, ...(principal && whose === 'same principal' && { principal }) }));
}

/** All entities of a list as the caller is shown them. */
export async function list(
  path: string,
  query: Readonly<Record<string, string | undefined>>,
  { headers }: Request,
  service: Service,
): Promise<Json[]> {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const entities: Json[] = [];
  for (let cursor: unknown; ; ) {
    const search = new URLSearchParams(given);
    if (typeof cursor === 'string') search.set('cursor', cursor);
    const page = await service(requestOf('GET', `${path}?${search}`, headers, ''));
    entities.push(...entitiesOf(page));
    cursor = bodyOf(page).cursor;
    if (typeof cursor !== 'string') return entities;
  }
}

export const entitiesOf = (reply: Reply): Json[] => (bodyOf(reply).entities ?? []) as Json[];

/** The ids of the accounts that the caller has a grant for. */
export async function accountsOf(request: Request, { control }: Kit): Promise<string[]> {
  const principal = await control.find('principals', String(claimsOf(tokenOf(request))[PRINCIPAL_CLAIM]));
  const aliases = Object.keys((principal?.accounts ?? {}) as object);
  return Promise.all(aliases.map(async (alias) => String((await control.find('accounts', alias))?.id)));
}

/** The entities of a list in all accounts that the caller has a grant for, but one. */
export async function listInOtherAccounts(
  path: string,
  query: Readonly<Record<string, string | undefined>>,
  except: unknown,
  request: Request,
  service: Service,
  kit: Kit,
): Promise<Json[]> {
  const found: Json[] = [];
  for (const accountId of await accountsOf(request, kit))
    if (accountId !== except) found.push(...(await list(path, { ...query, accountId }, request, service)));
  return found;
}

/** The entity at the path of a request as anybody with access sees it; undefined if there is none. */
export async function entityAt(request: Request, service: Service, kit: Kit): Promise<Json | undefined> {
  const { headers } = await withAllScopes(request, kit, 'no principal');
  const reply = await service(requestOf('GET', request.url, headers, ''));
  return isSuccess(reply) ? bodyOf(reply) : undefined;
}

/** The parameters of a list that select entities. */
export function filtersOf({ query }: Request): string[] {
  return Object.keys(query).filter((name) => name !== 'cursor' && name !== 'pageSize');
}

/** Each of the three types of targets. */
export const TARGET_TYPES = ['ACCOUNT', 'PHONE_NUMBER', 'USER'] as const;

/** One mutant for each type of target. */
export function forEachType(does: string, start: (type: (typeof TARGET_TYPES)[number]) => Start): Readonly<Record<string, Start>> {
  return Object.fromEntries(TARGET_TYPES.map((type) => [does.replace('TYPE', type), start(type)]));
}
