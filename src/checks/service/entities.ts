// Assignments and connections over several exchanges. Other clients may change an entity at any time, so a service breaks a rule only where an
// unseen change explains nothing: each change increases updatedAt, and so does a creation with an id that was used before.

import { type OperationId, operations } from '../../contract/generated/operations.ts';
import { compareInstants, isSameInstant } from '../../contract/instants.ts';
import { must } from '../../expect/rule-broken.ts';
import { isSameId } from '../../expect/same-id.ts';
import { type Exchange, getEntities, getJson, isAfter, isOneOf, type Json, normalize, succeeds, toText } from './exchange.ts';
import { type JudgeRule, judgeEach, type RuleJudges, type Shown, show, showThat } from './shown.ts';
import type { Traffic } from './traffic.ts';

/** The longest time, in milliseconds, after which a list shows a change, and after which a 202 has an effect. */
export const MAX_LAG_MS = 10_000;

/** The time, in milliseconds, in which a caller does not lose the access to an entity and gets it again. */
export const ACCESS_MS = 5000;

export interface Resource {
  readonly create: OperationId;
  readonly get: OperationId;
  readonly update?: OperationId;
  readonly list: OperationId;
  readonly remove: OperationId;
  /** The members of a request that no other entity may have too. */
  readonly key: readonly string[];
}
export const ASSIGNMENTS: Resource = {
  create: 'createExperienceAssignment',
  get: 'getExperienceAssignment',
  list: 'getExperienceAssignments',
  remove: 'deleteExperienceAssignment',
  key: ['experienceId', 'targetType', 'targetValue'],
};
export const CONNECTIONS: Resource = {
  create: 'createExperienceConnection',
  get: 'getExperienceConnection',
  update: 'updateExperienceConnection',
  list: 'getExperienceConnections',
  remove: 'deleteExperienceConnection',
  key: ['accountId', 'experienceId'],
};

export const getBody = ({ call }: Exchange): Json => Object(call.request?.body) as Json;
export const getEffectDelay = ({ answer }: Exchange): number => (answer.status === 202 ? MAX_LAG_MS : 0);
const toKey = (names: readonly string[], members: Json): string | undefined =>
  names.every((name) => typeof members[name] === 'string') ? names.map((name) => normalize(members[name])).join(' ') : undefined;

interface Creation {
  readonly exchange: Exchange;
  readonly id: string;
  readonly key: string | undefined;
}

const findCreations = ({ of }: Traffic, { create, key }: Resource): readonly Creation[] =>
  of(create).flatMap((exchange) => {
    const id = normalize(getJson(exchange).id);
    return succeeds(exchange) && id !== '' ? [{ exchange, id, key: toKey(key, getBody(exchange)) }] : [];
  });

/** The exchanges of an operation with an entity's id in the path, by this id. */
export const groupById = ({ of }: Traffic, operation: OperationId): ReadonlyMap<string, readonly Exchange[]> =>
  Map.groupBy(of(operation), ({ id }) => normalize(id));

/** Pairs each creation or deletion with the later exchanges with the same entity. */
function followEach(
  firsts: readonly { readonly exchange: Exchange; readonly id: string }[],
  later: ReadonlyMap<string, readonly Exchange[]>,
  judge: (first: Exchange, second: Exchange) => Shown | undefined,
): Shown[] {
  return firsts.flatMap(({ exchange, id }) =>
    (later.get(id) ?? []).flatMap((each) => (isAfter(exchange, each, getEffectDelay(exchange)) ? (judge(exchange, each) ?? []) : [])),
  );
}

const findDeletions = (traffic: Traffic, { remove }: Resource) =>
  traffic.of(remove).flatMap((exchange) => (succeeds(exchange) ? [{ exchange, id: normalize(exchange.id) }] : []));

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

const judgeGone =
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

const judgeUnlisted =
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

const judgeAgain =
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

/** Whether two requests have the same content type, and the same members in the body. */
export const hasSameForm = (first: Exchange, second: Exchange): boolean =>
  first.call.request?.headers['content-type'] === second.call.request?.headers['content-type'] &&
  Object.keys(getBody(first)).join() === Object.keys(getBody(second)).join() &&
  second.query.size === 0;

/** Judges creations of what exists already: the first entity exists before the second creation, and is still found after it. */
const judgeDuplicates =
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

const isNewAssignment = (each: Exchange): boolean =>
  each.operation === ASSIGNMENTS.create && succeeds(each) && each.answer.json !== undefined;

/** A browser's file may lack the request's body. Without its plus sign, a number is not E.164, but a server may accept it. */
const listEchoed = (each: Exchange): readonly string[] =>
  ASSIGNMENTS.key.filter((name) => {
    const sent = getBody(each)[name];
    return typeof sent === 'string' && !/^\s*\d+$/.test(sent);
  });

const READ_ONLY = ['id', 'updatedAt'];
const hasReadOnly = (each: Exchange): boolean => isNewAssignment(each) && READ_ONLY.some((name) => typeof getBody(each)[name] === 'string');

/** Whether no response shows that an entity has changed, or was created again with the same id. */
const isSameVersion = (...exchanges: readonly Exchange[]): boolean => {
  const versions = exchanges.flatMap((each) => getJson(each).updatedAt ?? []).map(toText);
  return versions.every((version) => isSameInstant(version, versions[0]!));
};

/** Judges 404s about an entity that the caller uses shortly before and afterwards. */
const judgeLost =
  (isAbout: (each: Exchange) => boolean): JudgeRule =>
  (traffic) =>
    [ASSIGNMENTS, CONNECTIONS].flatMap(({ create, get, update, remove }): Shown[] => {
      const getId = (each: Exchange) => (each.operation === create && succeeds(each) ? getJson(each).id : each.id);
      // A creation with the status 202 has its effect later.
      const all = traffic
        .of(create, get, remove, ...(update ? [update] : []))
        .filter((each) => each.operation !== create || getEffectDelay(each) === 0);
      const uses = Map.groupBy(all, (each) => `${each.token} ${normalize(getId(each))}`);
      return [...uses.values()].flatMap((same) => {
        const successes = same.filter((each) => each.token !== undefined && succeeds(each));
        return same.flatMap((each): Shown[] => {
          if (each.answer.status !== 404 || each.id === undefined || each.query.size > 0 || !isAbout(each)) return [];
          const before = successes.findLast((other) => isAfter(other, each));
          const after = before && before.operation !== remove && successes.find((other) => isAfter(each, other));
          const isNear = after && !isAfter(before, each, ACCESS_MS) && !isAfter(each, after, ACCESS_MS);
          return isNear && isSameVersion(before, after)
            ? [showThat(false, 'the entity is found, as it is before and after the request', each, before, after)]
            : [];
        });
      });
    });

const judgeServed =
  (form: Exchange['form']): JudgeRule =>
  (traffic) => [
    ...judgeEach((each) => each.form === form && succeeds(each))(traffic),
    ...judgeLost((each) => each.form === form && operations[each.operation].method !== 'get')(traffic),
  ];

/** Whether an entity that was created under one path form was read under the other one. */
const judgeBothForms: JudgeRule = (traffic) =>
  [ASSIGNMENTS, CONNECTIONS].flatMap((resource) =>
    followEach(findCreations(traffic, resource), groupById(traffic, resource.get), (creation, read) =>
      succeeds(read) && read.form !== creation.form ? show(read, undefined, [creation]) : undefined,
    ),
  );

const judgeTargetOfSeveral: JudgeRule = (traffic) => {
  const targets = Map.groupBy(findCreations(traffic, ASSIGNMENTS), ({ key }) => key?.split(' ').slice(1).join(' '));
  targets.delete(undefined);
  return [...targets.values()].flatMap(([first, ...others]) =>
    others.filter(({ key }) => key !== first!.key).map(({ exchange }) => show(exchange, undefined, [first!.exchange])),
  );
};

const judgeNewConnection =
  (isShown: (read: Exchange) => boolean): JudgeRule =>
  (traffic) =>
    followEach(findCreations(traffic, CONNECTIONS), groupById(traffic, CONNECTIONS.get), (creation, read) =>
      succeeds(read) && isShown(read) ? show(read, undefined, [creation]) : undefined,
    );

const judgeRefusedDeletion =
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
const judgeAssignedNumbers: JudgeRule = (traffic) => {
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

export const judgesOfEntities = {
  'http.path-forms.prefixed-served': judgeServed('prefixed'),
  'http.path-forms.flat-served': judgeServed('flat'),
  'http.path-forms.same-operation': judgeBothForms,

  'assignments.create.echo': judgeEach(
    (each) => isNewAssignment(each) && listEchoed(each).length > 0,
    (answer, each) => {
      for (const name of listEchoed(each))
        must(isSameId(getJson(each)[name], toText(getBody(each)[name])), `${name} is the one in the request`, answer);
    },
  ),
  'assignments.create.account-of-target': judgeEach(
    (each) => isNewAssignment(each) && getBody(each).targetType === 'ACCOUNT',
    (answer, each) =>
      must(
        isSameId(getJson(each).accountId, toText(getBody(each).targetValue)),
        'accountId is the account to which the Experience is assigned',
        answer,
      ),
  ),
  'assignments.create.read-only-members': judgeEach(hasReadOnly, (answer, each) => {
    for (const name of READ_ONLY)
      must(
        normalize(getBody(each)[name]) === '' || !isSameId(getJson(each)[name], toText(getBody(each)[name])),
        `the ${name} is not the one in the request`,
        answer,
      );
  }),
  'assignments.create.again': judgeAgain(ASSIGNMENTS),
  'assignments.create.several-experiences': judgeTargetOfSeveral,
  'assignments.create.duplicate-refused': judgeDuplicates(ASSIGNMENTS, [409, 422]),
  'assignments.get.same-as-created': (traffic) =>
    followEach(findCreations(traffic, ASSIGNMENTS), groupById(traffic, ASSIGNMENTS.get), (creation, read) => {
      const [created, found] = [getJson(creation), getJson(read)];
      // A number may move to another account, but not a user.
      const names = [...ASSIGNMENTS.key, ...(created.targetType === 'USER' ? ['accountId'] : [])];
      const isSame = names.every((name) => normalize(found[name]) === normalize(created[name]));
      return succeeds(read) && read.answer.json !== undefined
        ? showThat(isSame, 'the assignment is the one that was created', read, creation)
        : undefined;
    }),
  'assignments.get.found': judgeLost(isOneOf(ASSIGNMENTS.get)),
  'assignments.delete.gone': judgeGone(ASSIGNMENTS),
  'assignments.delete.unlisted': judgeUnlisted(ASSIGNMENTS),
  'assignments.delete.refused-changes-nothing': judgeRefusedDeletion(ASSIGNMENTS, [401, 403]),

  'connections.create.success': judgeEach((each) => each.operation === CONNECTIONS.create && succeeds(each)),
  'connections.create.state': judgeNewConnection((read) => typeof getJson(read).state === 'string'),
  'connections.create.listed': judgeNewConnection(() => true),
  'connections.create.again': judgeAgain(CONNECTIONS),
  'connections.create.exists': judgeDuplicates(CONNECTIONS, [409]),
  'connections.get.found': judgeLost(isOneOf(CONNECTIONS.get)),
  'connections.delete.deleted': judgeEach((each) => each.operation === CONNECTIONS.remove && succeeds(each)),
  'connections.delete.gone': judgeGone(CONNECTIONS),
  'connections.delete.unlisted': judgeUnlisted(CONNECTIONS),
  'connections.delete.numbers-assigned': judgeAssignedNumbers,
  'connections.delete.refused-changes-nothing': judgeRefusedDeletion(CONNECTIONS, [409]),
} satisfies RuleJudges;
