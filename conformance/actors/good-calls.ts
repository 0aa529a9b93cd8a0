import type { OperationId } from '../../src/contract/generated/operations.ts';
import type { ConnectionKey } from '../expect/connections.ts';
import { unlessUnknown } from '../expect/unless-unknown.ts';
import { success } from '../expect/verify.ts';
import type { Capability } from '../target/capabilities.ts';
import type { Pair } from '../target/capabilities-of-events.ts';
import type { Answer } from '../target/exchange.ts';
import type { Ledger } from '../target/ledger.ts';
import type { Need } from '../target/need.ts';
import { notTestable } from '../target/not-testable.ts';
import { fill } from '../target/template.ts';
import type { Call, Client } from './client.ts';
import type { Assignments } from './make-assignment.ts';
import type { Connections } from './make-connection.ts';

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
  /** Sends it, and expects success. @throws RuleBroken */
  succeed(operation: OperationId, call: Call): Promise<Answer>;
  /** Ends the check as not testable unless what is no token is refused: who answers everybody with the same list has shown nothing. */
  mustHeedTokens(operation: OperationId, call: Call): Promise<void>;
  /** Those that the target gives all for that their calls need. Where there is none: all, and the first that is asked for tells what is missing. */
  possible<Id extends OperationId>(operations: readonly Id[]): readonly Id[];
}

const ASSIGNMENT: readonly Capability[] = ['write', 'experience', 'numbers'];
const CONNECTION: readonly Capability[] = ['write', 'bodies.connectionCreate', 'account.second', 'experiences.unconnected'];

/** What the templates below need beside the token. */
const NEEDS: Readonly<Record<OperationId, readonly Capability[]>> = {
  getExperienceAssignability: ['experience'],
  getExperienceAssignments: [],
  createExperienceAssignment: ASSIGNMENT,
  getExperienceAssignment: ASSIGNMENT,
  deleteExperienceAssignment: ASSIGNMENT,
  getExperienceConnections: [],
  createExperienceConnection: CONNECTION,
  getExperienceConnection: CONNECTION,
  updateExperienceConnection: [...CONNECTION, 'bodies.connectionUpdate'],
  deleteExperienceConnection: CONNECTION,
  getUsers: [],
  getUser: ['users'],
};

const TEMPLATES: Readonly<Record<OperationId, (ingredients: Ingredients) => Promise<Call>>> = {
  async getExperienceAssignability({ need }) {
    const path = { experienceId: await need('experience') };
    return { path, query: { targetType: 'PHONE_NUMBER', targetValue: await need('number.any') } };
  },
  getExperienceAssignments: async ({ need }) => ({ query: { accountId: await need('account.any') } }),
  createExperienceAssignment: async ({ assignments }) => ({ body: await assignments.wanted() }),
  getExperienceAssignment: async ({ assignments }) => ({ path: { assignmentId: (await assignments.make()).id } }),
  deleteExperienceAssignment: async ({ assignments }) => ({ path: { assignmentId: (await assignments.make()).id } }),
  getExperienceConnections: async ({ need }) => ({ query: { accountId: await need('account.any') } }),
  async createExperienceConnection({ need, pair }) {
    return { body: fill(await need('bodies.connectionCreate'), { ...(await pair()), state: 'INACTIVE' }) };
  },
  getExperienceConnection: async ({ connection }) => ({ path: { experienceConnectionId: (await connection()).id } }),
  async updateExperienceConnection({ need, connection }) {
    const { id, accountId, experienceId } = await connection();
    const body = fill(await need('bodies.connectionUpdate'), { accountId, experienceId, state: 'ACTIVE' });
    return { path: { experienceConnectionId: id }, body };
  },
  deleteExperienceConnection: async ({ connection }) => ({ path: { experienceConnectionId: (await connection()).id } }),
  getUsers: async ({ need }) => ({ query: { accountId: await need('account.any') } }),
  getUser: async ({ need }) => ({ path: { userId: await (await need('users'))() } }),
};

export function createGoodCalls(
  api: Client,
  ledger: Ledger,
  { need, assignments, connections }: Parts,
  has: (capability: Capability) => boolean,
): GoodCalls {
  let made: Promise<ConnectionKey> | undefined;
  const connection = () => (made ??= connections.make({ state: 'INACTIVE' }));
  let taken: Pair | undefined;
  const pair = async () => (taken = await connections.pair());
  const calls: GoodCalls = {
    async of(operation) {
      const [first, ...rest] = NEEDS[operation];
      if (first !== undefined) await need(first, ...rest);
      return TEMPLATES[operation]({ need, assignments, pair, connection });
    },
    possible(operations) {
      const found = operations.filter((operation) => NEEDS[operation].every(has));
      return found.length > 0 ? found : operations;
    },
    async succeed(operation, call) {
      const answer = await calls.send(operation, call);
      // The list of users has no such excuse: of an unknown account it is empty, never forbidden nor missing.
      const isList = operation === 'getExperienceAssignments' || operation === 'getExperienceConnections';
      success(operation, isList ? await unlessUnknown(need, answer, 'account') : answer);
      return answer;
    },
    async mustHeedTokens(operation, call) {
      const { status } = await calls.send(operation, { ...call, token: 'not-a-token' });
      if (status < 400) notTestable('a request that is refused for its token');
    },
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
  return calls;
}
