import { type OperationId, operations } from '../../../../src/contract/generated/operations.ts';
import {
  changeEntities,
  changeHeaders,
  changeMembers,
  createProblemReply,
  createSuccessReply,
  isSuccess,
  type Json,
  parseBody,
  parseRequest,
  type Reply,
  type Request,
  readRefusal,
} from '../exchange.ts';
import { changeSuccess, handleRequests, type Kit, type Service, type StartMutant } from '../mutant.ts';
import { findGrants, readClaims } from './world.ts';

// Mutants that work in the same way for assignments, connections and users.

interface Resource {
  readonly list: OperationId;
  readonly get: OperationId;
  readonly create?: OperationId;
  readonly update?: OperationId;
  readonly remove?: OperationId;
}

export const ASSIGNMENTS = {
  list: 'getExperienceAssignments',
  get: 'getExperienceAssignment',
  create: 'createExperienceAssignment',
  remove: 'deleteExperienceAssignment',
} as const satisfies Resource;

export const CONNECTIONS = {
  list: 'getExperienceConnections',
  get: 'getExperienceConnection',
  create: 'createExperienceConnection',
  update: 'updateExperienceConnection',
  remove: 'deleteExperienceConnection',
} as const satisfies Resource;

export const USERS = { list: 'getUsers', get: 'getUser' } as const satisfies Resource;

export const readEntities = (reply: Reply): Json[] => (parseBody(reply).entities ?? []) as Json[];

/** @returns all entities that the request's caller may see */
export async function list(
  { list: listing }: Resource,
  query: Readonly<Record<string, string>>,
  headers: Request['headers'],
  service: Service,
): Promise<Json[]> {
  const entities: Json[] = [];
  for (let cursor: unknown; ; ) {
    const search = new URLSearchParams({ ...query, ...(typeof cursor === 'string' && { cursor }) });
    const page = await service(parseRequest('GET', `${operations[listing].forms.prefixed}?${search}`, headers, ''));
    entities.push(...readEntities(page));
    cursor = parseBody(page).cursor;
    if (typeof cursor !== 'string') return entities;
  }
}

/** Lists the assignments of the connection that a request is about. */
export async function listAssigned({ url, headers }: Request, service: Service): Promise<Json[]> {
  const { accountId, experienceId } = parseBody(await service(parseRequest('GET', url, headers, '')));
  return list(ASSIGNMENTS, { accountId, experienceId }, headers, service);
}

/** Lists the entities in all accounts for which the caller has a grant. */
async function listAll(resource: Resource, request: Request, service: Service, kit: Kit): Promise<Json[]> {
  const found: Json[] = [];
  for (const alias of Object.keys(await findGrants(request, kit))) {
    const account = await kit.control.find('accounts', alias);
    found.push(...(await list(resource, { accountId: String(account?.id) }, request.headers, service)));
  }
  return found;
}

/** Whether an entity matches a query, ignoring parameters that the entity does not have. */
function matchesQuery(entity: Json, query: Request['query']): boolean {
  return Object.entries(query).every(([name, value]) => !(name in entity) || entity[name] === value);
}

export function ignoreFilter(resource: Resource, ignored: string): StartMutant {
  return changeSuccess(resource.list, async (reply, { request, service, kit }) => {
    const { [ignored]: value, ...filters } = request.query;
    if (value === undefined || parseBody(reply).cursor !== null) return undefined;
    const found = (await listAll(resource, request, service, kit)).filter((entity) => matchesQuery(entity, filters));
    return changeEntities(reply, (own) => [...own, ...found.filter(({ id }) => own.every((each) => each.id !== id))]);
  });
}

export function omitEntities(resource: Resource, isLeftOut: (entity: Json) => boolean): StartMutant {
  return changeSuccess(resource.list, (reply) => changeEntities(reply, (all) => all.filter((entity) => !isLeftOut(entity))));
}

/** A mutant that lists the entities of all accounts, by sending the request with a token that has no principal. */
export function listForAnybody(resource: Resource): StartMutant {
  return changeSuccess(resource.list, async (_, { request, service, kit }) => {
    const token = await kit.control.token({ client: readClaims(request).client_id });
    return service(changeHeaders(request, { authorization: `Bearer ${token}` }));
  });
}

/** @param where `read`: by id; `listed`: in lists */
export function returnDeletedEntities({ list: listing, get, remove }: Resource, where: 'read' | 'listed'): StartMutant {
  return () => {
    const deleted = new Map<string, Json>();
    return handleRequests('any', async (request, service) => {
      const { operation, url, headers, query, id } = request;
      const before = operation === remove ? await service(parseRequest('GET', url, headers, '')) : undefined;
      const reply = await service(request);
      if (before && isSuccess(before) && isSuccess(reply)) deleted.set(id, parseBody(before));
      const found = deleted.get(id);
      if (where === 'read' && operation === get && found) return createSuccessReply(200, found);
      return where === 'listed' && operation === listing && isSuccess(reply)
        ? changeEntities(reply, (all) => [...all, ...[...deleted.values()].filter((entity) => matchesQuery(entity, query))])
        : reply;
    })();
  };
}

export function changeMembersOnceTriggered(
  { get }: Resource,
  isTrigger: (reply: Reply, request: Request) => boolean,
  members: Json,
): StartMutant {
  return () => {
    let isChanged = false;
    return handleRequests('any', async (request, service) => {
      const reply = await service(request);
      isChanged ||= isTrigger(reply, request);
      return isChanged && request.operation === get && isSuccess(reply) ? changeMembers(reply, members) : reply;
    })();
  };
}

export function changeUpdatedAt(rule: string, resource: Resource): StartMutant {
  return changeMembersOnceTriggered(resource, (reply) => readRefusal(reply) === rule, { updatedAt: '2036-01-01T00:00:00.000Z' });
}

/** A mutant that refuses to create a deleted entity again. */
export function refuseRecreation({ create, remove }: Resource): StartMutant {
  return () => {
    const created = new Map<string, string>();
    const deleted = new Set<string | undefined>();
    return handleRequests('any', async (request, service) => {
      const { operation, text, id } = request;
      if (operation === create && deleted.has(text)) return createProblemReply(409);
      const reply = await service(request);
      if (isSuccess(reply) && operation === remove) deleted.add(created.get(id));
      if (isSuccess(reply) && operation === create) created.set(parseBody(reply).id, text);
      return reply;
    })();
  };
}

export function repeatFirstReply(operation: OperationId): StartMutant {
  return () => {
    const firsts = new Map<string, Reply>();
    return handleRequests(operation, async (request, service) => {
      const reply = firsts.get(request.url) ?? (await service(request));
      if (isSuccess(reply)) firsts.set(request.url, reply);
      return reply;
    })();
  };
}

/** @param identify entities with the same result count as one */
export function repeatFirstUpdatedAt(operation: OperationId, identify: (entity: Json) => string): StartMutant {
  return () => {
    const firsts = new Map<string, unknown>();
    return changeSuccess(operation, (reply) => {
      const entity = parseBody(reply);
      const updatedAt = firsts.get(identify(entity)) ?? entity.updatedAt;
      firsts.set(identify(entity), updatedAt);
      return changeMembers(reply, { updatedAt });
    })();
  };
}
