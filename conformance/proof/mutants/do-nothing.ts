import { operations } from '../../../src/contract/generated/operations.ts';
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
function server(
  name: string,
  answer: (request: Request) => Reply,
  concerns: DoNothing['concerns'] = (rule) => !isOfEvents(rule),
): DoNothing {
  return { name, concerns, start: () => ({ ...answerInstead('any', answer)(), deliveries: async () => ACKNOWLEDGED }) };
}

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
 * Servers that do nothing. None of these servers may pass a documented rule. Only some of them are tested with rules about events, because
 * none of them delivers events.
 */
export const DO_NOTHING: readonly DoNothing[] = [
  server(
    'always 200 {}',
    () => success(200, {}),
    () => true,
  ),
  server('always 204', () => success(204)),
  server(
    'always 404',
    () => problem(404),
    () => true,
  ),
  server('always 401', () => withHeaders(problem(401), { 'www-authenticate': 'Bearer' })),
  server('always 400', () => problem(400)),
  server('always 500', () => problem(500)),
  server('empty lists', emptyPage),
  server('401 and empty lists', (request) => (request.headers.authorization === undefined ? problem(401) : emptyPage(request))),
  server('echo', echo, () => true),
  { name: 'delivers nothing', start: changeDelivery(() => 'lost'), concerns: isOfEvents },
];
