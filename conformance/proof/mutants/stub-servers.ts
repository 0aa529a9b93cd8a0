import { operations } from '../../../src/contract/generated/operations.ts';
import type { RuleId } from '../../../src/contract/generated/rules.ts';
import { rules } from '../../../src/contract/generated/rules-table.ts';
import { LISTS } from './derived/schema.ts';
import { changeHeaders, createProblemReply, createSuccessReply, parseBody, type Reply, type Request } from './exchange.ts';
import { ACKNOWLEDGEMENT, changeDelivery, replaceReply, type StartMutant } from './mutant.ts';

interface StubServer {
  readonly name: string;
  readonly start: StartMutant;
  /** Returns true for a rule that the server must not pass. */
  readonly mustFailRule: (rule: string) => boolean;
}

const isEventRule = (rule: string) => rule.startsWith('events.');

function createStubServer(name: string, createReply: (request: Request) => Reply, mustFailRule: StubServer['mustFailRule']): StubServer {
  return {
    name,
    mustFailRule,
    start: () => ({ ...replaceReply('any', createReply)(), handleDelivery: async () => ACKNOWLEDGEMENT }),
  };
}

/** Selects rules by their required status. The text 'undefined' stands for rules about several replies, which have no single status. */
const requiresStatus = (status: RegExp) => (rule: string) => !isEventRule(rule) && status.test(`${rules[rule as RuleId].status}`);

const createRefusingServer = (status: number, otherStatuses = '') =>
  createStubServer(
    `always ${status}`,
    () => changeHeaders(createProblemReply(status), { 'www-authenticate': status === 401 ? 'Bearer' : undefined }),
    requiresStatus(new RegExp(`^(${status}${otherStatuses})$`)),
  );

const createEmptyPage = ({ operation }: Request): Reply =>
  LISTS.some((list) => list === operation)
    ? createSuccessReply(200, { entities: [], cursor: null, pageSize: 100, count: 0 })
    : createProblemReply(404);

function echoRequest(request: Request): Reply {
  if (request.operation === undefined) return createProblemReply(404);
  const { successStatus: status } = operations[request.operation];
  return status === 204
    ? createSuccessReply(204)
    : createSuccessReply(Number(status) || 200, { ...request.query, ...request.path, ...parseBody(request) });
}

export const STUB_SERVERS: readonly StubServer[] = [
  createStubServer(
    'always 200 {}',
    () => createSuccessReply(200, {}),
    (rule) => !isEventRule(rule),
  ),
  createStubServer('always 204', () => createSuccessReply(204), requiresStatus(/^2/)),
  ...[400, 401, 404, 500].map((status) => createRefusingServer(status, '|undefined')),
  ...[403, 409, 422, 429, 503].map((status) => createRefusingServer(status)),
  createStubServer('empty lists', createEmptyPage, requiresStatus(/^(2|404|undefined)/)),
  createStubServer(
    '401 and empty lists',
    (request) => (request.headers.authorization === undefined ? createProblemReply(401) : createEmptyPage(request)),
    requiresStatus(/^(401|undefined)$/),
  ),
  createStubServer('echo', echoRequest, (rule) => isEventRule(rule) || requiresStatus(/^(2|undefined)/)(rule)),
  { name: 'delivers nothing', start: changeDelivery(() => 'lost'), mustFailRule: isEventRule },
];
