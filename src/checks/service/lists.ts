// Each page of a list by itself: its size, and whether its items match the request.
import type { RuleId } from '../../contract/generated/rules.ts';
import type { Answer } from '../../expect/answer.ts';
import { must } from '../../expect/rule-broken.ts';
import { isSameId } from '../../expect/same-id.ts';
import { isSorted } from '../../expect/sorted.ts';
import { type Exchange, getEntities, getJson, isOneOf, succeeds } from './exchange.ts';
import { isPlainlyValid } from './refusals.ts';
import { type JudgeRule, judgeEach, type RuleJudges } from './shown.ts';

export const isList = isOneOf('getExperienceAssignments', 'getExperienceConnections', 'getUsers');
const DEFAULT_PAGE_SIZE = 100;
const getMaximum = ({ operation }: Exchange): number => (operation === 'getUsers' ? 200 : 100);

/** Whether a page is known as a whole. */
export const isPage = (each: Exchange): boolean => isList(each) && succeeds(each) && each.isWhole && Array.isArray(getJson(each).entities);

/** Returns the number of items that a request asks for; undefined if it is not valid, or if the cursor may contain it. */
function getRequestedSize(each: Exchange): number | undefined {
  const sizes = each.query.getAll('pageSize');
  if (sizes.length === 0) return each.query.has('cursor') ? undefined : DEFAULT_PAGE_SIZE;
  const size = sizes.length === 1 && /^[1-9]\d{0,3}$/.test(sizes[0]!) ? Number(sizes[0]) : 0;
  return size >= 1 && size <= getMaximum(each) ? size : undefined;
}

/** Shows that a page is not too long, and, if it is full, that the size is the requested one. */
const judgeSize = (isAbout: (each: Exchange) => boolean): JudgeRule =>
  judgeEach(
    (each) => isPage(each) && isAbout(each) && getEntities(each).length >= (getRequestedSize(each) ?? Number.POSITIVE_INFINITY),
    (answer, each) =>
      must(getEntities(each).length === getRequestedSize(each), `the page contains at most ${getRequestedSize(each)} items`, answer),
  );
const judgesOfSize = Object.fromEntries(
  (
    [
      ['assignments', 'getExperienceAssignments'],
      ['connections', 'getExperienceConnections'],
      ['users', 'getUsers'],
    ] as const
  ).flatMap(([resource, operation]) => [
    [`${resource}.list.page-size`, judgeSize((each) => each.operation === operation && each.query.has('pageSize'))],
    [`${resource}.list.default-page-size`, judgeSize((each) => each.operation === operation && !each.query.has('pageSize'))],
  ]),
);

const FILTERS = ['accountId', 'experienceId', 'targetType', 'targetValue'] as const;
const ASSIGNMENT_SELECTIONS: readonly (readonly [RuleId, ...(typeof FILTERS)[number][]])[] = [
  ['assignments.list.by-account', 'accountId'],
  ['assignments.list.by-account-and-experience', 'accountId', 'experienceId'],
  ['assignments.list.by-account-and-type', 'accountId', 'targetType'],
  ['assignments.list.by-account-experience-and-type', 'accountId', 'experienceId', 'targetType'],
  ['assignments.list.by-target', 'targetType', 'targetValue'],
];

/** Expects each item to have the values of the request, if it has these members at all. */
function expectMatching(answer: Answer, each: Exchange, names: readonly string[]): void {
  must(succeeds(each), 'the list is returned, because the request is valid', answer);
  for (const name of names) {
    const asked = each.query.get(name) ?? '';
    const foreign = getEntities(each).find((entity) => entity[name] !== undefined && !isSameId(entity[name], asked));
    must(foreign === undefined, `every listed item has the ${name} ${asked}`, answer);
  }
}

function judgeSelection(isAbout: (each: Exchange) => boolean, names: readonly string[]): JudgeRule {
  const shows = (each: Exchange) =>
    (isPage(each) && getEntities(each).some((entity) => names.some((name) => entity[name] !== undefined))) ||
    ([400, 422].includes(each.answer.status) && isPlainlyValid(each));
  const isPlain = (each: Exchange) =>
    names.every((name) => each.query.getAll(name).length === 1 && !/^\s*\d*$/.test(each.query.get(name)!));
  return judgeEach(
    (each) => isAbout(each) && isPlain(each) && shows(each),
    (answer, each) => expectMatching(answer, each, names),
  );
}

const hasNumber = ({ query }: Exchange): boolean => query.has('telephoneNumber') || query.has('tn');
const isConnections = isOneOf('getExperienceConnections');

export const judgesOfLists = {
  ...judgesOfSize,
  'assignments.list.page-size': (traffic) => [
    ...(judgesOfSize['assignments.list.page-size'] as JudgeRule)(traffic),
    ...judgeEach(
      (each) => each.operation === 'getExperienceAssignments' && isPage(each) && getEntities(each).length > getMaximum(each),
      (answer) => must(false, 'a page contains no more than 100 assignments', answer),
    )(traffic),
  ],
  'http.pages.at-most-page-size': judgeEach(
    (each) => isPage(each) && getRequestedSize(each) !== undefined && getEntities(each).length > 0,
    (answer, each) =>
      must(getEntities(each).length <= getRequestedSize(each)!, `a page contains at most ${getRequestedSize(each)} entities`, answer),
  ),
  'http.pages.page-size-of-page': judgeEach(
    (each) =>
      isPage(each) && getEntities(each).length > 0 && getRequestedSize(each) !== undefined && Number.isInteger(getJson(each).pageSize),
    (answer, each) => {
      const allowed: unknown[] = [getRequestedSize(each), getEntities(each).length];
      must(allowed.includes(getJson(each).pageSize), `pageSize is ${allowed.join(' or ')}`, answer);
    },
  ),
  ...Object.fromEntries(
    ASSIGNMENT_SELECTIONS.map(([id, ...names]) => [
      id,
      judgeSelection(
        (each) => each.operation === 'getExperienceAssignments' && FILTERS.every((name) => each.query.has(name) === names.includes(name)),
        names,
      ),
    ]),
  ),
  'connections.list.by-account': judgeSelection(
    (each) => isConnections(each) && each.query.has('accountId') && !hasNumber(each),
    ['accountId'],
  ),
  'connections.list.account-wins': judgeSelection(
    (each) => isConnections(each) && each.query.has('accountId') && hasNumber(each),
    ['accountId'],
  ),
  'connections.list.by-experience': judgeSelection((each) => isConnections(each) && each.query.has('experienceId'), ['experienceId']),
  'users.list.by-account': judgeSelection(isOneOf('getUsers'), ['accountId']),
  'users.list.no-match-empty': judgeEach(
    (each) => each.operation === 'getUsers' && isPage(each) && getEntities(each).length === 0 && !each.query.has('cursor'),
  ),
  'users.list.count-present': judgeEach(
    (each) => each.operation === 'getUsers' && isPage(each) && getEntities(each).length > 0,
    (answer, each) => must(getJson(each).count !== undefined, 'the page has a count', answer),
  ),
  'users.list.sorted': judgeEach(
    (each) => each.operation === 'getUsers' && isPage(each) && getSort(each) !== undefined && getEntities(each).length > 1,
    (answer, each) => {
      const { field, isDescending } = getSort(each)!;
      must(isSorted(getEntities(each), field, isDescending), `the users are sorted by ${field}`, answer);
    },
  ),
} satisfies RuleJudges;

/** Only dates, because the specification leaves the order of names open. */
function getSort({ query }: Exchange): { readonly field: 'createdAt' | 'updatedAt'; readonly isDescending: boolean } | undefined {
  const [field, order] = [query.get('sortBy'), query.get('sortOrder')];
  return (field === 'createdAt' || field === 'updatedAt') && (order === 'asc' || order === 'desc')
    ? { field, isDescending: order === 'desc' }
    : undefined;
}
