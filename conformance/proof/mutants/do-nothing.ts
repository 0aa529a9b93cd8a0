import { operations } from '../../../src/contract/generated/operations.ts';
import type { RuleId } from '../../../src/contract/generated/rules.ts';
import { rules } from '../../../src/contract/generated/rules-table.ts';
import { bodyOf, problem, type Reply, type Request, success, withHeaders } from './exchange.ts';
import { ACKNOWLEDGED, answerInstead, changeDelivery, type Start } from './mutant.ts';

export interface DoNothing {
  readonly name: string;
  readonly start: Start;
  /** Whether the server has to break the rule with this id. */
  readonly concerns: (rule: string) => boolean;
}

const isOfEvents = (rule: string) => rule.startsWith('events.');

/** A server that stores and delivers nothing, but whose replies are well-formed. */
function server(name: string, answer: (request: Request) => Reply, concerns: DoNothing['concerns']): DoNothing {
  return { name, concerns, start: () => ({ ...answerInstead('any', answer)(), deliveries: async () => ACKNOWLEDGED }) };
}

/** Returns a function that tells whether a rule requires one of these statuses. Rules that require no status are about several replies. */
const requires = (status: RegExp) => (rule: string) => !isOfEvents(rule) && status.test(`${rules[rule as RuleId].status}`);

/** Refuses every request with one status. Another status would fail the rules that require a status at once, and prove nothing. */
const refusing = (status: number, others = '') =>
  server(
    `always ${status}`,
    () => withHeaders(problem(status), { 'www-authenticate': status === 401 ? 'Bearer' : undefined }),
    requires(new RegExp(`^(${status}${others})$`)),
  );

const LISTS: readonly string[] = ['getExperienceAssignments', 'getExperienceConnections', 'getUsers'];
const emptyPage = ({ operation }: Request): Reply =>
  LISTS.includes(operation ?? '') ? success(200, { entities: [], cursor: null, pageSize: 100, count: 0 }) : problem(404);

/** A reply with the documented status and the members of the request. */
function echo(request: Request): Reply {
  if (request.operation === undefined) return problem(404);
  const { successStatus: status } = operations[request.operation];
  return status === 204 ? success(204) : success(Number(status) || 200, { ...request.query, ...request.path, ...bodyOf(request) });
}

/**
 * Servers that do nothing. None of these servers may pass a documented rule. Few of them are tested with rules about events, because none of
 * them delivers events.
 */
export const DO_NOTHING: readonly DoNothing[] = [
  server(
    'always 200 {}',
    () => success(200, {}),
    (rule) => !isOfEvents(rule),
  ),
  server('always 204', () => success(204), requires(/^2/)),
  ...[400, 401, 404, 500].map((status) => refusing(status, '|undefined')),
  ...[403, 409, 422, 429, 503].map((status) => refusing(status)),
  server('empty lists', emptyPage, requires(/^(2|404|undefined)/)),
  server(
    '401 and empty lists',
    (request) => (request.headers.authorization === undefined ? problem(401) : emptyPage(request)),
    requires(/^(401|undefined)$/),
  ),
  server('echo', echo, (rule) => isOfEvents(rule) || requires(/^(2|undefined)/)(rule)),
  { name: 'delivers nothing', start: changeDelivery(() => 'lost'), concerns: isOfEvents },
];
