// Bodies, headers and problem details of single answers.
import { type OperationId, operations } from '../../contract/generated/operations.ts';
import type { RuleId } from '../../contract/generated/rules.ts';
import { schemaReferences } from '../../contract/generated/schema-references.ts';
import { toMilliseconds } from '../../contract/instants.ts';
import { expectBearerChallenge } from '../../expect/challenge.ts';
import { PROBLEM_RULES, PROBLEM_SCHEMA, RULES_ABOUT_HEADERS } from '../../expect/problem.ts';
import { isJson } from '../../expect/response.ts';
import { must, RuleBroken } from '../../expect/rule-broken.ts';
import { isSameId } from '../../expect/same-id.ts';
import { type Exchange, findViolations, getEntities, getJson, isOneOf, succeeds, toText } from './exchange.ts';
import { type JudgeRule, judgeEach, type RuleJudges } from './shown.ts';

const LISTS = ['getExperienceAssignments', 'getExperienceConnections', 'getUsers'] as const;

/** Other statuses, such as 502, may come from a gateway. */
const isDocumentedRefusal = ({ operation, answer }: Exchange): boolean =>
  (schemaReferences.responses[operation] as Readonly<Record<string, string>>)[answer.status] === PROBLEM_SCHEMA;

const judgesOfProblems = Object.fromEntries(
  PROBLEM_RULES.map(({ id, expect }): [RuleId, JudgeRule] => [
    id,
    judgeEach(
      (each) => isDocumentedRefusal(each) && each.isWhole && (each.hasHeaders || !RULES_ABOUT_HEADERS.includes(id)),
      (answer) => expect(answer),
    ),
  ]),
);

const hasSchema = ({ operation }: Exchange): boolean =>
  operations[operation].successStatus !== '2XX' && operations[operation].successStatus !== 204;

/** @param isAbout whether what is wrong at a JSON pointer breaks the rule */
function judgeShape(ids: readonly OperationId[], isAbout: (pointer: string) => boolean): JudgeRule {
  return judgeEach(
    (each) => isOneOf(...ids)(each) && each.isWhole && succeeds(each) && hasSchema(each),
    (answer, each) => {
      must(answer.json !== undefined, 'the body of the response is JSON', answer);
      const found = (findViolations(each) ?? []).filter(({ pointer }) => isAbout(pointer)).slice(0, 3);
      if (found.length === 0) return;
      const what = found.map(({ pointer, message }) => `${pointer || 'the body'} ${message}`).join('; ');
      throw new RuleBroken(`Expected a body that matches its schema: ${what}.`, answer);
    },
  );
}

const CONNECTION_MEMBERS = ['id', 'accountId', 'accountName', 'experienceId', 'state', 'updatedAt'];
const isInEntities = (pointer: string): boolean => pointer.startsWith('/entities/');
const isEverything = (): boolean => true;

export const judgesOfResponses = {
  ...judgesOfProblems,
  'http.bodies-are-json': judgeEach(
    (each) => each.isWhole && each.hasHeaders && (succeeds(each) || isDocumentedRefusal(each)),
    (answer) => must(answer.text === '' || isJson(answer), 'the body is JSON', answer),
  ),
  'auth.challenge': judgeEach((each) => each.answer.status === 401 && each.hasHeaders, expectBearerChallenge),

  'http.pages.entities-array': judgeShape(LISTS, (pointer) => pointer === '' || pointer === '/entities'),
  'http.pages.page-size-integer': judgeShape(LISTS, (pointer) => pointer === '/pageSize'),
  'assignability.shape': judgeShape(['getExperienceAssignability'], isEverything),
  'assignments.list.shape': judgeShape(['getExperienceAssignments'], isInEntities),
  'connections.list.shape': judgeShape(['getExperienceConnections'], isInEntities),
  'users.list.shape': judgeShape(['getUsers'], isInEntities),
  'users.get.shape': judgeShape(['getUser'], isEverything),
  'assignments.create.created': (traffic) => [
    ...judgeEach(
      (each) => isOneOf('createExperienceAssignment')(each) && succeeds(each),
      (answer) => must(answer.status === 201, 'the status is 201', answer),
    )(traffic),
    ...judgeShape(['createExperienceAssignment'], (pointer) => pointer !== '/updatedAt')(traffic),
  ],
  'assignments.create.updated-at-utc': (traffic) => [
    ...judgeShape(['createExperienceAssignment'], (pointer) => pointer === '/updatedAt')(traffic),
    ...judgeEach(
      (each) => isOneOf('createExperienceAssignment')(each) && each.isWhole && succeeds(each),
      (answer, each) => {
        const year = new Date(toMilliseconds(toText(getJson(each).updatedAt))).getUTCFullYear();
        must(!Number.isNaN(year) && year >= 2000, 'updatedAt is the time of the creation', answer);
      },
    )(traffic),
  ],
  'assignments.get.shape': (traffic) => [
    ...judgeShape(['getExperienceAssignment'], isEverything)(traffic),
    ...judgeReadId('getExperienceAssignment')(traffic),
  ],
  'connections.get.shape': (traffic) => [
    ...judgeShape(['getExperienceConnection'], isEverything)(traffic),
    ...judgeEach(
      (each) => isOneOf('getExperienceConnection')(each) && each.isWhole && succeeds(each),
      (answer, each) =>
        must(
          CONNECTION_MEMBERS.some((name) => Object.hasOwn(getJson(each), name)),
          `the response contains ${CONNECTION_MEMBERS.join(', ')}, or some of them`,
          answer,
        ),
    )(traffic),
    ...judgeReadId('getExperienceConnection')(traffic),
  ],
  'assignments.list.updated-at-prefixed': judgeEach(
    (each) => isOneOf('getExperienceAssignments')(each) && each.form === 'prefixed' && getEntities(each).length > 0,
    (answer, each) =>
      must(
        getEntities(each).every(({ updatedAt }) => typeof updatedAt === 'string'),
        'each assignment has updatedAt',
        answer,
      ),
  ),
  'assignments.delete.no-body': judgeEach(
    (each) => isOneOf('deleteExperienceAssignment')(each) && succeeds(each) && each.isWhole,
    (answer) => must(answer.status === 204 && answer.text === '', 'the deletion gets 204 without a body', answer),
  ),
  'assignability.echo': judgeEach(
    (each) => isOneOf('getExperienceAssignability')(each) && each.isWhole && succeeds(each),
    (answer, each) => {
      const { experienceId, targetType, targetValue } = getJson(each);
      must(isSameId(experienceId, each.id ?? ''), 'experienceId is the id in the request', answer);
      must(isSameId(targetType, each.query.get('targetType') ?? ''), 'targetType is the one in the request', answer);
      const asked = each.query.get('targetValue');
      // Without its plus sign, a number is not E.164, but a server may accept it.
      if (asked?.includes('+') || asked?.includes('-')) must(isSameId(targetValue, asked), 'targetValue is the one in the request', answer);
    },
  ),
} satisfies RuleJudges;

/** A connection need not contain its id. */
function judgeReadId(operation: OperationId): JudgeRule {
  return judgeEach(
    (each) => isOneOf(operation)(each) && each.isWhole && succeeds(each) && getJson(each).id !== undefined,
    (answer, each) => must(isSameId(getJson(each).id, each.id ?? ''), 'the response contains the requested entity', answer),
  );
}
