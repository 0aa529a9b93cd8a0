import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { answering, bodyOf, isSuccess, type Json, type Reply, type Request, withHeaders, withMembers } from '../exchange.ts';
import { type Saboteur, type SaboteursOf, saboteur } from '../saboteur.ts';

/** A server whose problems are changed so. @param change gives undefined for a problem that is left as it is. */
function problems(does: string, change: (reply: Reply, request: Request) => Reply | undefined): Saboteur {
  return saboteur(does, 'any', (reply, request) => (reply.status >= 400 && reply.text !== '' ? change(reply, request) : undefined));
}

/** A server whose problems have members like these: what is undefined is left out. */
const withThese = (does: string, members: (problem: Json, request: Request) => Json): Saboteur =>
  problems(does, (reply, request) => withMembers(reply, members(bodyOf(reply), request)));

/** The same, but of the problems with these statuses only. */
const ofStatuses = (does: string, statuses: readonly number[], members: Json): Saboteur =>
  problems(does, (reply) => (statuses.includes(reply.status) ? withMembers(reply, members) : undefined));

const typed = (reply: Reply, type: string | undefined): Reply => withHeaders(reply, { 'content-type': type });

const htmlPage = (status: number): Saboteur =>
  problems(`Answers ${status} with the HTML page of a gateway.`, (reply) =>
    reply.status === status ? { ...typed(reply, 'text/html'), text: `<html><body><h1>${status}</h1></body></html>` } : undefined,
  );

/** Servers that break one rule of the bodies of the API each. */
export const httpProblems: SaboteursOf<Extract<TestableRuleId['openapi'], 'http.bodies-are-json' | `http.problem.${string}`>> = {
  'http.bodies-are-json': [
    htmlPage(429),
    htmlPage(401),
    htmlPage(403),
    htmlPage(404),
    saboteur('Says that the bodies of its successes are plain text.', 'any', (reply) =>
      isSuccess(reply) && reply.text !== '' ? typed(reply, 'text/plain; charset=utf-8') : undefined,
    ),
    problems('Puts a guard against scripts before the JSON of its problems.', (reply) => ({ ...reply, text: `)]}',\n${reply.text}` })),
    saboteur('Lists with a comma after the last member.', ['getUsers', 'getExperienceConnections', 'getExperienceAssignments'], (reply) =>
      isSuccess(reply) ? { ...reply, text: reply.text.replace(/\}$/, ',}') } : undefined,
    ),
  ],
  'http.problem.content-type': [
    problems('Sends the 429 of its gateway as plain text.', (reply) => (reply.status === 429 ? typed(reply, 'text/plain') : undefined)),
    problems('Sends its problems as application/json.', (reply) => typed(reply, 'application/json')),
    problems('Sends the problems of its gateway, 401, as application/json.', (reply) =>
      reply.status === 401 ? typed(reply, 'application/json') : undefined,
    ),
    problems('Sends the problem of a 403 as application/json.', (reply) =>
      reply.status === 403 ? typed(reply, 'application/json') : undefined,
    ),
    problems('Sends its problems without a content type.', (reply) => typed(reply, undefined)),
  ],
  'http.problem.title': [
    ofStatuses('Leaves the title out where the limit of its gateway is reached.', [429], { title: undefined }),
    withThese('Calls the title of a problem message.', ({ title }) => ({ title: undefined, message: title })),
    ofStatuses('Leaves the title out of the problems of its gateway, 401.', [401], { title: undefined }),
    ofStatuses('Leaves the title out where a request is refused for what is in it.', [400, 404, 422], { title: undefined }),
    withThese('Has null for a title.', () => ({ title: null })),
  ],
  'http.problem.status': [
    ofStatuses('Says 503 in the problem of a 429.', [429], { status: 503 }),
    withThese('Says the status of a problem as a string.', ({ status }) => ({ status: `${status}` })),
    withThese('Leaves the status out of its problems.', () => ({ status: undefined })),
    ofStatuses('Says 403 in the problem of a 401.', [401], { status: 403 }),
    ofStatuses('Says 400 in the problems of all that a request can do wrong.', [404, 409, 422], { status: 400 }),
  ],
  'http.problem.trace-id': [
    ofStatuses('Has no traceId in a 429, which its gateway answers.', [429], { traceId: undefined }),
    withThese('Has no traceId in its problems.', () => ({ traceId: undefined })),
    withThese('Writes trace_id instead of traceId.', ({ traceId }) => ({ traceId: undefined, trace_id: traceId })),
    ofStatuses('Has no traceId in a 401, which its gateway answers.', [401], { traceId: undefined }),
    ofStatuses('Traces only what reaches its handlers: no traceId in a 400, 404 or 422.', [400, 404, 422], { traceId: undefined }),
    withThese('Has null for a traceId.', () => ({ traceId: null })),
  ],
  'http.problem.type-uri': [
    ofStatuses('Has an exception for a type where there is no token.', [401], { type: 'Missing token: [authorization] header' }),
    withThese('Has the words of the status for a type.', ({ title, status }) => ({ type: `${title || status} problem` })),
    withThese('Has the status for a type.', ({ status }) => ({ type: status })),
    withThese('Has null for a type.', () => ({ type: null })),
    withThese('Has a type with brackets that a URI cannot have.', () => ({ type: 'https://example.com/problems/<unknown>' })),
  ],
  'http.problem.instance-uri': [
    ofStatuses('Has a number for the instance of a 404.', [404], { instance: 42 }),
    withThese('Has method and path for an instance.', (_, { method, url }) => ({ instance: `${method} ${url}` })),
    withThese('Has the template of its route for an instance.', () => ({ instance: '/users/{userId}' })),
    withThese('Has null for an instance.', () => ({ instance: null })),
    withThese('Has a percent sign that escapes nothing in the instance.', () => ({ instance: '/problems/100%' })),
  ],
  'http.problem.detail-string': [
    ofStatuses('Has null for the detail of a 401 or a 429.', [401, 429], { detail: null }),
    withThese('Has a list of messages for a detail.', ({ detail }) => ({ detail: [`${detail}`] })),
    withThese('Has null for a detail.', () => ({ detail: null })),
  ],
  'http.problem.errors-array': [
    ofStatuses('Has a text for the errors of a 401.', [401], { errors: 'no token' }),
    withThese('Has an object for errors, by member.', () => ({ errors: { accountId: ['must be a UUID'] } })),
    withThese('Has texts in its errors.', () => ({ errors: ['accountId must be a UUID'] })),
    withThese('Has null for errors.', () => ({ errors: null })),
    problems('Has null in its errors.', (reply) => answering(reply, { ...bodyOf(reply), errors: [null] })),
  ],
};
