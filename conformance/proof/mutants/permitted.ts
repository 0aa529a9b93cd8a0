import { randomUUID } from 'node:crypto';
import { changeErrorRedirects } from './by-hand/oauth.ts';
import {
  changeEntities,
  changeMembers,
  changeQuery,
  createProblemReply,
  createSuccessReply,
  isSuccess,
  parseBody,
  type Reply,
  type Request,
  readPathId,
} from './exchange.ts';
import { changeRefusal, changeReply, changeSuccess, handleRequests, type StartMutant } from './mutant.ts';

/** A server that differs from the kit, but has to pass every check of `rules`. */
interface PermittedVariant {
  /** A sentence that describes the server's behavior. */
  readonly name: string;
  readonly rules: RegExp;
  /** Whether a check may end as not testable instead. */
  readonly mayPreventChecks?: boolean;
  readonly start: StartMutant;
}

/** Whether a request contains a telephone number with an unassigned country code. */
const hasUnassignedNumber = ({ url, text }: Request): boolean => /\+999\d/.test(`${decodeURIComponent(url)} ${text}`);

const LISTS = ['getExperienceAssignments', 'getExperienceConnections', 'getUsers'] as const;

const createEmptyPage = handleRequests(LISTS, async (request, service) => {
  const isEnd = request.query.cursor === 'end';
  const reply = await service(isEnd ? changeQuery(request, { cursor: undefined }) : request);
  if (isEnd) return changeMembers(reply, { entities: [], cursor: null });
  const { entities = [], pageSize, cursor } = parseBody(reply);
  return cursor === null && pageSize > 0 && entities.length === pageSize ? changeMembers(reply, { cursor: 'end' }) : reply;
});

const READ_OPERATIONS = ['getExperienceConnection', 'getExperienceConnections'] as const;
const WRITE_OPERATIONS = ['createExperienceConnection', 'updateExperienceConnection', 'deleteExperienceConnection'] as const;

/** Answers 202 to connection writes, and shows the previous state in the next read. */
const delayWrites: StartMutant = () => {
  let before: { readonly [Read in (typeof READ_OPERATIONS)[number]]?: Reply } = {};
  return handleRequests([...READ_OPERATIONS, ...WRITE_OPERATIONS], async (request, service) => {
    if (request.method === 'GET') {
      const shown = before[request.operation as (typeof READ_OPERATIONS)[number]];
      if (shown) before = {};
      return shown ?? service(request);
    }
    const getExperienceConnection =
      request.method === 'POST'
        ? createProblemReply(404)
        : await service({ ...request, method: 'GET', operation: 'getExperienceConnection', text: '' });
    const reply = await service(request);
    if (!isSuccess(reply)) return reply;
    const getExperienceConnections = createSuccessReply(200, { entities: [], cursor: null, pageSize: 100 });
    before = { getExperienceConnection, ...(request.method === 'POST' && { getExperienceConnections }) };
    return { ...reply, status: 202 };
  })();
};

/** Adds a time to problem details. Like a time in whole seconds, it is the same in two refusals and then changes. */
const addTimeToProblems: StartMutant = () => {
  let count = 0;
  return changeRefusal(404, 'getUser', (reply) => {
    count += 1;
    return changeMembers(reply, { timestamp: Math.floor(count / 2) });
  })();
};

const DECIMAL_POINT_PATTERN = /(T\d{2}:\d{2}:\d{2})\.(?=\d)/g;
const writeDecimalCommas = <Message extends Pick<Reply, 'text'>>(message: Message): Message => ({
  ...message,
  text: message.text.replaceAll(DECIMAL_POINT_PATTERN, '$1,'),
});

/** Each first page contains only a connection that another client deletes before the next request. */
const changeConnectionsBetweenRequests = handleRequests('getExperienceConnections', async (request, service) => {
  if (request.query.cursor === 'first') return service(changeQuery(request, { cursor: undefined }));
  const reply = await service(request);
  const { entities = [] } = parseBody(reply);
  if (request.query.cursor !== undefined || !isSuccess(reply) || entities.length === 0) return reply;
  return changeMembers(reply, { entities: [{ ...entities[0], id: randomUUID() }], cursor: 'first' });
});

/** Each first page contains a user whom another client deletes before the next page. */
const changeUsersBetweenPages = handleRequests('getUsers', async (request, service) => {
  if (request.query.cursor !== undefined) return service(request);
  const pageSize = Number(request.query.pageSize ?? 100);
  const reply = await service(changeQuery(request, { pageSize: String(pageSize - 1) }));
  const { entities = [], count } = parseBody(reply);
  if (!isSuccess(reply) || entities.length === 0) return reply;
  return changeMembers(reply, { pageSize, count: count + 1, entities: [{ ...entities[0], id: randomUUID() }, ...entities] });
});

export const PERMITTED_VARIANTS: readonly PermittedVariant[] = [
  {
    name: 'Refuses telephone numbers that the numbering plan does not allow.',
    rules: /^assignability\.(shape|echo|unknown-target-false)$|\.target-value-format$|^connections\.list\.(telephone-number|tn)-format$/,
    start: handleRequests('any', async (request, service) => (hasUnassignedNumber(request) ? createProblemReply(400) : service(request))),
  },
  {
    name: 'Reports an unknown user or account instead of a failure.',
    rules: /^users\..+\.(fail-closed|internal|rate)$/,
    start: changeReply(
      ['getUsers', 'getUser'],
      async (_, { request, kit }) => {
        if (request.operation === 'getUser') return (await kit.exists('users', readPathId(request))) ? undefined : createProblemReply(404);
        const isKnown = await kit.exists('accounts', request.query.accountId ?? '');
        return isKnown ? undefined : createSuccessReply(200, { entities: [], cursor: null, pageSize: 100 });
      },
      ({ status }) => [429, 500, 503].includes(status),
    ),
  },
  {
    name: 'Answers 404 to tokens without the scope.',
    rules: /^assignability\.scope$|^(assignments|connections)\..+\.scope$/,
    start: changeRefusal('auth.missing-scope', 'any', () => createProblemReply(404)),
  },
  {
    name: 'Reverses the order of the users on each page.',
    rules: /^users\.list\.(page-size-may-change|traversal)$|^http\.pages\.traversal-complete$/,
    start: changeSuccess('getUsers', (reply, { request }) =>
      request.query.sortBy === undefined ? changeEntities(reply, (all) => all.toReversed()) : undefined,
    ),
  },
  {
    name: 'Returns an additional empty page if the last page is full.',
    rules: /^http\.pages\.|\.list\.(page-size|cursor|traversal)$/,
    start: createEmptyPage,
  },
  {
    name: 'Answers 202 to connection writes, and applies them later.',
    rules:
      /^(http\.path-forms\.same-operation|connections\.list\.by-experience|events\.(publish\.every-change|headers\.webhook-id-unique|subscription\.every-match))$/,
    start: delayWrites,
  },
  {
    name: 'Answers 400 to updates with an invalid state.',
    rules: /^connections\.update\.(invalid-value|refused-changes-nothing)$/,
    start: changeRefusal('connections.update.invalid-value', 'updateExperienceConnection', () => createProblemReply(400)),
  },
  {
    name: 'Writes seconds with a decimal comma.',
    rules: /^(assignments|connections|users)\..*(same-as-created|updated-at|changes-nothing|unchanged|sorted|current)/,
    start: changeReply('any', writeDecimalCommas),
  },
  {
    name: 'Adds the time in whole seconds to problem details.',
    rules: /^users\.get\.causes-indistinguishable$/,
    start: addTimeToProblems,
  },
  {
    name: 'Redirects with an error but without the state.',
    rules: /^oauth\.callback\.(code|state)$/,
    start: changeErrorRedirects({ state: undefined }),
  },
  {
    name: 'Has another client that changes the connections while the suite lists them.',
    rules: /^connections\.list\.cursor$/,
    mayPreventChecks: true,
    start: changeConnectionsBetweenRequests,
  },
  {
    name: 'Has another client that changes the users while the suite lists them.',
    rules: /^users\.list\.count$|^http\.pages\.traversal-complete$/,
    mayPreventChecks: true,
    start: changeUsersBetweenPages,
  },
];
