import { bodyOf, isSuccess, type Json, type Reply, type Request, success } from '../exchange.ts';
import type { Behind, Service } from '../saboteur.ts';
import { refusedBy } from './refused.ts';

// What the servers that break a rule about users know of who asks, and of what is there.

/** The users on a page. */
export function entitiesOf(reply: Reply): Json[] {
  return (bodyOf(reply).entities ?? []) as Json[];
}

/** A page without users, as the service writes it. */
export function emptyPage({ query }: Request, members: Json = {}): Reply {
  return success(200, { entities: [], cursor: null, pageSize: Number(query.pageSize) || 100, count: 0, ...members });
}

/** A user that is not there. */
export function invented(accountId: string | undefined): Json {
  return { id: '5ab07a9e-0000-4000-8000-000000000001', accountId, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: null };
}

/** Who asks, by the claims of a token that the kit takes. */
export function callerOf({ headers }: Request): { readonly client: string; readonly principal: string | undefined } {
  const [, payload = ''] = (headers.authorization ?? '').split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Json;
  return { client: claims.client_id, principal: claims['urn:example:claims:principal_id'] };
}

/** What the caller may do with accounts, by their aliases. */
export async function grantsOf(request: Request, { control }: Behind): Promise<Readonly<Record<string, string>>> {
  const { principal } = callerOf(request);
  const found = principal === undefined ? undefined : await control.find('principals', principal);
  return (found?.accounts ?? {}) as Record<string, string>;
}

/** Whether the caller may read an account, and no more. */
export async function mayOnlyRead(request: Request, accountId: string, behind: Behind): Promise<boolean> {
  const account = await behind.control.find('accounts', accountId);
  return (await grantsOf(request, behind))[String(account?.alias)] === 'read';
}

/** Whether a page has no users because the caller may not view the account, which is there. */
export async function isOfHiddenAccount(reply: Reply, request: Request, behind: Behind): Promise<boolean> {
  if (!isEmptyList(reply)) return false;
  const account = await behind.control.find('accounts', request.query.accountId ?? '');
  return account !== undefined && ['none', undefined].includes((await grantsOf(request, behind))[String(account.alias)]);
}

/** Whether a list has no users at all. */
export function isEmptyList(reply: Reply): boolean {
  return isSuccess(reply) && bodyOf(reply).count === 0;
}

/** The user that is there and that the service does not find, for it is out of the caller's sight. */
export async function userNotShown(reply: Reply, request: Request, behind: Behind): Promise<Json | undefined> {
  return refusedBy(reply) === 'users.get.not-found' ? userAskedFor(request, behind) : undefined;
}

/** The user as the service would show it; undefined where there is none with this unified id. */
export async function userAskedFor({ path }: Request, { control }: Behind): Promise<Json | undefined> {
  const user = await control.find('users', path.userId ?? '');
  if (user === undefined) return undefined;
  const { account, alias: _alias, nativeIds: _nativeIds, ...shown } = user;
  return { ...shown, accountId: (await control.find('accounts', String(account)))?.id };
}

/** All users of an account as the list shows them to the same caller. */
export async function listed({ headers }: Request, service: Service, asked: Readonly<Record<string, string>>): Promise<Json[]> {
  const users: Json[] = [];
  const { cursor: _cursor, ...first } = asked;
  for (let query: Request['query'] | undefined = { ...first, pageSize: '200' }; query !== undefined; ) {
    const url = `/users?${new URLSearchParams(query)}`;
    const page = await service({ method: 'GET', url, operation: 'getUsers', form: 'prefixed', path: {}, query, headers, text: '' });
    users.push(...entitiesOf(page));
    const { cursor } = bodyOf(page);
    query = typeof cursor === 'string' ? { ...query, cursor } : undefined;
  }
  return users;
}
