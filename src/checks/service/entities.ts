// Assignments and connections over several exchanges. Other clients may change an entity at any time, so a service breaks a rule only where an
// unseen change explains nothing: each change increases updatedAt, and so does a creation with an id that was used before.

import { operations } from '../../contract/generated/operations.ts';
import { isSameInstant } from '../../contract/instants.ts';
import { must } from '../../expect/rule-broken.ts';
import { isSameId } from '../../expect/same-id.ts';
import {
  hasReadOnly,
  isNewAssignment,
  judgeAgain,
  judgeDuplicates,
  judgeNewConnection,
  judgeTargetOfSeveral,
  listEchoed,
  READ_ONLY,
} from './creations.ts';
import { judgeAssignedNumbers, judgeGone, judgeRefusedDeletion, judgeUnlisted } from './deletions.ts';
import { type Exchange, getJson, isAfter, isOneOf, normalize, succeeds, toText } from './exchange.ts';
import { ACCESS_MS, ASSIGNMENTS, CONNECTIONS, findCreations, followEach, getBody, getEffectDelay, groupById } from './resources.ts';
import { type JudgeRule, judgeEach, type RuleJudges, type Shown, show, showThat } from './shown.ts';

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
