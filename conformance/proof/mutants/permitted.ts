import { onError } from './by-hand/oauth.ts';
import { idOf, problem, type Request, success, withEntities } from './exchange.ts';
import { changeRefusal, changeReply, changeSuccess, onRequest, type Start } from './mutant.ts';

/** A server that differs from the kit in a way that the specification permits. Every check of `rules` has to pass. */
export interface Permitted {
  /** A sentence that says what the server does. */
  readonly name: string;
  /** Patterns for rule ids, such as `users.list.*`. */
  readonly rules: readonly string[];
  readonly start: Start;
}

/** Whether a request contains a telephone number whose country code is not assigned. */
const hasUnassignedNumber = ({ url, text }: Request): boolean => /\+999\d/.test(`${decodeURIComponent(url)} ${text}`);

export const PERMITTED: readonly Permitted[] = [
  {
    name: 'Refuses telephone numbers that the numbering plan does not allow.',
    rules: ['assignability.{shape,echo,unknown-target-false}', '*.target-value-format', 'connections.list.{telephone-number,tn}-format'],
    start: onRequest('any', async (request, service) => (hasUnassignedNumber(request) ? problem(400) : service(request))),
  },
  {
    name: 'Looks up the user or the account before it fails.',
    rules: ['users.*.{fail-closed,internal,rate}'],
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
    rules: ['assignability.scope', '{assignments,connections}.*.scope'],
    start: changeRefusal('auth.missing-scope', 'any', () => problem(404)),
  },
  {
    name: 'Reverses the order of the users on each page.',
    rules: ['users.list.{page-size-may-change,traversal}', 'http.pages.traversal-complete'],
    start: changeSuccess('getUsers', (reply, { request }) =>
      request.query.sortBy === undefined ? withEntities(reply, (all) => all.toReversed()) : undefined,
    ),
  },
  { name: 'Sends no state with an error.', rules: ['oauth.callback.{code,state}'], start: onError({ state: undefined }) },
];
