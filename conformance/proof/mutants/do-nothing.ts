import { operations } from '../../../src/contract/generated/operations.ts';
import { bodyOf, problem, type Reply, type Request, success } from './exchange.ts';
import { ACKNOWLEDGED, answerInstead, changeDelivery, type Start } from './mutant.ts';

export interface DoNothing {
  readonly name: string;
  readonly does: string;
  readonly start: Start;
  /** Whether it may not pass a rule, by its id. */
  readonly concerns: (rule: string) => boolean;
}

const LISTS = ['getExperienceAssignments', 'getExperienceConnections', 'getUsers'];
const EMPTY_PAGE = { entities: [], cursor: null, pageSize: 100, count: 0 };

const ofEvents = (rule: string) => rule.startsWith('events.');
const ALL = () => true;

/**
 * A server that has no behaviour at all, delivers nothing, and is perfect in the form of what it says. Where nothing is delivered it matters little how
 * requests are answered: only some are held against the rules of events, too.
 */
function server(
  name: string,
  does: string,
  answer: (request: Request) => Reply,
  concerns: DoNothing['concerns'] = (rule) => !ofEvents(rule),
): DoNothing {
  const start = answerInstead('any', answer);
  return { name, concerns, does, start: () => ({ ...start(), deliveries: async () => ACKNOWLEDGED }) };
}

/** Servers that do nothing. None of them may pass a documented rule. */
export const DO_NOTHING: readonly DoNothing[] = [
  server('always 200 {}', 'Answers everything with 200 and an empty object.', () => success(200, {}), ALL),
  server('always 204', 'Answers everything with 204.', () => success(204)),
  server('always 404', 'Answers everything with 404 and a perfect problem.', () => problem(404), ALL),
  server('always 401', 'Answers everything with 401, a challenge and a perfect problem.', () => {
    const { headers, ...refusal } = problem(401);
    return { ...refusal, headers: { ...headers, 'www-authenticate': 'Bearer' } };
  }),
  server('always 400', 'Answers everything with 400 and a perfect problem.', () => problem(400)),
  server('always 500', 'Answers everything with 500 and a perfect problem.', () => problem(500)),
  server('empty lists', 'Answers lists with an empty page, and everything else with 404.', ({ operation = '' }) =>
    LISTS.includes(operation) ? success(200, EMPTY_PAGE) : problem(404),
  ),
  server('401 and empty lists', 'Wants a token, then answers lists with an empty page and everything else with 404.', (request) => {
    if (request.headers.authorization === undefined) return problem(401);
    return LISTS.includes(request.operation ?? '') ? success(200, EMPTY_PAGE) : problem(404);
  }),
  server(
    'echo',
    'Answers what it knows with the request’s own members and every status as documented.',
    (request) => {
      const { operation, query, path } = request;
      if (operation === undefined) return problem(404);
      const status = operations[operation].successStatus;
      const body = { ...query, ...path, ...bodyOf(request) };
      return status === 204 ? success(204) : success(typeof status === 'number' ? status : 200, body);
    },
    ALL,
  ),
  { name: 'silent', does: 'Serves every request, and delivers nothing.', start: changeDelivery(() => 'lost'), concerns: ofEvents },
];
