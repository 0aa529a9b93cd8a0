import type { OperationId } from '../../../../src/contract/generated/operations.ts';
import { bodyOf, isSuccess, type Json, problem, type Reply, type Request, withEntities, withJson } from '../exchange.ts';
import type { Kit, Service, Start } from '../mutant.ts';
import { changeRefusal, list, listInOtherAccounts, withAllScopes } from './world.ts';

export const CONNECTIONS = '/experience/connections';

export const otherState = (state: unknown): 'ACTIVE' | 'INACTIVE' => (state === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE');

/** The connection with this id as anybody with access sees it; undefined if there is none. */
export async function connectionOf(id: string | undefined, { control }: Kit): Promise<Json | undefined> {
  const connection = await control.find('connections', id ?? '');
  if (connection === undefined) return undefined;
  const account = await control.find('accounts', String(connection.account));
  const experience = await control.find('experiences', String(connection.experience));
  const { state, updatedAt } = connection;
  return { id: connection.id, accountId: account?.id, accountName: account?.name, experienceId: experience?.id, state, updatedAt };
}

export const connectionAt = ({ path }: Request, kit: Kit): Promise<Json | undefined> => connectionOf(path.experienceConnectionId, kit);

/** Changes the state twice: only updatedAt is another one then. */
export async function touch({ id, state }: Json, { control }: Kit): Promise<void> {
  await control.change('connections', id, { state: otherState(state) });
  await control.change('connections', id, { state });
}

/** The connections in all accounts that the caller has a grant for. */
export function listAll(request: Request, service: Service, kit: Kit): Promise<Json[]> {
  return listInOtherAccounts(CONNECTIONS, {}, undefined, request, service, kit);
}

/** The assignments that the caller would see with every scope. */
export async function assignmentsOf(query: Json, request: Request, service: Service, kit: Kit): Promise<Json[]> {
  return list('/experience/assignments', query, await withAllScopes(request, kit), service);
}

/** Changes how some connections are shown, or hides them with undefined. What is remembered of them is updated by every success. */
export function showOthers(
  operation: 'getExperienceConnection' | 'getExperienceConnections',
  remember: (reply: Reply, request: Request, ids: Set<unknown>) => void,
  change: (connection: Json) => Json | undefined,
): Start {
  return () => {
    const ids = new Set<unknown>();
    const shown = (connection: Json) => (ids.has(connection.id) ? change(connection) : connection);
    return {
      requests: async (request, service) => {
        const reply = await service(request);
        if (!isSuccess(reply)) return reply;
        remember(reply, request, ids);
        if (request.operation !== operation) return reply;
        if (operation === 'getExperienceConnections')
          return withEntities(reply, (all) => all.map(shown).filter((connection) => connection !== undefined));
        const connection = shown(bodyOf(reply));
        return connection === undefined ? problem(404) : withJson(reply, connection);
      },
    };
  };
}

/** Does it, and refuses. */
export const doAndRefuse = (rule: string, operation: OperationId, act: (request: Request, kit: Kit) => Promise<unknown>): Start =>
  changeRefusal(rule, operation, async (reply, request, _, kit) => {
    await act(request, kit);
    return reply;
  });
