import type { OperationId } from '../../../../src/contract/generated/operations.ts';
import { bodyOf, type Json, type Reply, type Request, requestOf, success, withHeaders } from '../exchange.ts';
import { type Behind, remembering, type Saboteur, type Service } from '../saboteur.ts';
import { callerOf, entitiesOf, grantsOf } from './users-world.ts';

// What the servers that break a rule about connections know of who asks, and of what is there.

export type Operation = Extract<OperationId, `${string}ExperienceConnection${string}`>;

/** The connection as the service shows it, to whomever; undefined where there is none. */
export async function connectionShown(id: string, { control }: Behind): Promise<Json | undefined> {
  const connection = await control.find('connections', id);
  if (connection === undefined) return undefined;
  const account = await control.find('accounts', String(connection.account));
  const experience = await control.find('experiences', String(connection.experience));
  const { state, updatedAt } = connection;
  return { id: connection.id, accountId: account?.id, accountName: account?.name, experienceId: experience?.id, state, updatedAt };
}

/** The connection that the path names. */
export function connectionOf({ path }: Request, behind: Behind): Promise<Json | undefined> {
  return connectionShown(path.experienceConnectionId ?? '', behind);
}

/** The same request by the same caller, with a token that has every scope. */
export async function withAllScopes(request: Request, { control }: Behind): Promise<Request> {
  const { client, principal } = callerOf(request);
  const token = await control.token({ client, ...(principal && { principal }) });
  return withHeaders(request, { authorization: `Bearer ${token}` });
}

/** The entities of a list as the same caller is shown them. @param url path and query without a cursor */
export async function entitiesAt(url: string, { headers }: Request, service: Service): Promise<Json[]> {
  const entities: Json[] = [];
  for (let at: string | undefined = url; at !== undefined; ) {
    const page = await service(requestOf('GET', at, headers, ''));
    entities.push(...entitiesOf(page));
    const { cursor } = bodyOf(page);
    at = typeof cursor === 'string' ? `${url}&cursor=${encodeURIComponent(cursor)}` : undefined;
  }
  return entities;
}

/** The connections that the same caller is shown. */
export function listed(request: Request, service: Service, query: Readonly<Record<string, string>>): Promise<Json[]> {
  return entitiesAt(`/experience/connections?${new URLSearchParams(query)}`, request, service);
}

/** The connections of all accounts that the caller has a grant for. */
export async function listedOfAll(request: Request, service: Service, behind: Behind): Promise<Json[]> {
  const all: Json[] = [];
  for (const alias of Object.keys(await grantsOf(request, behind))) {
    const account = await behind.control.find('accounts', alias);
    if (account !== undefined) all.push(...(await listed(request, service, { accountId: String(account.id) })));
  }
  return all;
}

/** The assignments that the same caller would be shown with every scope. */
export async function assignmentsListed(
  request: Request,
  service: Service,
  behind: Behind,
  query: Readonly<Record<string, string>>,
): Promise<Json[]> {
  return entitiesAt(`/experience/assignments?${new URLSearchParams(query)}`, await withAllScopes(request, behind), service);
}

/** Changes the state of a connection twice: it has the same one, and another updatedAt. */
export async function touch({ id, state }: Json, { control }: Behind): Promise<void> {
  await control.change('connections', id, { state: otherThan(state) });
  await control.change('connections', id, { state });
}

export function otherThan(state: unknown): 'ACTIVE' | 'INACTIVE' {
  return state === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE';
}

/** A connection that is not there. */
export function invented(members: Json = {}): Json {
  return {
    id: '5ab07a9e-0000-4000-8000-000000000001',
    accountId: '5ab07a9e-0000-4000-8000-000000000002',
    accountName: 'Invented',
    experienceId: '5ab07a9e-0000-4000-8000-000000000003',
    state: 'INACTIVE',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...members,
  };
}

/** A page of these connections alone. */
export function pageOf({ query }: Request, entities: readonly Json[]): Reply {
  return success(200, { entities, cursor: null, pageSize: Number(query.pageSize) || 100 });
}

/** A saboteur that has more to do before and after what the service does in one operation. */
export function around(
  operation: Operation,
  does: string,
  act: (request: Request, service: Service, behind: Behind) => Promise<Reply>,
): Saboteur {
  return remembering(
    does,
    () => (request, service, behind) => (request.operation === operation ? act(request, service, behind) : service(request)),
  );
}
