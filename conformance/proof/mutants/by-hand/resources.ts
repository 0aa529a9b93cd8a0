import type { OperationId } from '../../../../src/contract/generated/operations.ts';
import {
  bodyOf,
  idOf,
  isSuccess,
  type Json,
  problem,
  type Reply,
  type Request,
  refusedBy,
  requestOf,
  success,
  withEntities,
  withHeaders,
  withMembers,
} from '../exchange.ts';
import { changeSuccess, type Kit, onRequest, type Service, type Start } from '../mutant.ts';
import { claimsOf, PRINCIPAL_CLAIM, tokenOf } from './world.ts';

// Mutants that work in the same way for assignments, connections and users.

/** The path and the operations of assignments, connections or users. */
export interface Resource {
  readonly path: string;
  readonly list: OperationId;
  readonly get: OperationId;
  readonly create?: OperationId;
  readonly remove?: OperationId;
}

export const ASSIGNMENTS = {
  path: '/experience/assignments',
  list: 'getExperienceAssignments',
  get: 'getExperienceAssignment',
  create: 'createExperienceAssignment',
  remove: 'deleteExperienceAssignment',
} as const satisfies Resource;

export const CONNECTIONS = {
  path: '/experience/connections',
  list: 'getExperienceConnections',
  get: 'getExperienceConnection',
  create: 'createExperienceConnection',
  remove: 'deleteExperienceConnection',
} as const satisfies Resource;

export const USERS = { path: '/users', list: 'getUsers', get: 'getUser' } as const satisfies Resource;

export const PAST = '2001-01-01T00:00:00.000Z';

export const entitiesOf = (reply: Reply): Json[] => (bodyOf(reply).entities ?? []) as Json[];

/** Reads a list to its end. @returns all entities that the caller of the request may see */
export async function list(
  { path }: Resource,
  query: Readonly<Record<string, string>>,
  { headers }: Request,
  service: Service,
): Promise<Json[]> {
  const entities: Json[] = [];
  for (let cursor: unknown; ; ) {
    const search = new URLSearchParams({ ...query, ...(typeof cursor === 'string' && { cursor }) });
    const page = await service(requestOf('GET', `${path}?${search}`, headers, ''));
    entities.push(...entitiesOf(page));
    cursor = bodyOf(page).cursor;
    if (typeof cursor !== 'string') return entities;
  }
}

/** Lists the entities in all accounts for which the caller has a grant. */
async function listAll(resource: Resource, request: Request, service: Service, { control }: Kit): Promise<Json[]> {
  const principal = await control.find('principals', String(claimsOf(tokenOf(request))[PRINCIPAL_CLAIM]));
  const found: Json[] = [];
  for (const alias of Object.keys((principal?.accounts ?? {}) as object)) {
    const account = await control.find('accounts', alias);
    found.push(...(await list(resource, { accountId: String(account?.id) }, request, service)));
  }
  return found;
}

/** Whether an entity matches a query. Query parameters that are not members of the entity are ignored. */
export function fits(entity: Json, query: Request['query']): boolean {
  return Object.entries(query).every(([name, value]) => !(name in entity) || entity[name] === value);
}

/** A mutant that ignores one of the filters of a list. */
export function ignoreFilter(resource: Resource, ignored: string): Start {
  return changeSuccess(resource.list, async (reply, { request, service, kit }) => {
    const { [ignored]: value, ...filters } = request.query;
    if (value === undefined || bodyOf(reply).cursor !== null) return undefined;
    const found = (await listAll(resource, request, service, kit)).filter((entity) => fits(entity, filters));
    return withEntities(reply, (own) => [...own, ...found.filter(({ id }) => own.every((each) => each.id !== id))]);
  });
}

/** A mutant that leaves entities out of lists. */
export function leaveOut(resource: Resource, isLeftOut: (entity: Json) => boolean): Start {
  return changeSuccess(resource.list, (reply) => withEntities(reply, (all) => all.filter((entity) => !isLeftOut(entity))));
}

/**
 * A mutant that lists the entities of all accounts. The mutant calls the kit with a token without a principal, and such a token may read
 * all accounts.
 */
export function listForAnybody(resource: Resource): Start {
  return changeSuccess(resource.list, async (_, { request, service, kit }) => {
    const token = await kit.control.token({ client: claimsOf(tokenOf(request)).client_id });
    return service(withHeaders(request, { authorization: `Bearer ${token}` }));
  });
}

/** A mutant that still returns deleted entities: `read` by id, or `listed` in lists. */
export function keepDeleted({ list: listing, get, remove }: Resource, where: 'read' | 'listed'): Start {
  return () => {
    const deleted = new Map<string, Json>();
    return {
      requests: async (request, service) => {
        const { operation, url, headers, query } = request;
        const before = operation === remove ? await service(requestOf('GET', url, headers, '')) : undefined;
        const reply = await service(request);
        if (before && isSuccess(before) && isSuccess(reply)) deleted.set(idOf(request), bodyOf(before));
        const found = deleted.get(idOf(request));
        if (where === 'read' && operation === get && found) return success(200, found);
        return where === 'listed' && operation === listing && isSuccess(reply)
          ? withEntities(reply, (all) => [...all, ...[...deleted.values()].filter((entity) => fits(entity, query))])
          : reply;
      },
    };
  };
}

/** A mutant that changes `members` of every entity that is read after the first reply that `isCause` selects. */
export function showAfter({ get }: Resource, isCause: (reply: Reply, request: Request) => boolean, members: Json): Start {
  return () => {
    let isChanged = false;
    return {
      requests: async (request, service) => {
        const reply = await service(request);
        isChanged ||= isCause(reply, request);
        return isChanged && request.operation === get && isSuccess(reply) ? withMembers(reply, members) : reply;
      },
    };
  };
}

/** A mutant that returns a later updatedAt after the given rule was the reason for a refusal. */
export function touchWhen(rule: string, resource: Resource): Start {
  return showAfter(resource, (reply) => refusedBy(reply) === rule, { updatedAt: '2036-01-01T00:00:00.000Z' });
}

/** A mutant that lists entities although it refused to create them. */
export function listRefused({ list: listing, create }: Resource): Start {
  return () => {
    const refused: Json[] = [];
    return {
      requests: async (request, service) => {
        const { operation, query } = request;
        const reply = await service(request);
        if (operation === create && !isSuccess(reply)) refused.push({ id: 'refused', ...bodyOf(request) });
        const isListed = operation === listing && isSuccess(reply);
        return isListed ? withEntities(reply, (all) => [...all, ...refused.filter((entity) => fits(entity, query))]) : reply;
      },
    };
  };
}

/** Mutants that cannot create an entity again after it was deleted. They refuse the creation, or use the id of the deleted entity again. */
export function createAgain(resource: Resource): Readonly<Record<string, Start>> {
  return {
    'Refuses to create what was deleted.': onCreateAgain(resource, () => problem(409)),
    'Gives the id of what was deleted to what is created again.': onCreateAgain(resource, (reply, id) => withMembers(reply, { id })),
  };
}

/** @param change changes the reply to a creation whose body equals the body of a deleted entity @param id the id of the deleted entity */
function onCreateAgain({ create, remove }: Resource, change: (reply: Reply, id: string) => Reply): Start {
  return () => {
    const created = new Map<string, string>();
    const deleted = new Map<string | undefined, string>();
    return {
      requests: async (request, service) => {
        const { operation, text } = request;
        const reply = await service(request);
        if (!isSuccess(reply)) return reply;
        if (operation === remove) deleted.set(created.get(idOf(request)), idOf(request));
        if (operation !== create) return reply;
        created.set(bodyOf(reply).id, text);
        const deletedId = deleted.get(text);
        return deletedId === undefined ? reply : change(reply, deletedId);
      },
    };
  };
}

/** A mutant that answers every request to a URL with the first successful reply to that URL. */
export function repeatFirst(reads: OperationId | readonly OperationId[]): Start {
  return () => {
    const firsts = new Map<string, Reply>();
    return onRequest(reads, async (request, service) => {
      const reply = firsts.get(request.url) ?? (await service(request));
      if (isSuccess(reply)) firsts.set(request.url, reply);
      return reply;
    })();
  };
}
