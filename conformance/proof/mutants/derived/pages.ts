import openapi from '../../../../src/contract/generated/openapi.json' with { type: 'json' };
import { type OperationId, operations } from '../../../../src/contract/generated/operations.ts';
import type { RuleId } from '../../../../src/contract/generated/rules.ts';
import { rules } from '../../../../src/contract/generated/rules-table.ts';
import { bodyOf, problem, type Reply, type Request, withEntities, withMembers, withQuery } from '../exchange.ts';
import { answerInstead, changeRequest, changeSuccess, type Derived, onRequest, type Start } from '../mutant.ts';
import { pairs, successOf } from './schema.ts';

// Mutants that break lists with pages. They send pages of a wrong size, or their cursors skip or repeat entities.

interface List {
  readonly operation: OperationId;
  readonly standard: number;
  readonly most: number;
}

interface Parameter {
  readonly name: string;
  readonly schema: { readonly default?: number; readonly maximum?: number };
}

const lists: readonly List[] = (Object.keys(operations) as OperationId[])
  .filter((operation) => successOf(operation).schema?.properties?.pageSize !== undefined)
  .map((operation) => {
    const described = Object.values(openapi.paths).flatMap(
      (item) => Object.values(item) as { operationId?: string; parameters?: Parameter[] }[],
    );
    const parameters = described.find(({ operationId }) => operationId === operation)?.parameters ?? [];
    const { default: standard = 100, maximum: most = standard } = parameters.find(({ name }) => name === 'pageSize')?.schema ?? {};
    return { operation, standard, most };
  });

const withPageSize = (request: Request, pageSize: number | undefined) =>
  withQuery(request, { pageSize: pageSize === undefined ? undefined : `${pageSize}` });

const isLast = (reply: Reply): boolean => typeof bodyOf(reply).cursor !== 'string';
const isLater = ({ query }: Request): boolean => query.cursor !== undefined;

/** A mutant that replaces a valid pageSize in a request with the result of `read`. */
const readSize = ({ operation, most }: List, read: (asked: number, request: Request) => number | undefined): Start =>
  changeRequest(operation, (request) => {
    const asked = Number(request.query.pageSize);
    return Number.isInteger(asked) && asked >= 1 && asked <= most ? withPageSize(request, read(asked, request)) : undefined;
  });

/** A mutant with a different default page size. */
const defaultSize = ({ operation }: List, size: number): Start =>
  changeRequest(operation, (request) => (request.query.pageSize === undefined ? withPageSize(request, size) : undefined));

/**
 * A mutant that sends pages larger than the maximum. The mutant joins the first two pages of the kit, and returns the first
 * `sizeOf(request)` entities.
 */
const longerPage = ({ operation, most }: List, sizeOf: (request: Request) => number | undefined): Start =>
  onRequest(operation, async (request, service) => {
    const size = isLater(request) ? undefined : sizeOf(request);
    if (size === undefined) return service(request);
    const first = await service(withPageSize(request, most));
    const { entities, cursor } = bodyOf(first);
    if (typeof cursor !== 'string') return first;
    const second = await service(withQuery(withPageSize(request, most), { cursor }));
    return withEntities(second, (more) => [...entities, ...more].slice(0, size));
  });

type Change = (reply: Reply, request: Request) => Reply | undefined;
const onPage =
  (isMeant: (reply: Reply, request: Request) => boolean, change: Change) =>
  ({ operation }: List): Start =>
    changeSuccess(operation, (reply, { request }) => (isMeant(reply, request) ? change(reply, request) : undefined));
const onFirst = (change: Change) => onPage((_, request) => !isLater(request), change);
const onLater = (change: Change) => onPage((_, request) => isLater(request), change);
const onLast = (change: Change) => onPage(isLast, change);

/** A mutant that sends the second page if the first page is requested a second time. */
const continuing =
  ({ operation }: List): Start =>
  () => {
    let next: string | undefined;
    return onRequest(operation, async (request, service) => {
      if (isLater(request)) return service(request);
      const reply = await service(withQuery(request, { cursor: next }));
      next = bodyOf(reply).cursor ?? undefined;
      return reply;
    })();
  };

type Rows = Readonly<Record<string, (list: List) => Start>>;

const ORDER: Rows = {
  'Every page but the first lacks its first entity.': onLater((reply) => withEntities(reply, ([, ...rest]) => rest)),
  'The list ends with the first page.': onFirst((reply) => withMembers(reply, { cursor: null })),
};
const TRAVERSAL: Rows = {
  ...ORDER,
  'The last entity is listed twice.': onLast((reply) => withEntities(reply, (found) => [...found, ...found.slice(-1)])),
  'The list ends with the second page.': onLater((reply) => withMembers(reply, { cursor: null })),
};
const LENGTH: Rows = {
  'pageSize is ignored.': (list) => readSize(list, () => undefined),
  'A page has one entity more than requested.': (list) => readSize(list, (asked) => Math.min(asked + 1, list.most)),
  'pageSize is ignored for all pages but the first.': (list) => readSize(list, (asked, request) => (isLater(request) ? undefined : asked)),
};

/** Descriptions and mutants, by the ending of the id of the rule that they break. */
const ROWS: Readonly<Record<string, Rows>> = {
  '.default-page-size': {
    'The default page size is halved.': (list) => defaultSize(list, list.standard / 2),
    'The default page size is doubled.': (list) =>
      longerPage(list, ({ query }) => (query.pageSize === undefined ? list.standard * 2 : undefined)),
  },
  'assignments.list.page-size': {
    'A page can contain more items than the maximum page size.': (list) =>
      longerPage(list, ({ query }) => (Number(query.pageSize) > list.most ? Number(query.pageSize) : undefined)),
  },
  '.page-size': {
    ...LENGTH,
    'A page has at most half of the maximum.': (list) => readSize(list, (asked) => Math.min(asked, list.most / 2)),
    'A page has one entity less than requested.': (list) => readSize(list, (asked) => Math.max(asked - 1, 1)),
    'The largest pageSize is refused.': (list) => refuseSize(list, list.most),
    'The smallest pageSize is refused.': (list) => refuseSize(list, 1),
  },
  '.cursor': {
    ...ORDER,
    'Every cursor returns the first page.': ({ operation }) =>
      changeRequest(operation, (request) => withQuery(request, { cursor: undefined })),
    'Every cursor is refused.': ({ operation }) => answerInstead(operation, (request) => (isLater(request) ? problem(400) : undefined)),
    'A request without a cursor returns the page after the previous one.': continuing,
  },
  '.list.traversal': TRAVERSAL,
  'http.pages.at-most-page-size': {
    ...LENGTH,
    'A page has at least ten entities.': (list) => readSize(list, (asked) => Math.max(asked, 10)),
  },
  'http.pages.traversal-complete': TRAVERSAL,
  'http.pages.cursor-null-at-end': {
    'The last page has an empty cursor instead of null.': onLast((reply, request) =>
      isLater(request) ? withMembers(reply, { cursor: '' }) : undefined,
    ),
    'The last page has the cursor false instead of null.': onLast((reply) => withMembers(reply, { cursor: false })),
    'The cursor of the last page returns the last page again.': onLast((reply, { query: { cursor } }) =>
      cursor === undefined ? undefined : withMembers(reply, { cursor }),
    ),
  },
};

function refuseSize({ operation }: List, size: number): Start {
  return answerInstead(operation, (request) => (request.query.pageSize === `${size}` ? problem(400) : undefined));
}

/** All mutants that break lists. If a rule applies to all lists, each mutant breaks one list, and each list is broken at least once. */
export const pageMutants: readonly Derived[] = (Object.keys(rules) as RuleId[]).flatMap((rule) => {
  const rows = Object.entries(ROWS).flatMap(([ending, each]) => (rule.endsWith(ending) ? Object.entries(each) : []));
  const own = lists.filter(({ operation }) => rules[rule].operations?.includes(operation) ?? true);
  return pairs(rows, own).map(([[does, start], list]) => ({ rule, does: `${list.operation}: ${does}`, start: start(list) }));
});
