import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import type { Answer } from '../../src/expect/answer.ts';
import { isSuccess } from '../../src/expect/response.ts';
import { INVALID_TOKEN } from '../../src/refusals/opaque-values.ts';
import type { ConnectionKey } from '../expect/connection.ts';
import { expectSuccess, expectSuccessStatus, requireExistingIds } from '../expect/response.ts';
import type { Capability, Need, Pair } from '../target/capabilities.ts';
import { endAsNotTestable } from '../target/check-report.ts';
import { fillTemplate, type Values } from '../target/template.ts';
import type { CallOptions, Client, Query } from './api-client.ts';
import { toggleState } from './connections.ts';
import type { Ledger } from './ledger.ts';
import type { Participants } from './participants.ts';

export const OPERATION_IDS = Object.keys(operations) as OperationId[];

/** Some rules apply to all operations, but have only one check per resource. */
export const OPERATION_GROUPS = {
  assignability: OPERATION_IDS.filter((id) => /Assignability/.test(id)),
  assignments: OPERATION_IDS.filter((id) => /Assignments?$/.test(id)),
  connections: OPERATION_IDS.filter((id) => /Connections?$/.test(id)),
  users: OPERATION_IDS.filter((id) => /Users?$/.test(id)),
} as const;

/** For each group, the operation that needs the fewest capabilities. */
export const GROUP_REPRESENTATIVES = [
  'getExperienceAssignability',
  'getExperienceAssignments',
  'getExperienceConnections',
  'getUsers',
] as const;

export type SampleSources = Pick<Participants, 'need' | 'assignments' | 'connections'>;

export interface SampleCalls {
  /** Creates a valid call without a token, and the entities that the call refers to. */
  createCall(operation: OperationId): Promise<CallOptions>;
  createSample(operation: OperationId): Promise<Sample>;
  toCall(operation: OperationId, sample: Sample): Promise<CallOptions>;
  /** If the call creates an entity, the entity is removed after the check. */
  send(operation: OperationId, call: CallOptions): Promise<Answer>;
  /** Sends the call with a valid token by default. Does not validate the response's body. @throws RuleBroken unless the status is 2xx */
  expectSuccessStatus(operation: OperationId, call: CallOptions): Promise<Answer>;
  /** Also validates the response's body. */
  expectSuccess(operation: OperationId, call: CallOptions): Promise<Answer>;
  /** Ends the check as not testable if the target accepts an invalid token, because successful calls then prove nothing. */
  requireTokenCheck(operation: OperationId, call: CallOptions): Promise<void>;
  /**
   * Returns the operations whose capabilities the target has. If there are none, returns all operations, so that their calls report what is
   * missing.
   */
  filterPossible<Id extends OperationId>(operations: readonly Id[]): readonly Id[];
}

const ASSIGNMENT_CAPABILITIES: readonly Capability[] = ['write', 'experience', 'numbers'];
const CONNECTION_CAPABILITIES: readonly Capability[] = ['write', 'bodies.connectionCreate', 'account.second', 'experiences.unconnected'];

/** The id in a call's path, and the query parameters or body members. */
export interface Sample {
  readonly id?: string;
  readonly values?: Readonly<Record<string, unknown>>;
}

interface SampleInputs extends SampleSources {
  readonly pickPair: () => Promise<Pair>;
  readonly createConnectionOnce: () => Promise<ConnectionKey>;
}

const sampleAccount = async ({ need }: SampleInputs): Promise<Sample> => ({ values: { accountId: await need('account.any') } });
const sampleAssignment = async ({ assignments }: SampleInputs): Promise<Sample> => ({ id: (await assignments.createOrThrow()).id });
const sampleConnection = async ({ createConnectionOnce }: SampleInputs): Promise<Sample> => ({ id: (await createConnectionOnce()).id });

const SAMPLE_FACTORIES: Readonly<
  Record<OperationId, readonly [needs: readonly Capability[], make: (from: SampleInputs) => Promise<Sample>]>
> = {
  getExperienceAssignability: [
    ['experience'],
    async ({ need }) => ({
      id: await need('experience'),
      values: { targetType: 'PHONE_NUMBER', targetValue: await need('number.any') },
    }),
  ],
  getExperienceAssignments: [[], sampleAccount],
  createExperienceAssignment: [ASSIGNMENT_CAPABILITIES, async ({ assignments }) => ({ values: { ...(await assignments.createBody()) } })],
  getExperienceAssignment: [ASSIGNMENT_CAPABILITIES, sampleAssignment],
  deleteExperienceAssignment: [ASSIGNMENT_CAPABILITIES, sampleAssignment],
  getExperienceConnections: [[], sampleAccount],
  createExperienceConnection: [CONNECTION_CAPABILITIES, async ({ pickPair }) => ({ values: { ...(await pickPair()), state: 'INACTIVE' } })],
  getExperienceConnection: [CONNECTION_CAPABILITIES, sampleConnection],
  updateExperienceConnection: [
    [...CONNECTION_CAPABILITIES, 'bodies.connectionUpdate'],
    async ({ createConnectionOnce, connections }) => {
      const key = await createConnectionOnce();
      // Make the connection INACTIVE, so that its state shows whether the target applies an update to ACTIVE that it refuses.
      if ((await connections.readState(key)) === 'ACTIVE') await connections.update(key, 'INACTIVE');
      const { id, ...pair } = key;
      return { id, values: { ...pair, state: toggleState(await connections.readState(key)) } };
    },
  ],
  deleteExperienceConnection: [CONNECTION_CAPABILITIES, sampleConnection],
  getUsers: [[], sampleAccount],
  getUser: [['users'], async ({ need }) => ({ id: await (await need('users'))() })],
};

/** The specification does not define these operations' request bodies, so the target's profile provides templates. */
export const BODY_TEMPLATES: Readonly<Partial<Record<OperationId, 'bodies.connectionCreate' | 'bodies.connectionUpdate'>>> = {
  createExperienceConnection: 'bodies.connectionCreate',
  updateExperienceConnection: 'bodies.connectionUpdate',
};

async function buildCall(operation: OperationId, { id, values }: Sample, need: Need): Promise<CallOptions> {
  const { method, pathParameters, hasBody } = operations[operation];
  const template = BODY_TEMPLATES[operation];
  const path = id === undefined ? {} : { path: Object.fromEntries(pathParameters.map((name) => [name, id])) };
  if (method === 'get') return { ...path, ...(values && { query: values as Query }) };
  if (!hasBody) return path;
  return { ...path, body: template === undefined ? values : fillTemplate(await need(template), values as Values) };
}

export function createSampleCalls(
  api: Client,
  ledger: Ledger,
  { need, assignments, connections }: SampleSources,
  has: (capability: Capability) => boolean,
): SampleCalls {
  let created: Promise<ConnectionKey> | undefined;
  const createConnectionOnce = () => (created ??= connections.createOrThrow());
  let lastPair: Pair | undefined;
  const pickPair = async () => (lastPair = await connections.pickPair());

  const calls: SampleCalls = {
    createCall: async (operation) => calls.toCall(operation, await calls.createSample(operation)),
    toCall: (operation, sample) => buildCall(operation, sample, need),
    async createSample(operation) {
      const [[first, ...rest], make] = SAMPLE_FACTORIES[operation];
      if (first !== undefined) await need(first, ...rest);
      return make({ need, assignments, connections, pickPair, createConnectionOnce });
    },
    filterPossible(operations) {
      const found = operations.filter((operation) => SAMPLE_FACTORIES[operation][0].every(has));
      return found.length > 0 ? found : operations;
    },
    async send(operation, call) {
      const answer = await api.call(operation, call);
      if (!isSuccess(answer)) return answer;
      const { id } = (answer.json ?? {}) as { id?: unknown };
      if (operation === 'createExperienceAssignment' && typeof id === 'string') ledger.addAssignment(id);
      if (operation === 'createExperienceConnection' && lastPair) {
        const key = await connections.findCreated(answer, lastPair).catch(() => undefined);
        if (key) ledger.addConnection(key.id);
      }
      return answer;
    },
    async expectSuccessStatus(operation, call) {
      const answer = await calls.send(operation, { ...call, token: call.token ?? (await need('token')) });
      // The lists of assignments and connections may refuse an unknown account, but the users list must not.
      const mayRefuse = operation === 'getExperienceAssignments' || operation === 'getExperienceConnections';
      expectSuccessStatus(mayRefuse ? await requireExistingIds(need, answer, 'account') : answer);
      return answer;
    },
    async expectSuccess(operation, call) {
      const answer = await calls.expectSuccessStatus(operation, call);
      expectSuccess(answer);
      return answer;
    },
    async requireTokenCheck(operation, call) {
      const { status } = await calls.send(operation, { ...call, token: INVALID_TOKEN });
      if (status < 400) endAsNotTestable('the target accepts an invalid token');
    },
  };
  return calls;
}
