import type { ClientRuleId } from '../rules.ts';
import type { Call } from './call.ts';
import { findFrom, getArrivalMs, getResponseEndMs, type History, isSuccess, parseQuery } from './history.ts';
import { type Breach, type JudgeRule, judgeEach } from './judgement.ts';
import { isUnexplained } from './refusing-rule.ts';

const MALFORMED_CURSOR_TYPES = ['/problems/users.list.cursor-malformed'];
const OTHER_LIST_TYPES = ['account', 'sort-by', 'sort-order'].map((name) => `/problems/users.list.cursor-other-${name}`);
const NEEDS_CURSOR = 'The client has to request a list that has several pages, and to send a cursor.';

export const judgesForListRules = {
  'client.cursor-opaque'({ api }, { complete }) {
    const issued = new Set(api.map(({ nextCursor }) => nextCursor));
    const firstIssue = api.find(({ nextCursor }) => nextCursor);
    const isKnown = (call: Call) => issued.has(getCursor(call)) || !isUnexplained(call);
    const sent = api.filter((call) => isList(call) && ((getCursor(call) && isKnown(call)) || isRefusedPlaceholder(call)));
    return judgeEach(sent, NEEDS_CURSOR, (call) => {
      if (isRefusedPlaceholder(call)) return 'The cursor is empty, "null" or "undefined". For the first page, send no cursor.';
      // The kit may have issued earlier cursors before a restart or a reset, which also empties the journal.
      if (!firstIssue || call.number <= firstIssue.number || issued.has(getCursor(call))) return undefined;
      const isRefused = complete ? !isSuccess(call) : isRefusedWith(call, MALFORMED_CURSOR_TYPES);
      return isRefused ? "The service never issued this cursor. Send the previous page's cursor unchanged, URL-encoded." : undefined;
    });
  },

  'client.restart-without-cursor'(history) {
    const { pages, starts } = findUserPages(history);
    const issuers = Map.groupBy(pages, ({ nextCursor }) => nextCursor);
    const findings = pages
      .filter((call) => getCursor(call) && isRefusedWith(call, OTHER_LIST_TYPES))
      .map((call): Breach => {
        const source = issuers.get(getCursor(call))?.[0];
        const message =
          'The client sent a cursor from a list with a different accountId, sortBy or sortOrder. Start the new list without a cursor.';
        return { message, calls: source ? [source, call] : [call], breaking: [call] };
      });
    const unfinished = pages.filter(({ nextCursor }) => nextCursor);
    // One of the two differs from every other list.
    const earliest = [unfinished[0], unfinished.find((page) => toListKey(page) !== toListKey(unfinished[0]!))];
    const isAfterUnfinishedList = (start: Call) =>
      earliest.some((page) => page && getArrivalMs(page) < getArrivalMs(start) && toListKey(page) !== toListKey(start));
    const needs =
      'The client has to request a list of users that has several pages, and then a list with another accountId, sortBy or sortOrder.';
    return { exercised: starts.filter(isAfterUnfinishedList), findings, needs };
  },

  'client.refused-cursor-restarts'(history) {
    const { pages, starts } = findUserPages(history);
    const refused = pages.filter((call) => getCursor(call) && call.status === 400);
    const [issuers, users] = [Map.groupBy(pages, ({ nextCursor }) => nextCursor), Map.groupBy(pages, getCursor)];
    const lists = Map.groupBy(starts, toListKey);
    const findings = refused.flatMap((call): Breach[] => {
      const again = findFrom(users.get(getCursor(call)), getResponseEndMs(call));
      // Two requests for the same list may return the same cursor.
      const issued = findFrom(issuers.get(getCursor(call)), getResponseEndMs(call));
      const message = 'The service refused this cursor with 400, and the client sent it again. Start again without a cursor.';
      return again && !(issued && getArrivalMs(issued) <= getArrivalMs(again))
        ? [{ message, calls: [call, again], breaking: [again] }]
        : [];
    });
    const exercised = refused.flatMap((call) => {
      const restart = findFrom(lists.get(toListKey(call)), getResponseEndMs(call));
      return restart ? [call, restart] : [];
    });
    if (refused.length === 0)
      return { exercised, findings, needs: 'The client has to get 400 for the cursor of a list of users.', provocation: 'cursor' };
    const needs = 'The service refused a cursor that the client sent. The client must then request the list from the first page.';
    return { exercised, findings, needs };
  },

  'client.traversal-until-null'({ api }, { wholeLists }) {
    const pages = api.filter(isList);
    // A client whose cursor is refused has to start again.
    const lastStatus = new Map(pages.map((page) => [getCursor(page), page.status]));
    const open = pages.filter(({ nextCursor }) => nextCursor && [undefined, 400].includes(lastStatus.get(nextCursor)));
    const complete = pages.filter((page) => getCursor(page) && page.nextCursor === null);
    // A client that needs only the count or one user may stop after one page.
    const lastStart = new Map(pages.filter((page) => !getCursor(page)).map((page) => [toListKey(page), getArrivalMs(page)]));
    const isRestarted = (page: Call) => (lastStart.get(toListKey(page)) ?? 0) > getArrivalMs(page);
    const stopped = wholeLists ? open.filter((page) => !isRestarted(page)) : [];
    const lists = new Map(stopped.map((page) => [toListKey(page), page]));
    const findings = [...lists.values()].map((page) => {
      const message = `The client stopped after ${getCursor(page) ? 'a page' : 'the first page'} of this list, although the page's cursor is not null. Repeat the request with each returned cursor until the cursor is null. If the client needs only part of this list, run the check without --whole-lists.`;
      return { message, calls: [page] };
    });
    const needs = open.length > 0 ? NEEDS_WHOLE_LIST : 'The client has to request a list page by page until the cursor is null.';
    return { exercised: complete, findings, needs };
  },
} satisfies Partial<Record<ClientRuleId, JudgeRule>>;

const NEEDS_WHOLE_LIST =
  'The client did not request all pages of a list. If the client needs the whole list, run the check with --whole-lists, which reports missing pages as an error.';

const isRefusedPlaceholder = (call: Call): boolean =>
  call.status === 400 && ['', 'null', 'undefined'].includes(parseQuery(call).get('cursor') ?? '-');
const getCursor = (call: Call): string => parseQuery(call).get('cursor') ?? '';
const isRefusedWith = ({ step, problem }: Call, types: readonly string[]): boolean =>
  step !== 'fault' && types.includes(problem?.type ?? '');

const isList = ({ operationId, method }: Call): boolean =>
  method === 'GET' && ['getUsers', 'getExperienceAssignments', 'getExperienceConnections'].includes(operationId ?? '');

function findUserPages({ api }: History) {
  const pages = api.filter((call) => isList(call) && call.operationId === 'getUsers');
  return { pages, starts: pages.filter((call) => isSuccess(call) && !getCursor(call)) };
}

/** Returns the list's operation and the parameters that a cursor depends on. */
function toListKey(call: Call): string {
  const parameters = [...parseQuery(call)].filter(([name]) => name !== 'cursor' && name !== 'pageSize');
  return [call.operationId, ...parameters.map(([name, value]) => `${name}=${value.toLowerCase()}`).sort()].join(' ');
}
