import { toMilliseconds } from '../../contract/instants.ts';
import { isUuid } from '../../contract/uuid.ts';
import { must } from '../../expect/rule-broken.ts';
import { isSameId } from '../../expect/same-id.ts';
import { groupById } from './entities.ts';
import { type Exchange, getEntities, getJson, isAfter, type Json, normalize, succeeds, toText } from './exchange.ts';
import { type JudgeRule, judgeEach, type RuleJudges, type Shown, show, showThat } from './shown.ts';

/** Two servers' clocks may differ by this many milliseconds. */
const CLOCK_SKEW_MS = 60_000;

const isRead = (each: Exchange): boolean =>
  each.operation === 'getUser' && each.isWhole && succeeds(each) && each.answer.json !== undefined;
const isNative = ({ id = '' }: Exchange, pattern: RegExp): boolean => !isUuid(id) && pattern.test(id);
const judgeNative = (pattern: RegExp): JudgeRule => judgeEach((each) => isRead(each) && isNative(each, pattern));

/** Whether a user's updatedAt shows that the user was never updated although it is not null. */
const isDefault = ({ createdAt, updatedAt }: Json): boolean =>
  typeof updatedAt === 'string' && toMilliseconds(updatedAt) < toMilliseconds(toText(createdAt)) - CLOCK_SKEW_MS;
const listUsers = (each: Exchange): readonly Json[] =>
  isRead(each) ? [getJson(each)] : each.operation === 'getUsers' ? getEntities(each) : [];

const isRateLimited = (operation: Exchange['operation']): JudgeRule =>
  judgeEach((each) => each.operation === operation && each.answer.status === 429);

/** Judges whether all failures have the same detail. */
const judgeDetails =
  (...operations: readonly ('getUsers' | 'getUser')[]): JudgeRule =>
  ({ of }) => {
    const failures = of(...operations).filter((each) => each.answer.status === 500 && typeof getJson(each).detail === 'string');
    const [first, ...others] = failures;
    return others.map((each) =>
      showThat(
        getJson(each).detail === getJson(first!).detail,
        `every 500 has the detail “${toText(getJson(first!).detail)}”`,
        each,
        first!,
      ),
    );
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
  'users.updated-at-null': judgeEach(
    (each) => listUsers(each).some((user) => user.updatedAt == null || isDefault(user)),
    (answer, each) => must(!listUsers(each).some(isDefault), 'updatedAt is null or absent, and not earlier than createdAt', answer),
  ),
  'users.list.rate': isRateLimited('getUsers'),
  'users.get.rate': isRateLimited('getUser'),
  'users.list.internal': judgeDetails('getUsers'),
  'users.get.internal': judgeDetails('getUsers', 'getUser'),
} satisfies RuleJudges;
