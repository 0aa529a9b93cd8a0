import openapi from '../../../../src/contract/generated/openapi.json' with { type: 'json' };
import { type OperationId, operations } from '../../../../src/contract/generated/operations.ts';
import type { RuleId } from '../../../../src/contract/generated/rules.ts';
import { rules } from '../../../../src/contract/generated/rules-table.ts';
import { bodyOf, isSuccess, type Json, problem, type Reply, type Request, withEntities, withMembers, withParameters } from '../exchange.ts';
import { answerInstead, changeRequest, changeSuccess, type Derived, onRequest, type Service, type Start } from '../mutant.ts';
import { pairs, successOf } from './schema.ts';

// Every list that has pages cuts them in another way, or loses its way between them.

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
    const described = Object.values(openapi.components.pathItems).flatMap(
      (item) => Object.values(item) as { operationId?: string; parameters?: Parameter[] }[],
    );
    const parameters = described.find(({ operationId }) => operationId === operation)?.parameters ?? [];
    const { default: standard = 100, maximum: most = standard } = parameters.find(({ name }) => name === 'pageSize')?.schema ?? {};
    return { operation, standard, most };
  });

const withPageSize = (request: Request, pageSize: number | undefined) =>
  withParameters(request, { query: { pageSize: pageSize === undefined ? undefined : `${pageSize}` } });

const isLast = (reply: Reply): boolean => typeof bodyOf(reply).cursor !== 'string';
const isLater = ({ query }: Request): boolean => query.cursor !== undefined;

/** Reads another page size than the one asked for, if that is allowed. */
const readSize = ({ operation, most }: List, read: (asked: number, request: Request) => number | undefined): Start =>
  changeRequest(operation, (request) => {
    const asked = Number(request.query.pageSize);
    return Number.isInteger(asked) && asked >= 1 && asked <= most ? withPageSize(request, read(asked, request)) : undefined;
  });

/** Has another page size if none is asked for. */
const defaultSize = ({ operation }: List, size: number): Start =>
  changeRequest(operation, (request) => (request.query.pageSize === undefined ? withPageSize(request, size) : undefined));

/** Collects a first page that may be longer than the service allows. `sizeOf` returns undefined to leave it as it is. */
const longerPages = ({ operation, most }: List, sizeOf: (request: Request) => number | undefined): Start =>
  onRequest(operation, async (request, service) => {
    const size = isLater(request) ? undefined : sizeOf(request);
    if (size === undefined) return service(request);
    return collect(withPageSize(request, most), service, size);
  });

/** One page with as many entities as the service has, up to `size`. */
async function collect(request: Request, service: Service, size: number): Promise<Reply> {
  const entities: Json[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await service(withParameters(request, { query: { cursor } }));
    if (!isSuccess(page)) return page;
    entities.push(...bodyOf(page).entities);
    cursor = bodyOf(page).cursor ?? undefined;
    if (cursor === undefined || entities.length >= size) return withMembers(page, { entities: entities.slice(0, size), pageSize: size });
  }
}

type Change = (reply: Reply, request: Request) => Reply | undefined;
const onPage =
  (isMeant: (reply: Reply, request: Request) => boolean, change: Change) =>
  ({ operation }: List): Start =>
    changeSuccess(operation, (reply, { request }) => (isMeant(reply, request) ? change(reply, request) : undefined));
const onFirst = (change: Change) => onPage((_, request) => !isLater(request), change);
const onLater = (change: Change) => onPage((_, request) => isLater(request), change);
const onLast = (change: Change) => onPage(isLast, change);

/** Remembers the last entity of each page by the cursor that leads on from it. */
const withLastEntityAgain =
  ({ operation }: List): Start =>
  () => {
    const lasts = new Map<string, Json>();
    return {
      requests: async (request, service) => {
        const reply = await service(request);
        if (request.operation !== operation || !isSuccess(reply)) return reply;
        const { entities, cursor } = bodyOf(reply);
        if (typeof cursor === 'string' && entities.length > 0) lasts.set(cursor, entities.at(-1));
        const last = lasts.get(request.query.cursor ?? '');
        return last === undefined ? reply : withEntities(reply, (found) => [last, ...found.slice(1)]);
      },
    };
  };

/** Continues where the first page ended when the first page is asked for again. */
const continuing =
  ({ operation }: List): Start =>
  () => {
    const ended = new Map<string, string>();
    return {
      requests: async (request, service) => {
        if (request.operation !== operation || isLater(request)) return service(request);
        const reply = await service(withParameters(request, { query: { cursor: ended.get(request.url) } }));
        const { cursor } = bodyOf(reply);
        if (typeof cursor === 'string') ended.set(request.url, cursor);
        else ended.delete(request.url);
        return reply;
      },
    };
  };

/** Starts again after the last page. */
const circling =
  ({ operation }: List): Start =>
  () => {
    let second: string | undefined;
    return {
      requests: async (request, service) => {
        const reply = await service(request);
        if (request.operation !== operation || !isSuccess(reply)) return reply;
        if (!isLater(request)) second = bodyOf(reply).cursor ?? undefined;
        return isLater(request) && isLast(reply) && second !== undefined ? withMembers(reply, { cursor: second }) : reply;
      },
    };
  };

type Rows = Readonly<Record<string, (list: List) => Start>>;

const ORDER: Rows = {
  'A later page lacks its first entity.': onLater((reply) => withEntities(reply, ([, ...rest]) => rest)),
  'A page starts with the last entity of the page before.': withLastEntityAgain,
  'The list ends with the first page.': onFirst((reply) => withMembers(reply, { cursor: null })),
};
const LENGTH: Rows = {
  'pageSize is ignored.': (list) => readSize(list, () => undefined),
  'A page has one entity more than asked for.': (list) => readSize(list, (asked) => Math.min(asked + 1, list.most)),
  'pageSize counts on the first page only.': (list) => readSize(list, (asked, request) => (isLater(request) ? undefined : asked)),
};

/** By the ending of the rule. */
const ROWS: Readonly<Record<string, Rows>> = {
  '.default-page-size': {
    'Half of the default is the default.': (list) => defaultSize(list, list.standard / 2),
    'Twice the default is the default.': (list) =>
      longerPages(list, ({ query }) => (query.pageSize === undefined ? list.standard * 2 : undefined)),
  },
  'assignments.list.page-size': {
    'A page may have more than the maximum.': (list) =>
      longerPages(list, ({ query }) => (Number(query.pageSize) > list.most ? Number(query.pageSize) : undefined)),
  },
  '.page-size': {
    ...LENGTH,
    'A page has at most half of the maximum.': (list) => readSize(list, (asked) => Math.min(asked, list.most / 2)),
    'A page has one entity less than asked for.': (list) => readSize(list, (asked) => Math.max(asked - 1, 1)),
    'The largest pageSize is refused.': (list) => refuseSize(list, list.most),
    'The smallest pageSize is refused.': (list) => refuseSize(list, 1),
  },
  '.cursor': {
    ...ORDER,
    'Every cursor leads to the first page.': ({ operation }) =>
      changeRequest(operation, (request) => withParameters(request, { query: { cursor: undefined } })),
    'A cursor is refused.': ({ operation }) => answerInstead(operation, (request) => (isLater(request) ? problem(400) : undefined)),
    'A list without a cursor continues where the last one ended.': continuing,
  },
  '.list.traversal': { ...ORDER, 'The list ends with the second page.': onLater((reply) => withMembers(reply, { cursor: null })) },
  'http.pages.at-most-page-size': {
    ...LENGTH,
    'A page has at least ten entities.': (list) => readSize(list, (asked) => Math.max(asked, 10)),
  },
  'http.pages.traversal-complete': {
    ...ORDER,
    'The list ends with the second page.': onLater((reply) => withMembers(reply, { cursor: null })),
    'The last page is empty.': onLast((reply, request) => (isLater(request) ? withEntities(reply, () => []) : undefined)),
    'The last entity comes twice.': onLast((reply) => withEntities(reply, (found) => [...found, ...found.slice(-1)])),
  },
  'http.pages.cursor-null-at-end': {
    'The list ends with an empty cursor.': onLast((reply, request) => (isLater(request) ? withMembers(reply, { cursor: '' }) : undefined)),
    'The list ends with the cursor false.': onLast((reply) => withMembers(reply, { cursor: false })),
    'The last page leads to itself.': onLast((reply, { query: { cursor } }) =>
      cursor === undefined ? undefined : withMembers(reply, { cursor }),
    ),
    'The list starts again after its last page.': circling,
  },
};

function refuseSize({ operation }: List, size: number): Start {
  return answerInstead(operation, (request) => (request.query.pageSize === `${size}` ? problem(400) : undefined));
}

/** The mutants of every list. Rules about all lists have each row in one list, and one row in each list. */
export const pageMutants: readonly Derived[] = (Object.keys(rules) as RuleId[]).flatMap((rule) => {
  const rows = Object.entries(ROWS).flatMap(([ending, each]) => (rule.endsWith(ending) ? Object.entries(each) : []));
  const own = lists.filter(({ operation }) => rules[rule].operations?.includes(operation) ?? true);
  return pairs(rows, own).map(([[does, start], list]) => ({ rule, does: `${list.operation}: ${does}`, start: start(list) }));
});
