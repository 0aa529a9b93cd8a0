import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import type { ConnectionKey } from '../expect/connection.ts';
import { excuseUnknown, expectSuccess, isSuccess } from '../expect/response.ts';
import type { Capability, Pair } from '../target/capabilities.ts';
import type { Answer } from '../target/exchange.ts';
import type { Need } from '../target/need.ts';
import { notTestable } from '../target/not-testable.ts';
import { fill, type Values } from '../target/template.ts';
import type { Call, Client } from './api-client.ts';
import type { Assignments } from './assignments.ts';
import { type Connections, otherState } from './connections.ts';
import type { Ledger } from './ledger.ts';

/** A token that no server can verify. */
export const INVALID_TOKEN = 'not-a-token';

export const OPERATIONS = Object.keys(operations) as OperationId[];

/** The operations by resource. Some rules that apply to all operations have one check per resource. */
export const GROUPS = {
  assignability: OPERATIONS.filter((id) => /Assignability/.test(id)),
  assignments: OPERATIONS.filter((id) => /Assignments?$/.test(id)),
  connections: OPERATIONS.filter((id) => /Connections?$/.test(id)),
  users: OPERATIONS.filter((id) => /Users?$/.test(id)),
} as const;
export type Group = keyof typeof GROUPS;
export const GROUP_NAMES = Object.keys(GROUPS) as Group[];

/** The operation of each group that needs the fewest capabilities. */
export const REPRESENTATIVES = ['getExperienceAssignability', 'getExperienceAssignments', 'getExperienceConnections', 'getUsers'] as const;

export interface Parts {
  readonly need: Need;
  readonly assignments: Assignments;
  readonly connections: Connections;
}

/** Valid calls of every operation, for the rules that apply to all operations. */
export interface SampleCalls {
  /** Makes a valid call without a token. Creates the entities that the call refers to. */
  of(operation: OperationId): Promise<Call>;
  /** Makes the values of a valid call, which `call` converts to the call. */
  sample(operation: OperationId): Promise<Sample>;
  call(operation: OperationId, sample: Sample): Promise<Call>;
  /** Sends a call. If the call creates an entity, the entity is removed after the check. */
  send(operation: OperationId, call: Call): Promise<Answer>;
  /** Sends a call. @throws RuleBroken unless the call succeeds */
  expectSuccess(operation: OperationId, call: Call): Promise<Answer>;
  /** Ends the check as not testable if the target accepts an invalid token, because the success of a call then proves nothing. */
  requireTokenCheck(operation: OperationId, call: Call): Promise<void>;
  /**
   * Returns the operations whose capabilities the target has. If there are none, returns all operations, so that the first call reports the
   * missing capabilities.
   */
  possible<Id extends OperationId>(operations: readonly Id[]): readonly Id[];
}

const ASSIGNMENT: readonly Capability[] = ['write', 'experience', 'numbers'];
const CONNECTION: readonly Capability[] = ['write', 'bodies.connectionCreate', 'account.second', 'experiences.unconnected'];

/** The id in the path of a call, and the query parameters or the members of the body. */
export interface Sample {
  readonly id?: string;
  readonly values?: Readonly<Record<string, unknown>>;
}

interface Ingredients extends Parts {
  readonly pair: () => Promise<Pair>;
  readonly connection: () => Promise<ConnectionKey>;
}

const ofAccount = async ({ need }: Ingredients): Promise<Sample> => ({ values: { accountId: await need('account.any') } });
const ofAssignment = async ({ assignments }: Ingredients): Promise<Sample> => ({ id: (await assignments.make()).id });
const ofConnection = async ({ connection }: Ingredients): Promise<Sample> => ({ id: (await connection()).id });

/** For each operation, the capabilities that a call needs in addition to a token, and a function that makes the values of the call. */
const SAMPLES: Readonly<Record<OperationId, readonly [needs: readonly Capability[], make: (from: Ingredients) => Promise<Sample>]>> = {
  getExperienceAssignability: [
    ['experience'],
    async ({ need }) => ({
      id: await need('experience'),
      values: { targetType: 'PHONE_NUMBER', targetValue: await need('number.any') },
    }),
  ],
  getExperienceAssignments: [[], ofAccount],
  createExperienceAssignment: [ASSIGNMENT, async ({ assignments }) => ({ values: { ...(await assignments.newBody()) } })],
  getExperienceAssignment: [ASSIGNMENT, ofAssignment],
  deleteExperienceAssignment: [ASSIGNMENT, ofAssignment],
  getExperienceConnections: [[], ofAccount],
  createExperienceConnection: [CONNECTION, async ({ pair }) => ({ values: { ...(await pair()), state: 'INACTIVE' } })],
  getExperienceConnection: [CONNECTION, ofConnection],
  updateExperienceConnection: [
    [...CONNECTION, 'bodies.connectionUpdate'],
    async ({ connection, connections }) => {
      const key = await connection();
      // The connection starts as INACTIVE, and the update asks for ACTIVE. If the target refuses the update but makes it nevertheless, the
      // state shows that.
      if ((await connections.stateOf(key)) === 'ACTIVE') await connections.update(key, 'INACTIVE');
      const { id, ...pair } = key;
      return { id, values: { ...pair, state: otherState(await connections.stateOf(key)) } };
    },
  ],
  deleteExperienceConnection: [CONNECTION, ofConnection],
  getUsers: [[], ofAccount],
  getUser: [['users'], async ({ need }) => ({ id: await (await need('users'))() })],
};

/** The operations whose body the specification does not define, and the capability that gives a template for the body. */
export const TEMPLATES: Readonly<Partial<Record<OperationId, 'bodies.connectionCreate' | 'bodies.connectionUpdate'>>> = {
  createExperienceConnection: 'bodies.connectionCreate',
  updateExperienceConnection: 'bodies.connectionUpdate',
};

async function callOf(operation: OperationId, { id, values }: Sample, need: Need): Promise<Call> {
  const { method, pathParameters, hasBody } = operations[operation];
  const template = TEMPLATES[operation];
  const path = id === undefined ? {} : { path: Object.fromEntries(pathParameters.map((name) => [name, id])) };
  if (method === 'get') return { ...path, ...(values && { query: values as NonNullable<Call['query']> }) };
  if (!hasBody) return path;
  return { ...path, body: template === undefined ? values : fill(await need(template), values as Values) };
}

export function createSampleCalls(
  api: Client,
  ledger: Ledger,
  { need, assignments, connections }: Parts,
  has: (capability: Capability) => boolean,
): SampleCalls {
  let created: Promise<ConnectionKey> | undefined;
  const connection = () => (created ??= connections.make());
  let lastPair: Pair | undefined;
  const pair = async () => (lastPair = await connections.pair());

  const calls: SampleCalls = {
    of: async (operation) => calls.call(operation, await calls.sample(operation)),
    call: (operation, sample) => callOf(operation, sample, need),
    async sample(operation) {
      const [[first, ...rest], make] = SAMPLES[operation];
      if (first !== undefined) await need(first, ...rest);
      return make({ need, assignments, connections, pair, connection });
    },
    possible(operations) {
      const found = operations.filter((operation) => SAMPLES[operation][0].every(has));
      return found.length > 0 ? found : operations;
    },
    async send(operation, call) {
      const answer = await api.call(operation, call);
      if (!isSuccess(answer)) return answer;
      const { id } = (answer.json ?? {}) as { id?: unknown };
      if (operation === 'createExperienceAssignment' && typeof id === 'string') ledger.assignment(id);
      if (operation === 'createExperienceConnection' && lastPair) {
        const key = await connections.createdBy(answer, lastPair).catch(() => undefined);
        if (key) ledger.connection(key.id);
      }
      return answer;
    },
    async expectSuccess(operation, call) {
      const answer = await calls.send(operation, call);
      // The lists of assignments and connections may refuse an unknown account. The users list must return an empty page for an unknown
      // account.
      const mayRefuse = operation === 'getExperienceAssignments' || operation === 'getExperienceConnections';
      expectSuccess(operation, mayRefuse ? await excuseUnknown(need, answer, 'account') : answer);
      return answer;
    },
    async requireTokenCheck(operation, call) {
      const { status } = await calls.send(operation, { ...call, token: INVALID_TOKEN });
      if (status < 400) notTestable('the target accepts an invalid token');
    },
  };
  return calls;
}
