import { toMilliseconds } from '../../contract/instants.ts';
import { isUuid } from '../../contract/uuid.ts';
import { must } from '../../expect/rule-broken.ts';
import { isSameId } from '../../expect/same-id.ts';
import { type Exchange, findViolations, getEntities, getJson, isAfter, type Json, normalize, succeeds, toText } from './exchange.ts';
import { groupById } from './resources.ts';
import { type JudgeRule, judgeEach, type RuleJudges, type Shown, show, showThat } from './shown.ts';
import { findTraversals, isComplete } from './traversals.ts';

/** Two servers' clocks may differ by this many milliseconds. */
const CLOCK_SKEW_MS = 60_000;

const isRead = (each: Exchange): boolean =>
  each.operation === 'getUser' && each.isWhole && succeeds(each) && each.answer.json !== undefined;
const isNative = ({ id = '' }: Exchange, pattern: RegExp): boolean => !isUuid(id) && pattern.test(id);
const judgeNative = (pattern: RegExp): JudgeRule => judgeEach((each) => isRead(each) && isNative(each, pattern));

/** Whether a user's updatedAt shows that the user was never updated although it is not null. */
const isDefault = ({ createdAt, updatedAt }: Json): boolean =>
  typeof updatedAt === 'string' && toMilliseconds(updatedAt) < toMilliseconds(toText(createdAt)) - CLOCK_SKEW_MS;
/** An update after a response with null must be later than the creation, if the times have a fraction of a second. */
const judgeNeverUpdated: JudgeRule = (traffic) => {
  const sightings = new Map<unknown, Exchange>();
  return traffic.of('getUser', 'getUsers').flatMap((each) =>
    listUsers(each).flatMap(({ id, createdAt, updatedAt }): Shown[] => {
      const first = sightings.get(id);
      if (updatedAt === null && !first) sightings.set(id, each);
      const isSame = typeof updatedAt === 'string' && updatedAt === createdAt && /[.,]\d*[1-9]/.test(updatedAt);
      return isSame && first && isAfter(first, each)
        ? [showThat(false, 'updatedAt is later than createdAt, because an earlier response contains null', each, first)]
        : [];
    }),
  );
};

const PLAIN_ID = /^[\w.~-]{1,64}$/;

/** Judges whether the same caller gets two problems, each of them several times, so that neither of them contains a random text. */
const judgeIndistinguishable: JudgeRule = ({ of }) => {
  const refusals = of('getUser').filter((each) => each.answer.status === 404 && PLAIN_ID.test(each.id ?? '') && each.token !== undefined);
  const toText404 = (each: Exchange) => {
    const { title, type, detail } = getJson(each);
    return JSON.stringify([title, type, detail]).replaceAll(each.id!, '');
  };
  const byCaller = Map.groupBy(refusals, ({ token, call }) => `${token} ${call.request?.headers['accept-language']}`);
  return [...byCaller.values()].flatMap((same): Shown[] => {
    const [first, second] = [...Map.groupBy(same, toText404).values()].filter(({ length }) => length > 1);
    if (first && second) return [showThat(false, 'each 404 has the same title, type and detail', second[0]!, first[0]!)];
    return first ? [show(first[1]!, undefined, [first[0]!])] : [];
  });
};

const listUsers = (each: Exchange): readonly Json[] =>
  isRead(each) ? [getJson(each)] : each.operation === 'getUsers' ? getEntities(each) : [];

const isRateLimited = (operation: Exchange['operation']): JudgeRule =>
  judgeEach((each) => each.operation === operation && each.answer.status === 429);

/** Judges whether all failures have the same detail. */
const judgeDetails =
  (...operations: readonly ('getUsers' | 'getUser')[]): JudgeRule =>
  ({ of }) => {
    // A gateway's failures have no trace id.
    const failures = of(...operations).filter((each) => each.answer.status === 500 && typeof getJson(each).traceId === 'string');
    const [first, ...others] = failures.filter((each) => typeof getJson(each).detail === 'string');
    const withoutDetail = failures.filter((each) => each !== first && !others.includes(each));
    const missing = withoutDetail.map((each) => showThat(false, 'a 500 has a detail', each));
    const compared = others.map((each) =>
      showThat(
        getJson(each).detail === getJson(first!).detail,
        `every 500 has the detail “${toText(getJson(first!).detail)}”`,
        each,
        first!,
      ),
    );
    return [...missing, ...compared];
  };

const judgeCurrent: JudgeRule = (traffic) =>
  [...groupById(traffic, 'getUser').values()].flatMap((reads) => {
    const found = reads.filter(isRead);
    return found.flatMap((read, index): Shown[] => {
      const previous = found[index - 1];
      if (!previous || !isAfter(previous, read)) return [];
      const [old, now] = [getJson(previous).updatedAt, getJson(read).updatedAt];
      if (typeof old !== 'string') return [];
      const isBack = now == null || toMilliseconds(toText(now)) < toMilliseconds(old) - CLOCK_SKEW_MS;
      return isBack
        ? [showThat(false, `the user is as current as in an earlier response, whose updatedAt is ${old}`, read, previous)]
        : [show(read, undefined, [previous])];
    });
  });

/** A later, equal read of a list shows that its count is not merely late. */
const SETTLED_MS = 10_000;

/** Judges the counts of the pages of complete lists. */
const judgeCounts: JudgeRule = (traffic) => {
  const pages = findTraversals(traffic)
    .chains.filter(
      (chain) => isComplete(chain) && chain.every(({ operation, token }) => operation === 'getUsers' && token === chain[0]!.token),
    )
    .flatMap((chain) => {
      const ids = chain.flatMap((page) => getEntities(page).map(({ id }) => normalize(id))).sort();
      return chain.flatMap((page) => (typeof getJson(page).count === 'number' ? [{ page, ids, count: getJson(page).count }] : []));
    });
  const [right, wrong] = [pages.filter(({ ids, count }) => count === ids.length), pages.filter(({ ids, count }) => count !== ids.length)];
  const sameLists = Map.groupBy(wrong, ({ page, ids }) => [page.query.get('accountId'), ...ids].join());
  return [
    ...traffic
      .of('getUsers')
      .flatMap((each) =>
        findViolations(each)?.some(({ pointer }) => pointer === '/count') ? [showThat(false, 'count is an integer', each)] : [],
      ),
    ...right.map(({ page }) => show(page)),
    ...[...sameLists.values()].flatMap((same) => {
      const [{ page: first, ids }] = same as [(typeof same)[number]];
      const expected = `the count is ${ids.length}, as it is for a list that has not changed for ${SETTLED_MS / 1000} seconds`;
      return same.flatMap(({ page }) => (isAfter(first, page, SETTLED_MS) ? [showThat(false, expected, page, first)] : []));
    }),
  ];
};

export const judgesOfUsers = {
  'users.get.by-unified-id': judgeEach(
    (each) => isRead(each) && isUuid(each.id ?? ''),
    (answer, each) => must(isSameId(getJson(each).id, each.id ?? ''), 'the response contains the requested user', answer),
  ),
  'users.get.by-base62-id': judgeNative(/^(?=.*\D)[\w-]+$/),
  'users.get.by-legacy-numeric-id': judgeNative(/^\d+$/),
  'users.get.unified-id': judgeEach(
    (each) => isRead(each) && isNative(each, /^[\w-]+$/),
    (answer, each) => must(isUuid(normalize(getJson(each).id)), 'the response contains the unified id', answer),
  ),
  'users.get.current': judgeCurrent,
  'users.get.causes-indistinguishable': judgeIndistinguishable,
  'users.updated-at-null': (traffic) => [
    ...judgeEach(
      (each) => listUsers(each).some((user) => user.updatedAt == null || isDefault(user)),
      (answer, each) => must(!listUsers(each).some(isDefault), 'updatedAt is null or absent, and not earlier than createdAt', answer),
    )(traffic),
    ...judgeNeverUpdated(traffic),
  ],
  'users.list.count': judgeCounts,
  'users.list.rate': isRateLimited('getUsers'),
  'users.get.rate': isRateLimited('getUser'),
  'users.list.internal': judgeDetails('getUsers'),
  'users.get.internal': judgeDetails('getUsers', 'getUser'),
} satisfies RuleJudges;
