// Updates of connections, compared with the reads before and after them.
import { compareInstants, toMilliseconds } from '../../contract/instants.ts';
import { type Exchange, getJson, isAfter, normalize, succeeds, toText } from './exchange.ts';
import { getBody, getEffectDelay, groupById, hasSameForm } from './resources.ts';
import { type JudgeRule, type RuleJudges, type Shown, show, showThat } from './shown.ts';
import type { Traffic } from './traffic.ts';

/** Two changes within this time, in milliseconds, may have the same updatedAt: two seconds, or less if it has a fraction of a second. */
export const getSameTimeMs = (updatedAt: unknown): number => (/[.,]\d*[1-9]/.test(toText(updatedAt)) ? 5 : 2000);
const STATES: readonly unknown[] = ['ACTIVE', 'INACTIVE'];

interface Update {
  readonly exchange: Exchange;
  readonly state: string;
  /** The last read before the update, and the first one after it. */
  readonly before: Exchange | undefined;
  readonly after: Exchange | undefined;
  /** Whether nobody, not even an unseen client, changed the connection between the two reads. */
  readonly isUnchanged: boolean;
}

const known = new WeakMap<Traffic, readonly Update[]>();

function findUpdates(traffic: Traffic): readonly Update[] {
  const found = known.get(traffic) ?? compareReads(traffic);
  known.set(traffic, found);
  return found;
}

const findCreations = (traffic: Traffic): ReadonlyMap<string, readonly Exchange[]> =>
  Map.groupBy(traffic.of('createExperienceConnection').filter(succeeds), (each) => normalize(getJson(each).id));

function compareReads(traffic: Traffic): readonly Update[] {
  const reads = groupById(traffic, 'getExperienceConnection');
  const creations = findCreations(traffic);
  return traffic.of('updateExperienceConnection').flatMap((exchange): Update[] => {
    const { state } = getBody(exchange);
    if (!STATES.includes(state)) return [];
    const ofConnection = (reads.get(normalize(exchange.id)) ?? []).filter((read) => succeeds(read) && read.answer.json !== undefined);
    const before = ofConnection.findLast((read) => isAfter(read, exchange));
    const after = ofConnection.find((read) => isAfter(exchange, read, getEffectDelay(exchange)));
    const isSameTime = (each: Exchange) => getJson(each).updatedAt === getJson(before!).updatedAt;
    const first = before && [...(creations.get(normalize(exchange.id)) ?? []), ...ofConnection].find(isSameTime);
    const isOld =
      first !== undefined &&
      isAfter(first, exchange, getSameTimeMs(getJson(first).updatedAt)) &&
      typeof getJson(first).updatedAt === 'string';
    const isUnchanged = isOld && after !== undefined && getJson(before!).updatedAt === getJson(after).updatedAt;
    return [{ exchange, state: state as string, before, after, isUnchanged }];
  });
}

/** Judges updates that request a state which the connection does not have. */
const judgeNewState =
  (requested: string): JudgeRule =>
  (traffic) =>
    findUpdates(traffic).flatMap(({ exchange, state, before, after, isUnchanged }): Shown[] => {
      if (state !== requested) return [];
      const reads = [before, after].filter((read) => read !== undefined);
      if (isUnchanged && getJson(after!).state !== state && (succeeds(exchange) || exchange.answer.status === 409))
        return [
          showThat(
            false,
            `the update makes the connection ${state}: before and after it, the connection has the same updatedAt`,
            exchange,
            ...reads,
          ),
        ];
      return succeeds(exchange) && after && getJson(after).state === state ? [show(after, undefined, [exchange])] : [];
    });

const judgeSameState: JudgeRule = (traffic) => {
  // The specification does not show the body of an update, but one that succeeded has the target's form.
  const accepted = findUpdates(traffic).flatMap(({ exchange }) => (succeeds(exchange) ? exchange : []));
  return findUpdates(traffic).flatMap(({ exchange, state, before, after, isUnchanged }): Shown[] => {
    const has = (read: Exchange | undefined) => read !== undefined && getJson(read).state === state;
    if (exchange.answer.status === 409 && (has(before) || has(after)))
      return [show(exchange, undefined, before && has(before) ? [before] : [])];
    const expected = `the update gets 409, because the connection is already ${state}`;
    const isWrong =
      succeeds(exchange) || ([400, 422].includes(exchange.answer.status) && accepted.some((each) => hasSameForm(each, exchange)));
    return isUnchanged && isWrong && has(before) ? [showThat(false, expected, exchange, before!, after!)] : [];
  });
};

const judgeUnchanged: JudgeRule = (traffic) =>
  findUpdates(traffic).flatMap(({ exchange, before, after }) => {
    const isSame = before && after && (['state', 'updatedAt'] as const).every((name) => getJson(before)[name] === getJson(after)[name]);
    return exchange.answer.status === 409 && isSame ? [show(after, undefined, [before, exchange])] : [];
  });

function judgeGrowth(traffic: Traffic): Shown[] {
  const creations = findCreations(traffic);
  return [...groupById(traffic, 'getExperienceConnection')].flatMap(([id, reads]) => {
    const whole = reads.filter((read) => succeeds(read) && typeof getJson(read).updatedAt === 'string');
    return whole.flatMap((read, index): Shown[] => {
      const previous = whole[index - 1];
      if (previous === undefined || !isAfter(previous, read)) return [];
      const [old, now] = [previous, read].map((each) => toText(getJson(each).updatedAt)) as [string, string];
      // Another rule is about the form of updatedAt.
      if ([old, now].some((instant) => Number.isNaN(toMilliseconds(instant)))) return [];
      const isBack = toMilliseconds(now) <= toMilliseconds(old) - 1000;
      if (isBack) return [showThat(false, `updatedAt is not earlier than ${old}, which an earlier response contains`, read, previous)];
      const isChanged = getJson(previous).state !== getJson(read).state;
      if (!isChanged) return [];
      if (compareInstants(now, old) > 0) return [show(read, undefined, [previous])];
      const first = [...(creations.get(id) ?? []), ...whole].find((each) => getJson(each).updatedAt === old)!;
      return isAfter(first, previous, getSameTimeMs(old))
        ? [showThat(false, `updatedAt is later than ${old}, because the state has changed`, read, previous)]
        : [];
    });
  });
}

export const judgesOfUpdates = {
  'connections.update.activates': judgeNewState('ACTIVE'),
  'connections.update.deactivates': judgeNewState('INACTIVE'),
  'connections.update.same-state': judgeSameState,
  'connections.update.same-state-unchanged': judgeUnchanged,
  'connections.update.updated-at-grows': judgeGrowth,
} satisfies RuleJudges;
