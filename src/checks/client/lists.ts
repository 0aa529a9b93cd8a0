import type { ClientRuleId } from '../rules.ts';
import type { Call } from './call.ts';
import { arrivalOf, endOf, type History, isSuccess, queryOf } from './history.ts';
import type { Finding, JudgeRule } from './judgement.ts';

const MALFORMED = ['/problems/users.list.cursor-malformed'];
const OTHER_LIST = ['account', 'sort-by', 'sort-order'].map((name) => `/problems/users.list.cursor-other-${name}`);
const A_CURSOR = 'The client has to list more items than one page has, and to send the cursor of a page.';

export const lists = {
  'client.cursor-opaque'({ api }, { complete }) {
    const issued = new Set(api.map(({ nextCursor }) => nextCursor));
    const replays = api.filter((call) => isList(call) && cursorOf(call));
    const findings = replays
      // A kit also accepts cursors that it issued before it was restarted, but no others.
      .filter((call) => !issued.has(cursorOf(call)) && (complete ? !isSuccess(call) : isProblem(call, MALFORMED)))
      .map((call) => ({
        message: 'The kit never issued this cursor. Send the cursor of the previous page as it is, URL-encoded.',
        calls: [call],
      }));
    return { exercised: replays, findings, needs: A_CURSOR };
  },

  'client.restart-without-cursor'(history) {
    const { pages, starts } = usersPages(history);
    const findings = pages
      .filter((call) => cursorOf(call) && isProblem(call, OTHER_LIST))
      .map((call): Finding => {
        const source = pages.find(({ nextCursor }) => nextCursor === cursorOf(call));
        const message =
          'The client sent a cursor with another accountId, sortBy or sortOrder than the cursor was issued for. Start the new list without a cursor.';
        return { message, calls: source ? [source, call] : [call], breaking: [call] };
      });
    const open = (start: Call) =>
      pages.some((page) => page.nextCursor && arrivalOf(page) < arrivalOf(start) && listOf(page) !== listOf(start));
    const needs =
      'The client has to request a list of users that has several pages, and after it a list with another accountId, sortBy or sortOrder.';
    return { exercised: starts.filter(open), findings, needs };
  },

  'client.refused-cursor-restarts'(history) {
    const { pages, starts } = usersPages(history);
    const refused = pages.filter((call) => cursorOf(call) && call.status === 400);
    const findings = refused.flatMap((call): Finding[] => {
      const after = pages.filter((page) => arrivalOf(page) >= endOf(call));
      // A list that is requested again may return the same cursor.
      const end = after.findIndex(({ nextCursor }) => nextCursor === cursorOf(call));
      const again = after.slice(0, end < 0 ? undefined : end).find((page) => cursorOf(page) === cursorOf(call));
      const message = 'The service refused this cursor with 400, and the client sent it again. Start again without a cursor.';
      return again ? [{ message, calls: [call, again], breaking: [again] }] : [];
    });
    const exercised = refused.flatMap((call) => {
      const restart = starts.find((start) => arrivalOf(start) >= endOf(call) && listOf(start) === listOf(call));
      return restart ? [call, restart] : [];
    });
    if (refused.length === 0)
      return { exercised, findings, needs: 'The service has to refuse a cursor of a list of users.', provocation: 'cursor' };
    const needs = 'The service refused a cursor that the client sent. The client must then request the list from the first page.';
    return { exercised, findings, needs };
  },

  'client.traversal-until-null'(history, { wholeLists }) {
    const { pages } = usersPages(history);
    const sent = new Set(history.api.map(cursorOf));
    const open = pages.filter(({ nextCursor }) => nextCursor && !sent.has(nextCursor));
    const complete = pages.filter((page) => cursorOf(page) && page.nextCursor === null);
    // A client may stop on purpose, because it has found a user or needs only the count.
    const stopped = wholeLists ? open.filter((page) => !isRestarted(page, pages)) : [];
    const lists = new Map(stopped.map((page) => [listOf(page), page]));
    const findings = [...lists.values()].map((page) => {
      const message = `The client stopped after ${cursorOf(page) ? 'a page' : 'the first page'} of this list, although its cursor is not null. Repeat the request with the cursor until the cursor is null. If the client needs only a part of this list, check it without the option for whole lists.`;
      return { message, calls: [page] };
    });
    const needs = open.length > 0 ? STOPPED : 'The client has to follow the cursors of a list of users until the cursor is null.';
    return { exercised: complete, findings, needs };
  },
} satisfies Partial<Record<ClientRuleId, JudgeRule>>;

const STOPPED =
  'The client did not request all pages of a list of users. If it needs the whole list, this is an error: with --whole-lists, the rule fails.';

const cursorOf = (call: Call): string => queryOf(call).get('cursor') ?? '';
/** Returns whether the service refused a call for one of these reasons. A fault can refuse a call for any reason. */
const isProblem = ({ step, problem }: Call, types: readonly string[]): boolean => step !== 'fault' && types.includes(problem?.type ?? '');

const isList = ({ operationId, method }: Call): boolean =>
  method === 'GET' && ['getUsers', 'getExperienceAssignments', 'getExperienceConnections'].includes(operationId ?? '');

function usersPages({ api }: History) {
  const pages = api.filter((call) => isList(call) && call.operationId === 'getUsers');
  return { pages, starts: pages.filter((call) => isSuccess(call) && !cursorOf(call)) };
}

/** Returns the filters of a list of users, which a cursor is bound to. */
function listOf(call: Call): string {
  const query = queryOf(call);
  return ['accountId', 'sortBy', 'sortOrder'].map((name) => query.get(name)?.toLowerCase()).join(' ');
}

/** Returns whether the client requested the list again after this page. */
const isRestarted = (page: Call, pages: readonly Call[]): boolean =>
  pages.some((other) => arrivalOf(other) > arrivalOf(page) && listOf(other) === listOf(page) && !cursorOf(other));
