import { compareInstants } from '../../contract/instants.ts';
import { type Exchange, getEntities, getJson, isAfter, normalize, succeeds, toText } from './exchange.ts';
import { ASSIGNMENTS, CONNECTIONS, findDeletions, followEach, groupById, MAX_LAG_MS, type Resource, toKey } from './resources.ts';
import { type JudgeRule, judgeEach, type Shown, show, showThat } from './shown.ts';
import type { Traffic } from './traffic.ts';

/** Whether the caller who deleted an entity does not get 404 for it. */
const isWrongRefusal = (deletion: Exchange, { token, answer, query }: Exchange): boolean =>
  token !== undefined &&
  query.size === 0 &&
  token === deletion.token &&
  [400, 403, 410].includes(answer.status) &&
  typeof Object(answer.json).title === 'string';

/**
 * Returns whether an entity may have been created again with the same id, which the specification does not rule out: it was shown with a later
 * updatedAt than before its deletion.
 */
function findCreatedAgain({ of }: Traffic, { create, get, list }: Resource): (deletion: Exchange, later: Exchange) => boolean {
  const shown = of(create, get, list).flatMap((exchange) => {
    const entities = exchange.operation === list ? getEntities(exchange) : succeeds(exchange) ? [getJson(exchange)] : [];
    return entities.map((entity) => ({ exchange, id: normalize(entity.id), updatedAt: toText(entity.updatedAt) }));
  });
  const byId = Map.groupBy(shown, ({ id }) => id);
  return (deletion, later) => {
    const versions = byId.get(normalize(deletion.id)) ?? [];
    const before = versions.filter(({ exchange }) => isAfter(exchange, deletion));
    const after = versions.filter(({ exchange }) => isAfter(deletion, exchange) && !isAfter(later, exchange));
    return after.some(
      ({ exchange, updatedAt }) =>
        exchange.operation === create ||
        (before.length > 0 && before.every((version) => compareInstants(updatedAt, version.updatedAt) > 0)),
    );
  };
}

export const judgeGone =
  (resource: Resource): JudgeRule =>
  (traffic) => {
    const isCreatedAgain = findCreatedAgain(traffic, resource);
    return followEach(findDeletions(traffic, resource), groupById(traffic, resource.get), (deletion, read) =>
      (succeeds(read) && !isCreatedAgain(deletion, read)) || read.answer.status === 404 || isWrongRefusal(deletion, read)
        ? showThat(read.answer.status === 404, 'reading the deleted entity gets 404', read, deletion)
        : undefined,
    );
  };

export const judgeDeletedTwice =
  (resource: Resource): JudgeRule =>
  (traffic) => {
    const isCreatedAgain = findCreatedAgain(traffic, resource);
    return [
      ...judgeEach((each) => each.operation === resource.remove && each.answer.status === 404 && each.token !== undefined)(traffic),
      ...followEach(findDeletions(traffic, resource), groupById(traffic, resource.remove), (deletion, again) =>
        (succeeds(again) || isWrongRefusal(deletion, again)) && !isCreatedAgain(deletion, again)
          ? showThat(false, 'a second deletion gets 404', again, deletion)
          : undefined,
      ),
    ];
  };

/** The list's pages that contain an entity, by the entity's id. */
function groupByItem({ of }: Traffic, { list }: Resource): ReadonlyMap<string, readonly Exchange[]> {
  const items = of(list).flatMap((page) => getEntities(page).map(({ id }) => ({ id: normalize(id), page })));
  return new Map([...Map.groupBy(items, ({ id }) => id)].map(([id, found]) => [id, found.map(({ page }) => page)]));
}

export const judgeUnlisted =
  (resource: Resource): JudgeRule =>
  (traffic) => {
    const pages = groupByItem(traffic, resource);
    const isCreatedAgain = findCreatedAgain(traffic, resource);
    return findDeletions(traffic, resource).flatMap(({ exchange: deletion, id }): Shown[] => {
      const late = (pages.get(id) ?? []).find((page) => isAfter(deletion, page, MAX_LAG_MS) && !isCreatedAgain(deletion, page));
      if (late) return [showThat(false, 'the deleted entity is no longer listed', late, deletion)];
      const before = pages.get(id)?.find((page) => isAfter(page, deletion));
      const after =
        before &&
        traffic.of(resource.list).find((page) => page.call.path === before.call.path && succeeds(page) && isAfter(deletion, page));
      return after && !pages.get(id)?.includes(after) ? [show(after, undefined, [before, deletion])] : [];
    });
  };

export const judgeRefusedDeletion =
  (resource: Resource, statuses: readonly number[]): JudgeRule =>
  (traffic) => {
    const refused = traffic
      .of(resource.remove)
      .flatMap((exchange) => (statuses.includes(exchange.answer.status) ? [{ exchange, id: normalize(exchange.id) }] : []));
    return followEach(refused, groupById(traffic, resource.get), (refusal, read) =>
      succeeds(read) ? show(read, undefined, [refusal]) : undefined,
    );
  };

/** Judges deletions of connections to whose Experience a number of the account was assigned the whole time. */
export const judgeAssignedNumbers: JudgeRule = (traffic) => {
  const connections = groupById(traffic, CONNECTIONS.get);
  const numbers = traffic.of(ASSIGNMENTS.get).filter((read) => succeeds(read) && getJson(read).targetType === 'PHONE_NUMBER');
  const toPair = (each: Exchange) => toKey(CONNECTIONS.key, getJson(each));
  const sightings = Map.groupBy(numbers, ({ id }) => normalize(id));
  return traffic.of(CONNECTIONS.remove).flatMap((deletion): Shown[] => {
    if (deletion.answer.status === 409) return [show(deletion)];
    const connection = (connections.get(normalize(deletion.id)) ?? []).find((read) => succeeds(read) && isAfter(read, deletion));
    const pair = connection && toPair(connection);
    if (!(succeeds(deletion) || ([400, 422].includes(deletion.answer.status) && deletion.query.size === 0)) || pair === undefined)
      return [];
    const [before] = [...sightings.values()].flatMap((reads) => {
      const first = reads.find((read) => isAfter(read, deletion) && toPair(read) === pair);
      return first && reads.some((read) => isAfter(deletion, read) && toPair(read) === pair) ? [first] : [];
    });
    return before
      ? [showThat(false, 'the deletion gets 409, because a number is assigned before and after it', deletion, connection!, before)]
      : [];
  });
};
