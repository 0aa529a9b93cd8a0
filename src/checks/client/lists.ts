import type { ClientRuleId } from '../rules.ts';
import type { Call } from './call.ts';
import { getArrivalMs, getResponseEndMs, type History, isSuccess, parseQuery } from './history.ts';
import type { Breach, JudgeRule } from './judgement.ts';

const MALFORMED_CURSOR_TYPES = ['/problems/users.list.cursor-malformed'];
const OTHER_LIST_TYPES = ['account', 'sort-by', 'sort-order'].map((name) => `/problems/users.list.cursor-other-${name}`);
const NEEDS_CURSOR = 'The client has to request a list that has several pages, and to send a cursor.';

export const judgesForListRules = {
  'client.cursor-opaque'({ api }, { complete }) {
    const issued = new Set(api.map(({ nextCursor }) => nextCursor));
    const firstIssue = api.find(({ nextCursor }) => nextCursor);
    const replays = api.filter((call) => isList(call) && getCursor(call));
    const findings = replays
      // The kit may have issued earlier cursors before a restart or a reset, which also empties the journal.
      .filter((call) => firstIssue && call.number > firstIssue.number)
      .filter((call) => !issued.has(getCursor(call)) && (complete ? !isSuccess(call) : isRefusedWith(call, MALFORMED_CURSOR_TYPES)))
      .map((call) => ({
        message: "The kit never issued this cursor. Send the previous page's cursor unchanged, URL-encoded.",
        calls: [call],
      }));
    return { exercised: replays, findings, needs: NEEDS_CURSOR };
  },

  'client.restart-without-cursor'(history) {
    const { pages, starts } = findUserPages(history);
    const findings = pages
      .filter((call) => getCursor(call) && isRefusedWith(call, OTHER_LIST_TYPES))
      .map((call): Breach => {
        const source = pages.find(({ nextCursor }) => nextCursor === getCursor(call));
        const message =
          'The client sent a cursor from a list with a different accountId, sortBy or sortOrder. Start the new list without a cursor.';
        return { message, calls: source ? [source, call] : [call], breaking: [call] };
      });
    const isAfterUnfinishedList = (start: Call) =>
      pages.some((page) => page.nextCursor && getArrivalMs(page) < getArrivalMs(start) && toListKey(page) !== toListKey(start));
    const needs =
      'The client has to request a list of users that has several pages, and then a list with another accountId, sortBy or sortOrder.';
    return { exercised: starts.filter(isAfterUnfinishedList), findings, needs };
  },

  'client.refused-cursor-restarts'(history) {
    const { pages, starts } = findUserPages(history);
    const refused = pages.filter((call) => getCursor(call) && call.status === 400);
    const findings = refused.flatMap((call): Breach[] => {
      const after = pages.filter((page) => getArrivalMs(page) >= getResponseEndMs(call));
      // Two requests for the same list may return the same cursor.
      const end = after.findIndex(({ nextCursor }) => nextCursor === getCursor(call));
      const again = after.slice(0, end < 0 ? undefined : end).find((page) => getCursor(page) === getCursor(call));
      const message = 'The service refused this cursor with 400, and the client sent it again. Start again without a cursor.';
      return again ? [{ message, calls: [call, again], breaking: [again] }] : [];
    });
    const exercised = refused.flatMap((call) => {
      const restart = starts.find((start) => getArrivalMs(start) >= getResponseEndMs(call) && toListKey(start) === toListKey(call));
      return restart ? [call, restart] : [];
    });
    if (refused.length === 0)
      return { exercised, findings, needs: 'The client has to get 400 for the cursor of a list of users.', provocation: 'cursor' };
    const needs = 'The service refused a cursor that the client sent. The client must then request the list from the first page.';
    return { exercised, findings, needs };
  },

  'client.traversal-until-null'(history, { wholeLists }) {
    const { pages } = findUserPages(history);
    const sent = new Set(history.api.map(getCursor));
    const open = pages.filter(({ nextCursor }) => nextCursor && !sent.has(nextCursor));
    const complete = pages.filter((page) => getCursor(page) && page.nextCursor === null);
    // A client that needs only the count or one user may stop after one page.
    const stopped = wholeLists ? open.filter((page) => !isRestarted(page, pages)) : [];
    const lists = new Map(stopped.map((page) => [toListKey(page), page]));
    const findings = [...lists.values()].map((page) => {
      const message = `The client stopped after ${getCursor(page) ? 'a page' : 'the first page'} of this list, although the page's cursor is not null. Repeat the request with each returned cursor until the cursor is null. If the client needs only part of this list, run the check without --whole-lists.`;
      return { message, calls: [page] };
    });
    const needs = open.length > 0 ? NEEDS_WHOLE_LIST : 'The client has to request a list of users page by page until the cursor is null.';
    return { exercised: complete, findings, needs };
  },
} satisfies Partial<Record<ClientRuleId, JudgeRule>>;

const NEEDS_WHOLE_LIST =
  'The client did not request all pages of a list of users. If the client needs the whole list, run the check with --whole-lists, which reports missing pages as an error.';

const getCursor = (call: Call): string => parseQuery(call).get('cursor') ?? '';
const isRefusedWith = ({ step, problem }: Call, types: readonly string[]): boolean =>
  step !== 'fault' && types.includes(problem?.type ?? '');

const isList = ({ operationId, method }: Call): boolean =>
  method === 'GET' && ['getUsers', 'getExperienceAssignments', 'getExperienceConnections'].includes(operationId ?? '');

function findUserPages({ api }: History) {
  const pages = api.filter((call) => isList(call) && call.operationId === 'getUsers');
  return { pages, starts: pages.filter((call) => isSuccess(call) && !getCursor(call)) };
}

/** Returns the parameters that a cursor depends on: the list's account and sort order. */
function toListKey(call: Call): string {
  const query = parseQuery(call);
  return ['accountId', 'sortBy', 'sortOrder'].map((name) => query.get(name)?.toLowerCase()).join(' ');
}

const isRestarted = (page: Call, pages: readonly Call[]): boolean =>
  pages.some((other) => getArrivalMs(other) > getArrivalMs(page) && toListKey(other) === toListKey(page) && !getCursor(other));
