import { onError } from './by-hand/oauth.ts';
import { bodyOf, idOf, isSuccess, problem, type Reply, type Request, success, withEntities, withMembers, withQuery } from './exchange.ts';
import { changeRefusal, changeReply, changeSuccess, onRequest, type Start } from './mutant.ts';

/** A server that differs from the kit in a way that the specification permits. Every check of `rules` has to pass. */
export interface Permitted {
  /** A sentence that says what the server does. */
  readonly name: string;
  readonly rules: RegExp;
  readonly start: Start;
}

/** Whether a request contains a telephone number whose country code is not assigned. */
const hasUnassignedNumber = ({ url, text }: Request): boolean => /\+999\d/.test(`${decodeURIComponent(url)} ${text}`);

const LISTS = ['getExperienceAssignments', 'getExperienceConnections', 'getUsers'] as const;

/** Adds an empty page after a last page that is full. */
const withEmptyPage = onRequest(LISTS, async (request, service) => {
  const isEnd = request.query.cursor === 'end';
  const reply = await service(isEnd ? withQuery(request, { cursor: undefined }) : request);
  if (isEnd) return withMembers(reply, { entities: [], cursor: null });
  const { entities = [], pageSize, cursor } = bodyOf(reply);
  return cursor === null && pageSize > 0 && entities.length === pageSize ? withMembers(reply, { cursor: 'end' }) : reply;
});

const READS = ['getExperienceConnection', 'getExperienceConnections'] as const;
const WRITES = ['createExperienceConnection', 'updateExperienceConnection', 'deleteExperienceConnection'] as const;

/** Answers 202 to each write of a connection. The next read shows the connections as they were before the write. */
const writeLater: Start = () => {
  let before: { readonly [Read in (typeof READS)[number]]?: Reply } = {};
  return onRequest([...READS, ...WRITES], async (request, service) => {
    if (request.method === 'GET') {
      const shown = before[request.operation as (typeof READS)[number]];
      if (shown) before = {};
      return shown ?? service(request);
    }
    const getExperienceConnection =
      request.method === 'POST'
        ? problem(404)
        : await service({ ...request, method: 'GET', operation: 'getExperienceConnection', text: '' });
    const reply = await service(request);
    if (!isSuccess(reply)) return reply;
    const getExperienceConnections = success(200, { entities: [], cursor: null, pageSize: 100 });
    before = { getExperienceConnection, ...(request.method === 'POST' && { getExperienceConnections }) };
    return { ...reply, status: 202 };
  })();
};

export const PERMITTED: readonly Permitted[] = [
  {
    name: 'Refuses telephone numbers that the numbering plan does not allow.',
    rules: /^assignability\.(shape|echo|unknown-target-false)$|\.target-value-format$|^connections\.list\.(telephone-number|tn)-format$/,
    start: onRequest('any', async (request, service) => (hasUnassignedNumber(request) ? problem(400) : service(request))),
  },
  {
    name: 'Looks up the user or the account before it fails.',
    rules: /^users\..+\.(fail-closed|internal|rate)$/,
    start: changeReply(
      ['getUsers', 'getUser'],
      async (_, { request, kit }) => {
        if (request.operation === 'getUser') return (await kit.exists('users', idOf(request))) ? undefined : problem(404);
        const isKnown = await kit.exists('accounts', request.query.accountId ?? '');
        return isKnown ? undefined : success(200, { entities: [], cursor: null, pageSize: 100 });
      },
      ({ status }) => [429, 500, 503].includes(status),
    ),
  },
  {
    name: 'Answers 404 to tokens without the scope.',
    rules: /^assignability\.scope$|^(assignments|connections)\..+\.scope$/,
    start: changeRefusal('auth.missing-scope', 'any', () => problem(404)),
  },
  {
    name: 'Reverses the order of the users on each page.',
    rules: /^users\.list\.(page-size-may-change|traversal)$|^http\.pages\.traversal-complete$/,
    start: changeSuccess('getUsers', (reply, { request }) =>
      request.query.sortBy === undefined ? withEntities(reply, (all) => all.toReversed()) : undefined,
    ),
  },
  {
    name: 'Has an empty page after a full last page.',
    rules: /^http\.pages\.|\.list\.(page-size|cursor|traversal)$/,
    start: withEmptyPage,
  },
  {
    name: 'Answers 202 to writes of connections, and makes them later.',
    rules:
      /^(http\.path-forms\.same-operation|connections\.list\.by-experience|events\.(publish\.every-change|headers\.webhook-id-unique|subscription\.every-match))$/,
    start: writeLater,
  },
  {
    name: 'Answers 400 to updates with an invalid state.',
    rules: /^connections\.update\.(invalid-value|refused-changes-nothing)$/,
    start: changeRefusal('connections.update.invalid-value', 'updateExperienceConnection', () => problem(400)),
  },
  { name: 'Sends no state with an error.', rules: /^oauth\.callback\.(code|state)$/, start: onError({ state: undefined }) },
];
