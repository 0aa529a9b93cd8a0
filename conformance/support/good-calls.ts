import type { OperationId } from '../../src/contract/generated/operations.ts';
import type { Call, Client } from './client.ts';
import type { ConnectionKey, Pair } from './connections.ts';
import type { Answer } from './exchange.ts';
import type { Ledger } from './ledger.ts';
import { type Assignments, freeTarget } from './make-assignment.ts';
import type { Connections } from './make-connection.ts';
import type { Need } from './need.ts';
import { fill } from './template.ts';

export interface Parts {
  readonly need: Need;
  readonly assignments: Assignments;
  readonly connections: Connections;
}

type Ingredients = Omit<Parts, 'connections'> & Pick<Connections, 'pair'> & { readonly connection: () => Promise<ConnectionKey> };

/** Calls of any operation that succeed, for rules that hold for all of them. */
export interface GoodCalls {
  /** A call that succeeds with the token of the identity that may do everything, which it does not carry yet. What it needs is made for it alone. */
  of(operation: OperationId): Promise<Call>;
  /** Sends it; whatever it makes is removed after the check. */
  send(operation: OperationId, call: Call): Promise<Answer>;
}

const TEMPLATES: Readonly<Record<OperationId, (ingredients: Ingredients) => Promise<Call>>> = {
  async getExperienceAssignability({ need }) {
    const path = { experienceId: await need('experience') };
    return { path, query: { targetType: 'PHONE_NUMBER', targetValue: await freeTarget(need, 'PHONE_NUMBER') } };
  },
  getExperienceAssignments: async ({ need }) => ({ query: { accountId: await need('account') } }),
  async createExperienceAssignment({ need, assignments }) {
    await need('write');
    return { body: await assignments.wanted() };
  },
  getExperienceAssignment: async ({ assignments }) => ({ path: { assignmentId: (await assignments.make()).id } }),
  deleteExperienceAssignment: async ({ assignments }) => ({ path: { assignmentId: (await assignments.make()).id } }),
  getExperienceConnections: async ({ need }) => ({ query: { accountId: await need('account') } }),
  async createExperienceConnection({ need, pair }) {
    await need('write');
    return { body: fill(await need('bodies.connectionCreate'), { ...(await pair()), state: 'INACTIVE' }) };
  },
  getExperienceConnection: async ({ connection }) => ({ path: { experienceConnectionId: (await connection()).id } }),
  async updateExperienceConnection({ need, connection }) {
    const { id, accountId, experienceId } = await connection();
    const body = fill(await need('bodies.connectionUpdate'), { accountId, experienceId, state: 'ACTIVE' });
    return { path: { experienceConnectionId: id }, body };
  },
  deleteExperienceConnection: async ({ connection }) => ({ path: { experienceConnectionId: (await connection()).id } }),
  getUsers: async ({ need }) => ({ query: { accountId: await need('account') } }),
  getUser: async ({ need }) => ({ path: { userId: await (await need('users'))() } }),
};

export function createGoodCalls(api: Client, ledger: Ledger, { need, assignments, connections }: Parts): GoodCalls {
  let made: Promise<ConnectionKey> | undefined;
  const connection = () => (made ??= connections.make({ state: 'INACTIVE' }));
  let taken: Pair | undefined;
  const pair = async () => (taken = await connections.pair());
  return {
    of: (operation) => TEMPLATES[operation]({ need, assignments, pair, connection }),
    async send(operation, call) {
      const answer = await api.call(operation, call);
      if (answer.status < 200 || answer.status > 299) return answer;
      const { id } = (answer.json ?? {}) as { id?: unknown };
      if (operation === 'createExperienceAssignment' && typeof id === 'string') ledger.assignment(id);
      if (operation === 'createExperienceConnection' && taken) {
        const created = await connections.madeBy(answer, taken).catch(() => undefined);
        if (created) ledger.connection(created.id);
      }
      return answer;
    },
  };
}
