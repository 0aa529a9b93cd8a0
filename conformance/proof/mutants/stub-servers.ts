import { operations } from '../../../src/contract/generated/operations.ts';
import type { RuleId } from '../../../src/contract/generated/rules.ts';
import { rules } from '../../../src/contract/generated/rules-table.ts';
import { changeHeaders, createProblemReply, createSuccessReply, parseBody, type Reply, type Request } from './exchange.ts';
import { ACKNOWLEDGEMENT, changeDelivery, replaceReply, type StartMutant } from './mutant.ts';

export interface StubServer {
  readonly name: string;
  readonly start: StartMutant;
  /** Returns whether the server is tested with a rule. The server must not pass this rule. */
  readonly concerns: (rule: string) => boolean;
}

const isEventRule = (rule: string) => rule.startsWith('events.');

/** A server that stores and delivers nothing, but whose replies are well-formed. */
function createStubServer(name: string, createReply: (request: Request) => Reply, concerns: StubServer['concerns']): StubServer {
  return { name, concerns, start: () => ({ ...replaceReply('any', createReply)(), deliveries: async () => ACKNOWLEDGEMENT }) };
}

/**
 * Returns a function that tells whether a rule requires a status that matches `status`. For a rule about several replies, `status` has to
 * match the string 'undefined'.
 */
const requiresStatus = (status: RegExp) => (rule: string) => !isEventRule(rule) && status.test(`${rules[rule as RuleId].status}`);

/**
 * A server that refuses every request with one status. Rules that require a different status are not tested, because they would fail in any
 * case.
 */
const createRefusingServer = (status: number, otherStatuses = '') =>
  createStubServer(
    `always ${status}`,
    () => changeHeaders(createProblemReply(status), { 'www-authenticate': status === 401 ? 'Bearer' : undefined }),
    requiresStatus(new RegExp(`^(${status}${otherStatuses})$`)),
  );

const LISTS: readonly string[] = ['getExperienceAssignments', 'getExperienceConnections', 'getUsers'];
const createEmptyPage = ({ operation }: Request): Reply =>
  LISTS.includes(operation ?? '')
    ? createSuccessReply(200, { entities: [], cursor: null, pageSize: 100, count: 0 })
    : createProblemReply(404);

/** A reply with the documented status and the request's members. */
function echoRequest(request: Request): Reply {
  if (request.operation === undefined) return createProblemReply(404);
  const { successStatus: status } = operations[request.operation];
  return status === 204
    ? createSuccessReply(204)
    : createSuccessReply(Number(status) || 200, { ...request.query, ...request.path, ...parseBody(request) });
}

/** Servers that do nothing. None of them may pass a documented rule for which `concerns` returns true. */
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
  { name: 'delivers nothing', start: changeDelivery(() => 'lost'), concerns: isEventRule },
];
