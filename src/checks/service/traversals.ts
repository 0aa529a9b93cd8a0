// Lists that a client reads page by page, with the cursors that the service returned.
import { must } from '../../expect/rule-broken.ts';
import { HOSTILE_CURSORS } from '../../refusals/opaque-values.ts';
import { type Exchange, findViolations, getEntities, getJson, isAfter, type Json, normalize, succeeds, toText } from './exchange.ts';
import { isList, isPage } from './lists.ts';
import { isEmptyPage } from './refusals.ts';
import { type JudgeRule, judgeEach, type RuleJudges, type Shown, show, showThat } from './shown.ts';
import type { Traffic } from './traffic.ts';

/** If a page is repeated with at least this many items, nobody has inserted exactly as many items before it. */
const MIN_REPEATED_ITEMS = 3;
const HOSTILE = new Set(HOSTILE_CURSORS.map(({ value }) => value));

/** Returns the next page's cursor; null on the last page; undefined if it is not known. */
function getNext(each: Exchange): string | null | undefined {
  if (!isList(each) || !succeeds(each)) return undefined;
  const next = each.call.nextCursor ?? (isPage(each) && (getJson(each).cursor ?? null) === null ? null : undefined);
  // A proxy removes what looks like a token.
  return next?.includes('[redacted]') ? undefined : next;
}

const getCursor = ({ query }: Exchange): string => query.get('cursor') ?? '';
const toListKey = ({ operation, query }: Exchange): string =>
  [
    operation,
    ...[...query]
      .filter(([name]) => name !== 'cursor' && name !== 'pageSize')
      .map(([name, value]) => `${name}=${value.toLowerCase()}`)
      .sort(),
  ].join(' ');

interface Traversals {
  /** The page whose cursor a request contains. */
  readonly parents: ReadonlyMap<Exchange, Exchange>;
  /** The pages from the first to the last one that was read, for each time that a client read a list. A chain may be only one page. */
  readonly chains: readonly (readonly Exchange[])[];
}

const known = new WeakMap<Traffic, Traversals>();

export function findTraversals(traffic: Traffic): Traversals {
  const found = known.get(traffic) ?? followCursors(traffic.exchanges.filter((each) => isList(each) && succeeds(each)));
  known.set(traffic, found);
  return found;
}

function followCursors(pages: readonly Exchange[]): Traversals {
  const parents = new Map<Exchange, Exchange>();
  const issuers = new Map<string, Exchange>();
  for (const page of pages) {
    const parent = issuers.get(`${toListKey(page)} ${getCursor(page)}`);
    if (getCursor(page) !== '' && parent) parents.set(page, parent);
    const next = getNext(page);
    if (typeof next === 'string') issuers.set(`${toListKey(page)} ${next}`, page);
  }
  const continued = new Set(parents.values());
  const chains = pages
    .filter((page) => !continued.has(page))
    .map((page) => {
      const chain = [page];
      for (let parent = parents.get(page); parent; parent = parents.get(parent)) chain.push(parent);
      return chain.reverse();
    });
  return { parents, chains };
}

/** An item that did not change, and that therefore did not move in the list either. */
const toItemKey = (entity: Json): string | undefined => (typeof entity.id === 'string' ? JSON.stringify(entity) : undefined);

function findRepeatedItem(chain: readonly Exchange[]): { readonly page: Exchange; readonly id: unknown } | undefined {
  const seen = new Map<string, Exchange>();
  for (const page of chain) {
    for (const entity of getEntities(page)) {
      const key = toItemKey(entity);
      if (key !== undefined && seen.has(key)) return { page, id: entity.id };
      if (key !== undefined) seen.set(key, page);
    }
  }
  return undefined;
}

export const isComplete = (chain: readonly Exchange[]): boolean =>
  chain.every(isPage) && getCursor(chain[0]!) === '' && getNext(chain.at(-1)!) === null;

function judgeChains(traffic: Traffic): Shown[] {
  return findTraversals(traffic).chains.flatMap((chain): Shown[] => {
    const repeated = findRepeatedItem(chain);
    if (repeated)
      return [
        showThat(false, `no page repeats the item ${toText(repeated.id)}, which has not changed`, repeated.page, ...chain.slice(0, -1)),
      ];
    return chain.length > 1 && isComplete(chain) ? [show(chain.at(-1)!, undefined, chain.slice(0, -1))] : [];
  });
}

/** Judges whether a cursor selects the next page. */
const judgeNextPages =
  (operation: Exchange['operation']): JudgeRule =>
  (traffic) => [
    ...(operation === 'getUsers' ? [] : judgeFreshCursors(operation, traffic)),
    ...[...findTraversals(traffic).parents].flatMap(([page, parent]): Shown[] => {
      if (page.operation !== operation || !isPage(page) || !isPage(parent)) return [];
      const [items, earlier] = [getEntities(page).map(toItemKey), getEntities(parent).map(toItemKey)];
      // Only of one client's own traversal it is certain that the cursor is from this page.
      const isTraversal =
        page.token === parent.token && isAfter(parent, page) && page.query.get('pageSize') === parent.query.get('pageSize');
      if (isTraversal && items.length >= MIN_REPEATED_ITEMS && items.every((item, index) => item !== undefined && item === earlier[index]))
        return [showThat(false, 'the next page does not contain the same items again', page, parent)];
      return items.length > 0 && !items.some((item) => item === undefined || earlier.includes(item))
        ? [show(page, undefined, [parent])]
        : [];
    }),
  ];

/** A list never ends if a cursor leads to a page that was already returned with the same cursor. */
function judgeEnds(traffic: Traffic): Shown[] {
  const endless = findTraversals(traffic).chains.flatMap((chain): Shown[] => {
    const seen = new Map<string, Exchange>();
    for (const page of chain) {
      const [next, first] = [getNext(page), getEntities(page)[0]];
      if (typeof next !== 'string' || first?.id === undefined) continue;
      const key = `${next} ${toText(first.id)}`;
      const before = seen.get(key);
      if (before) return [showThat(false, 'the pages of a list come to an end', page, before)];
      seen.set(key, page);
    }
    return [];
  });
  return [
    ...endless,
    ...judgeEach(isPage, (answer, each) => {
      const found = findViolations(each)?.find(({ pointer }) => pointer === '/cursor');
      must(found === undefined, `cursor ${found?.message}`, answer);
      must(getJson(each).cursor !== '', 'a page without a next page has the cursor null, not an empty one', answer);
    })(traffic).filter(({ exchange, broken }) => broken !== undefined || getNext(exchange as Exchange) === null),
  ];
}

/** The list of an account that the caller may not view is empty, whatever the cursor is. */
const isAccepted = (each: Exchange): boolean => succeeds(each) && each.isWhole && !isEmptyPage(each);

type BoundParameter = 'accountId' | 'sortBy' | 'sortOrder';

/** Judges whether a cursor that was issued for another value of one parameter is refused. */
const judgeBoundCursor =
  (name: BoundParameter): JudgeRule =>
  ({ of }) => {
    const pages = of('getUsers');
    const issuers = Map.groupBy(
      pages.filter((page) => getNext(page)),
      (page) => getNext(page)!,
    );
    const isOther = (issuer: Exchange, page: Exchange) =>
      (['accountId', 'sortBy', 'sortOrder'] as const).every((each) => {
        const [issued, sent] = [issuer.query.get(each), page.query.get(each)];
        return each === name
          ? issued !== null && sent !== null && normalize(issued) !== normalize(sent)
          : normalize(issued) === normalize(sent);
      });
    return pages.flatMap((page): Shown[] => {
      const from = issuers.get(getCursor(page)) ?? [];
      if (from.length === 0 || !from.every((issuer) => isOther(issuer, page))) return [];
      if (page.answer.status === 400) return [show(page, undefined, from.slice(0, 1))];
      const expected = `the cursor is refused with 400, because it was issued for another ${name}`;
      return page.answer.status === 422 || isAccepted(page) ? [showThat(false, expected, page, from[0]!)] : [];
    });
  };

const judgeChangedSizes: JudgeRule = (traffic) =>
  [...findTraversals(traffic).parents].flatMap(([page, parent]) =>
    page.operation === 'getUsers' && page.query.get('pageSize') !== parent.query.get('pageSize') ? [show(page, undefined, [parent])] : [],
  );

/** The age, in milliseconds, up to which a cursor must be accepted. */
const FRESH_MS = 2000;

/** Judges refusals of a new cursor in a valid request. */
const judgeFreshCursors = (operation: Exchange['operation'], traffic: Traffic): Shown[] => {
  const pages = traffic.of(operation);
  return pages.flatMap((page): Shown[] => {
    const { query, answer } = page;
    const maximum = operation === 'getUsers' ? 200 : 100;
    const isValidSize = query.getAll('pageSize').every((size) => /^[1-9]\d{0,2}$/.test(size) && Number(size) <= maximum);
    if (answer.status !== 400 || getCursor(page) === '' || !isValidSize) return [];
    const issuer = pages.find(
      (each) =>
        getNext(each) === getCursor(page) && toListKey(each) === toListKey(page) && isAfter(each, page) && !isAfter(each, page, FRESH_MS),
    );
    return issuer ? [showThat(false, 'the cursor is accepted, because it is new', page, issuer)] : [];
  });
};

export const judgesOfTraversals = {
  'http.pages.traversal-complete': judgeChains,
  'http.pages.cursor-null-at-end': judgeEnds,
  'assignments.list.cursor': judgeNextPages('getExperienceAssignments'),
  'connections.list.cursor': judgeNextPages('getExperienceConnections'),
  'users.list.traversal': (traffic) => [
    ...judgeNextPages('getUsers')(traffic).filter(({ broken }) => broken !== undefined),
    ...judgeChains(traffic).filter(({ exchange, broken }) => broken === undefined && (exchange as Exchange).operation === 'getUsers'),
  ],
  'users.list.page-size-may-change': (traffic) => [...judgeFreshCursors('getUsers', traffic), ...judgeChangedSizes(traffic)],
  'users.list.cursor-malformed': judgeEach(
    (each) =>
      each.operation === 'getUsers' && HOSTILE.has(getCursor(each)) && ([400, 422].includes(each.answer.status) || isAccepted(each)),
    (answer) => must(answer.status === 400, 'the cursor is refused with 400, because it is malformed', answer),
  ),
  'users.list.cursor-other-account': judgeBoundCursor('accountId'),
  'users.list.cursor-other-sort-by': judgeBoundCursor('sortBy'),
  'users.list.cursor-other-sort-order': judgeBoundCursor('sortOrder'),
} satisfies RuleJudges;
