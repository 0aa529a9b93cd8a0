import openapi from '../../../../src/contract/generated/openapi.json' with { type: 'json' };
import { operations } from '../../../../src/contract/generated/operations.ts';
import type { RuleId } from '../../../../src/contract/generated/rules.ts';
import { rules } from '../../../../src/contract/generated/rules-table.ts';
import { changeEntities, changeMembers, changeQuery, createProblemReply, parseBody, type Reply, type Request } from '../exchange.ts';
import { changeRequest, changeSuccess, type DerivedMutant, handleRequests, replaceReply, type StartMutant } from '../mutant.ts';
import { createPairs, LISTS } from './schema.ts';

// Mutants that break paged lists: wrong sizes, or cursors that skip or repeat entities.

interface Parameter {
  readonly name: string;
  readonly schema: { readonly type?: string; readonly default?: number; readonly maximum?: number };
}

const lists = LISTS.map((operation) => {
  const path: { get?: { parameters: readonly Parameter[] } } = openapi.paths[operations[operation].forms.prefixed];
  const { default: defaultSize = 100, maximum = defaultSize } = path.get?.parameters.find(({ name }) => name === 'pageSize')?.schema ?? {};
  return { operation, defaultSize, maximum };
});

type PagedList = (typeof lists)[number];

const setPageSize = (request: Request, pageSize: number | undefined) => changeQuery(request, { pageSize: pageSize?.toString() });

const isLastPage = (reply: Reply): boolean => typeof parseBody(reply).cursor !== 'string';
const isLaterPage = ({ query }: Request): boolean => query.cursor !== undefined;

const changePageSize = (
  { operation, maximum }: PagedList,
  read: (requested: number, request: Request) => number | undefined,
): StartMutant =>
  changeRequest(operation, (request) => {
    const requested = Number(request.query.pageSize);
    return Number.isInteger(requested) && requested >= 1 && requested <= maximum
      ? setPageSize(request, read(requested, request))
      : undefined;
  });

const setDefaultSize = ({ operation }: PagedList, size: number): StartMutant =>
  changeRequest(operation, (request) => (request.query.pageSize === undefined ? setPageSize(request, size) : undefined));

/** A mutant that joins the kit's first two pages into a page with more entities than the maximum page size. */
const returnLongerPage = ({ operation, maximum }: PagedList, sizeOf: (request: Request) => number | undefined): StartMutant =>
  handleRequests(operation, async (request, service) => {
    const size = isLaterPage(request) ? undefined : sizeOf(request);
    if (size === undefined) return service(request);
    const first = await service(setPageSize(request, maximum));
    const { entities, cursor } = parseBody(first);
    if (typeof cursor !== 'string') return first;
    const second = await service(changeQuery(setPageSize(request, maximum), { cursor }));
    return changeEntities(second, (more) => [...entities, ...more].slice(0, size));
  });

type PageChange = (reply: Reply, request: Request) => Reply | undefined;
const changePages =
  (isSelected: (reply: Reply, request: Request) => boolean, change: PageChange) =>
  ({ operation }: PagedList): StartMutant =>
    changeSuccess(operation, (reply, { request }) => (isSelected(reply, request) ? change(reply, request) : undefined));
const changeFirstPage = (change: PageChange) => changePages((_, request) => !isLaterPage(request), change);
const changeLaterPages = (change: PageChange) => changePages((_, request) => isLaterPage(request), change);
const changeLastPage = (change: PageChange) => changePages(isLastPage, change);

const ignoreCursorEnd =
  ({ operation }: PagedList): StartMutant =>
  () => {
    let next: string | undefined;
    return handleRequests(operation, async (request, service) => {
      if (isLaterPage(request)) return service(request);
      const reply = await service(changeQuery(request, { cursor: next }));
      next = parseBody(reply).cursor ?? undefined;
      return reply;
    })();
  };

type PageMutants = Readonly<Record<string, (list: PagedList) => StartMutant>>;

const ORDER_MUTANTS: PageMutants = {
  'The first entity is missing from every page except the first page.': changeLaterPages((reply) =>
    changeEntities(reply, ([, ...rest]) => rest),
  ),
  'The list ends with the first page.': changeFirstPage((reply) => changeMembers(reply, { cursor: null })),
};
const TRAVERSAL_MUTANTS: PageMutants = {
  ...ORDER_MUTANTS,
  'The last entity is listed twice.': changeLastPage((reply) => changeEntities(reply, (found) => [...found, ...found.slice(-1)])),
  'The list ends with the second page.': changeLaterPages((reply) => changeMembers(reply, { cursor: null })),
};
const LENGTH_MUTANTS: PageMutants = {
  'pageSize is ignored.': (list) => changePageSize(list, () => undefined),
  'A page has one entity more than requested.': (list) => changePageSize(list, (requested) => Math.min(requested + 1, list.maximum)),
};

/** The keys are the ends of rule ids. */
const MUTANTS_BY_RULE: Readonly<Record<string, PageMutants>> = {
  '.default-page-size': {
    'The default page size is halved.': (list) => setDefaultSize(list, list.defaultSize / 2),
    'The default page size is doubled.': (list) =>
      returnLongerPage(list, ({ query }) => (query.pageSize === undefined ? list.defaultSize * 2 : undefined)),
  },
  'assignments.list.page-size': {
    'A page can contain more items than the maximum page size.': (list) =>
      returnLongerPage(list, ({ query }) => (Number(query.pageSize) > list.maximum ? Number(query.pageSize) : undefined)),
  },
  '.page-size': {
    ...LENGTH_MUTANTS,
    'The maximum page size is halved.': (list) => changePageSize(list, (requested) => Math.min(requested, list.maximum / 2)),
    'A page has one entity fewer than requested.': (list) => changePageSize(list, (requested) => Math.max(requested - 1, 1)),
    'The largest pageSize is refused.': (list) => refusePageSize(list, list.maximum),
    'The smallest pageSize is refused.': (list) => refusePageSize(list, 1),
  },
  '.cursor': {
    ...ORDER_MUTANTS,
    'Every cursor returns the first page.': ({ operation }) =>
      changeRequest(operation, (request) => changeQuery(request, { cursor: undefined })),
    'Every cursor is refused.': ({ operation }) =>
      replaceReply(operation, (request) => (isLaterPage(request) ? createProblemReply(400) : undefined)),
    'A second request for the first page returns the second page.': ignoreCursorEnd,
  },
  '.list.traversal': TRAVERSAL_MUTANTS,
  'http.pages.at-most-page-size': {
    ...LENGTH_MUTANTS,
    'pageSize is ignored on every page except the first page.': (list) =>
      changePageSize(list, (requested, request) => (isLaterPage(request) ? undefined : requested)),
    'A page has at least ten entities.': (list) => changePageSize(list, (requested) => Math.max(requested, 10)),
  },
  'http.pages.traversal-complete': TRAVERSAL_MUTANTS,
  'http.pages.cursor-null-at-end': {
    'The last page has an empty cursor instead of null.': changeLastPage((reply, request) =>
      isLaterPage(request) ? changeMembers(reply, { cursor: '' }) : undefined,
    ),
    'The last page has the cursor false instead of null.': changeLastPage((reply) => changeMembers(reply, { cursor: false })),
    'The last page contains a cursor that leads to the last page again.': changeLastPage((reply, { query: { cursor } }) =>
      cursor === undefined ? undefined : changeMembers(reply, { cursor }),
    ),
  },
};

function refusePageSize({ operation }: PagedList, size: number): StartMutant {
  return replaceReply(operation, (request) => (request.query.pageSize === `${size}` ? createProblemReply(400) : undefined));
}

/** Each rule is tested with every list and with every kind of mutant, but not with every combination. */
export const pageMutants: readonly DerivedMutant[] = (Object.keys(rules) as RuleId[]).flatMap((rule) => {
  const rows = Object.entries(MUTANTS_BY_RULE).flatMap(([ending, each]) => (rule.endsWith(ending) ? Object.entries(each) : []));
  const own = lists.filter(({ operation }) => rules[rule].operations?.includes(operation) ?? true);
  return createPairs(rows, own).map(([[description, start], list]) => ({
    rule,
    description: `${list.operation}: ${description}`,
    start: start(list),
  }));
});
