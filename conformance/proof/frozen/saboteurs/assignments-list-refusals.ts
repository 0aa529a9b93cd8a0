import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { asking, problem, type Reply, type Request, success } from '../exchange.ts';
import { misreading, remembering, type Saboteur, type SaboteursOf } from '../saboteur.ts';
import { emptyPage, inOtherAccounts, isOfFilters } from './assignments-world.ts';
import { refusedBy, whereRefused } from './refused.ts';
import { fitsAnotherType, ofEachType, TARGET_TYPES } from './target-types.ts';

const LIST = 'getExperienceAssignments';
type Where = (request: Request) => boolean;
const anywhere: Where = () => true;

/** Servers that refuse with another status, or answer with an empty page, where a list is refused by a rule. @param where in which of its cases */
function otherwise(rule: string, what: string, where: Where = anywhere): readonly [Saboteur, ...Saboteur[]] {
  const server = (does: string, answer: (request: Request) => Reply) =>
    whereRefused(`assignments.list.${rule}`, LIST, does, (_, request) => (where(request) ? answer(request) : undefined));
  return [
    server(`Answers ${what} with an empty page.`, emptyPage),
    server(`Refuses ${what} with 422.`, () => problem(422)),
    server(`Answers ${what} with 404.`, () => problem(404)),
  ];
}

/** A server that lists all that the caller may see where a list is refused by a rule. @param filter what it heeds all the same */
const listingAll = (
  rule: string,
  does: string,
  where: Where,
  filter: (query: Request['query']) => Record<string, string> = () => ({}),
): Saboteur =>
  remembering(does, () => async (request, service, behind) => {
    const reply = await service(request);
    if (request.operation !== LIST || refusedBy(reply) !== `assignments.list.${rule}` || !where(request)) return reply;
    const entities = await inOtherAccounts(request, service, behind, filter(request.query));
    return success(200, { entities: entities.slice(0, 100), cursor: null, pageSize: 100 });
  });

/** A server that does not heed a filter in some lists. */
const ignoring = (does: string, ignored: string, where: Where): Saboteur =>
  misreading(does, LIST, (request) => (where(request) ? asking(request, { query: { [ignored]: undefined } }) : undefined));

const only =
  (...filters: string[]): Where =>
  (request) =>
    isOfFilters(request, filters);
const bare: Where = ({ query }) => query.pageSize === undefined;
const paged: Where = ({ query }) => query.pageSize !== undefined;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A server that takes another pageSize for one that is no integer. */
const takingFor = (does: string, taken: (given: string) => number): Saboteur =>
  misreading(does, LIST, (request) => {
    const { pageSize } = request.query;
    if (pageSize === undefined || /^[0-9]+$/.test(pageSize)) return undefined;
    const size = taken(pageSize);
    return asking(request, { query: { pageSize: Number.isNaN(size) ? undefined : `${size}` } });
  });

/** Servers that refuse lists otherwise, or not at all. */
export const assignmentsListRefusals = {
  'assignments.list.filter-required': [
    ...otherwise('filter-required', 'a list without any filter', bare),
    ...otherwise('filter-required', 'a list with a pageSize for its only filter', paged),
    listingAll('filter-required', 'Lists everything where there is no filter.', bare),
    listingAll('filter-required', 'Takes pageSize for a filter.', paged),
  ],
  'assignments.list.value-needs-type': [
    ...otherwise('value-needs-type', 'a targetValue without targetType'),
    misreading('Sees by a targetValue what targetType it has.', LIST, (request) =>
      only('targetValue')(request)
        ? asking(request, { query: { targetType: request.query.targetValue?.startsWith('+') ? 'PHONE_NUMBER' : 'USER' } })
        : undefined,
    ),
    ignoring('Does not heed a targetValue without targetType beside accountId.', 'targetValue', only('accountId', 'targetValue')),
  ],
  'assignments.list.account-id-uuid': [...otherwise('account-id-uuid', 'an accountId that is not a UUID')],
  'assignments.list.experience-needs-account': [
    ...otherwise('experience-needs-account', 'an experienceId without accountId', only('experienceId')),
    ...otherwise('experience-needs-account', 'an experienceId beside a target', only('experienceId', 'targetType', 'targetValue')),
    listingAll('experience-needs-account', 'Lists an Experience in all accounts.', only('experienceId')),
    ignoring('Does not heed an experienceId beside a target.', 'experienceId', only('experienceId', 'targetType', 'targetValue')),
  ],
  'assignments.list.experience-id-uuid': [
    ...otherwise('experience-id-uuid', 'an experienceId that is not a UUID'),
    ignoring(
      'Does not heed an experienceId that is not a UUID.',
      'experienceId',
      (request) => only('accountId', 'experienceId')(request) && !UUID.test(request.query.experienceId ?? ''),
    ),
  ],
  'assignments.list.target-value-format': [
    ...otherwise('target-value-format', 'an ACCOUNT in another format', ({ query }) => query.targetType === 'ACCOUNT'),
    ...otherwise('target-value-format', 'a PHONE_NUMBER in another format', ({ query }) => query.targetType === 'PHONE_NUMBER'),
    ...otherwise('target-value-format', 'a USER in another format', ({ query }) => query.targetType === 'USER'),
    ...ofEachType(
      (type) =>
        otherwise(
          'target-value-format',
          `a ${type} that has the format of another target`,
          ({ query }) => query.targetType === type && fitsAnotherType(query),
        )[0],
    ),
  ],
  'assignments.list.target-type-not-allowed': [
    ...otherwise('target-type-not-allowed', 'a targetType that is not allowed, beside accountId,', only('accountId', 'targetType')),
    ...otherwise('target-type-not-allowed', 'a targetType that is not allowed, beside targetValue,', only('targetType', 'targetValue')),
    ignoring(
      'Does not heed a targetType that is not allowed beside accountId.',
      'targetType',
      (request) => only('accountId', 'targetType')(request) && TARGET_TYPES.every((type) => type !== request.query.targetType),
    ),
  ],
  'assignments.list.type-alone': [
    ...otherwise('type-alone', 'a targetType alone'),
    listingAll('type-alone', 'Lists by targetType in all accounts.', anywhere, ({ targetType }) => ({ targetType: `${targetType}` })),
  ],
  'assignments.list.page-size-integer': [
    ...otherwise('page-size-integer', 'a pageSize that is not an integer'),
    takingFor('Takes the default for a pageSize that is not a number.', (given) =>
      Number.isNaN(Number(given)) ? Number.NaN : Number(given),
    ),
    takingFor('Takes the whole part of a pageSize that is not whole.', (given) => Math.floor(Number(given)) || 0),
    takingFor('Takes of a pageSize what is a number at its beginning.', (given) => Number.parseInt(given, 10)),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
