import { type Exchange, getJson, isAfter, normalize, succeeds } from './exchange.ts';
import {
  ACCESS_MS,
  ASSIGNMENTS,
  CONNECTIONS,
  findCreations,
  findDeletions,
  followEach,
  getBody,
  getEffectDelay,
  groupById,
  hasSameForm,
  type Resource,
  toKey,
} from './resources.ts';
import { type JudgeRule, type Shown, show, showThat } from './shown.ts';

export const judgeAgain =
  (resource: Resource): JudgeRule =>
  (traffic) => {
    const creations = Map.groupBy(findCreations(traffic, resource), ({ key }) => key);
    const deletions = Map.groupBy(findDeletions(traffic, resource), ({ id }) => id);
    creations.delete(undefined);
    return [...creations.values()].flatMap((sameKey) =>
      sameKey.flatMap((first, index): Shown[] => {
        const again = sameKey[index + 1];
        const deletion = deletions.get(first.id)?.find(({ exchange }) => again && isAfter(exchange, again.exchange))?.exchange;
        return again && deletion
          ? [showThat(again.id !== first.id, 'the new entity has a new id', again.exchange, first.exchange, deletion)]
          : [];
      }),
    );
  };

/** Judges creations of what exists already: the first entity exists before the second creation, and is still found after it. */
export const judgeDuplicates =
  (resource: Resource, statuses: readonly number[]): JudgeRule =>
  (traffic) => {
    const reads = groupById(traffic, resource.get);
    const creations = Map.groupBy(traffic.of(resource.create), (each) => toKey(resource.key, getBody(each)));
    creations.delete(undefined);
    return [...creations.values()].flatMap((sameKey) => {
      const first = sameKey.find((each) => succeeds(each) && getJson(each).id !== undefined);
      return sameKey.flatMap((second): Shown[] => {
        if (!first || !isAfter(first, second, getEffectDelay(first))) return [];
        if (statuses.includes(second.answer.status)) return [show(second, undefined, [first])];
        const id = normalize(getJson(first).id);
        const found = (reads.get(id) ?? []).find((read) => succeeds(read) && isAfter(second, read));
        const isNew = succeeds(second) && ![id, ''].includes(normalize(getJson(second).id));
        // A caller without access to the account may get another refusal.
        const isSameCaller = second.token !== undefined && [first, found].every((each) => each?.token === second.token);
        const mayLackAccess = !isSameCaller || isAfter(second, found!, ACCESS_MS);
        const isWrong = isNew || ([400, 422].includes(second.answer.status) && hasSameForm(first, second) && !mayLackAccess);
        return isWrong && found
          ? [showThat(false, `the request gets ${statuses.join(' or ')}, because ${id} exists before and after it`, second, first, found)]
          : [];
      });
    });
  };

export const isNewAssignment = (each: Exchange): boolean =>
  each.operation === ASSIGNMENTS.create && succeeds(each) && each.answer.json !== undefined;

/** A browser's file may lack the request's body. Without its plus sign, a number is not E.164, but a server may accept it. */
export const listEchoed = (each: Exchange): readonly string[] =>
  ASSIGNMENTS.key.filter((name) => {
    const sent = getBody(each)[name];
    return typeof sent === 'string' && !/^\s*\d+$/.test(sent);
  });

export const READ_ONLY = ['id', 'updatedAt'];
export const hasReadOnly = (each: Exchange): boolean =>
  isNewAssignment(each) && READ_ONLY.some((name) => typeof getBody(each)[name] === 'string');

export const judgeTargetOfSeveral: JudgeRule = (traffic) => {
  const targets = Map.groupBy(findCreations(traffic, ASSIGNMENTS), ({ key }) => key?.split(' ').slice(1).join(' '));
  targets.delete(undefined);
  return [...targets.values()].flatMap(([first, ...others]) =>
    others.filter(({ key }) => key !== first!.key).map(({ exchange }) => show(exchange, undefined, [first!.exchange])),
  );
};

export const judgeNewConnection =
  (isShown: (read: Exchange) => boolean): JudgeRule =>
  (traffic) =>
    followEach(findCreations(traffic, CONNECTIONS), groupById(traffic, CONNECTIONS.get), (creation, read) =>
      succeeds(read) && isShown(read) ? show(read, undefined, [creation]) : undefined,
    );
