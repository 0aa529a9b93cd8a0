import type { OperationId } from '../../../../src/contract/generated/operations.ts';
import { bodyOf, isSuccess, type Json, problem, type Reply, type Request, requestOf, success, withHeaders } from '../exchange.ts';
import { type Behind, remembering, type Saboteur, type Service, saboteur } from '../saboteur.ts';
import { refusedBy, whereRefused } from './refused.ts';
import { callerOf, entitiesOf, grantsOf } from './users-world.ts';

// What the servers that break a rule about assignments, or about assignability, know of who asks, and of what is there.

type Change = (reply: Reply, request: Request, behind: Behind) => Reply | undefined | Promise<Reply | undefined>;

/** A saboteur that answers otherwise where the service does what it is asked for. */
export function whereDone(operation: OperationId, does: string, answer: Change): Saboteur {
  return saboteur(does, operation, (reply, request, behind) => (isSuccess(reply) ? answer(reply, request, behind) : undefined));
}

/** Servers that answer a token without the scope with success. @param nothing a success that shows, or does, nothing */
export function withoutScope(
  operation: OperationId,
  what: string,
  nothing: (request: Request) => Reply,
): readonly [Saboteur, ...Saboteur[]] {
  return [
    remembering(`${what} to any good token.`, () => async (request, service, behind) => {
      const reply = await service(request);
      if (request.operation !== operation || refusedBy(reply) !== 'auth.missing-scope') return reply;
      return service(await askedBy(request, behind, callerOf(request)));
    }),
    whereRefused(
      'auth.missing-scope',
      operation,
      `Says yes to a token without the scope, but does nothing: ${what.toLowerCase()}.`,
      (_, asked) => nothing(asked),
    ),
  ];
}

/** The same request with a token of this client and principal that has every scope. */
export async function askedBy(
  request: Request,
  { control }: Behind,
  { client, principal }: { readonly client: string; readonly principal?: string | undefined },
): Promise<Request> {
  const token = await control.token({ client, ...(principal && { principal }) });
  return withHeaders(request, { authorization: `Bearer ${token}` });
}

/** The same request without a principal: one that sees all accounts. */
export function withoutPrincipal(request: Request, behind: Behind): Promise<Request> {
  return askedBy(request, behind, { client: callerOf(request).client });
}

/** All assignments that a filter selects, as the list shows them to the same caller. */
export async function selected({ headers }: Request, service: Service, filter: Readonly<Record<string, string>>): Promise<Json[]> {
  const found: Json[] = [];
  for (let cursor: unknown = ''; typeof cursor === 'string'; ) {
    const query = new URLSearchParams({ ...filter, ...(cursor !== '' && { cursor }) });
    const page = await service(requestOf('GET', `/experience/assignments?${query}`, headers, ''));
    found.push(...entitiesOf(page));
    cursor = bodyOf(page).cursor;
  }
  return found;
}

/** The assignments in all other accounts that the caller has to do with. @param filter what they have to match beside */
export async function inOtherAccounts(
  request: Request,
  service: Service,
  behind: Behind,
  filter: Readonly<Record<string, string>> = {},
): Promise<Json[]> {
  const found: Json[] = [];
  for (const alias of Object.keys(await grantsOf(request, behind))) {
    const accountId = String((await behind.control.find('accounts', alias))?.id);
    if (accountId !== request.query.accountId) found.push(...(await selected(request, service, { ...filter, accountId })));
  }
  return found;
}

/** An assignment as the service would show it to whoever may see it. @param id undefined where there is none with this id */
export async function assignmentBehind({ control }: Behind, id: string | undefined): Promise<Json | undefined> {
  const found = id === undefined ? undefined : await control.find('assignments', id);
  if (found === undefined) return undefined;
  const { targetType, target, updatedAt } = found;
  const collection = targetType === 'USER' ? 'users' : 'accounts';
  const targetValue = targetType === 'PHONE_NUMBER' ? target : (await control.find(collection, String(target)))?.id;
  const experienceId = (await control.find('experiences', String(found.experience)))?.id;
  return {
    id: found.id,
    experienceId,
    accountId: await accountOf({ control }, { targetType, targetValue }),
    targetType,
    targetValue,
    updatedAt,
  };
}

/** The account that owns a target; undefined where there is no such target. */
export async function accountOf({ control }: Pick<Behind, 'control'>, { targetType, targetValue }: Json): Promise<string | undefined> {
  const value = String(targetValue);
  if (targetType === 'ACCOUNT') return (await control.find('accounts', value))?.id as string | undefined;
  const owned = await control.find(targetType === 'USER' ? 'users' : 'telephoneNumbers', value);
  return owned && ((await control.find('accounts', String(owned.account)))?.id as string);
}

/** A refusal of what the service had already done: it is undone. */
export async function takenBack(reply: Reply, { control }: Behind, status: number): Promise<Reply> {
  await control.remove('assignments', bodyOf(reply).id);
  return problem(status);
}

/** An account that is not there. */
export const inventedAccount = '5ab07a9e-0000-4000-8000-000000acc001';

/** An assignment that is not there. */
export function invented(members: Json = {}): Json {
  return {
    id: '5ab07a9e-0000-4000-8000-00000000a551',
    experienceId: '5ab07a9e-0000-4000-8000-0000000e9e21',
    accountId: inventedAccount,
    targetType: 'PHONE_NUMBER',
    targetValue: '+12065550199',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...members,
  };
}

/** Whether it is a list with exactly these filters. */
export function isOfFilters({ operation, query }: Request, filters: readonly string[]): boolean {
  const given = Object.keys(query).filter((name) => name !== 'cursor' && name !== 'pageSize');
  return operation === 'getExperienceAssignments' && given.length === filters.length && filters.every((name) => given.includes(name));
}

/** A page without assignments. */
export function emptyPage({ query }: Request): Reply {
  return success(200, { entities: [], cursor: null, pageSize: Number(query.pageSize) || 100 });
}

const NOT_FOUND = {
  getExperienceAssignment: 'assignments.get.not-found',
  deleteExperienceAssignment: 'assignments.delete.not-found',
} as const;
type One = keyof typeof NOT_FOUND;

/** A saboteur of assignments that are not found, by why: not there, or out of the caller's reach. */
export function whereNotFound(
  operation: One,
  cause: 'missing' | 'hidden',
  does: string,
  answer: (id: string) => Reply | undefined,
): Saboteur {
  return whereRefused(NOT_FOUND[operation], operation, does, async (_, { path: { assignmentId = '' } }, behind) =>
    (await behind.exists('assignments', assignmentId)) === (cause === 'hidden') ? answer(assignmentId) : undefined,
  );
}

/** A server that does what it is asked for whomever the token is of. */
export function toAnybody(operation: One, does: string): Saboteur {
  return remembering(does, () => async (request, service, behind) => {
    const reply = await service(request);
    const meant = request.operation === operation && refusedBy(reply) === NOT_FOUND[operation];
    return meant ? service(await withoutPrincipal(request, behind)) : reply;
  });
}
