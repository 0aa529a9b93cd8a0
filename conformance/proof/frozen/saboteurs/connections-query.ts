import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { asking, problem, type Request } from '../exchange.ts';
import type { Saboteur, SaboteursOf } from '../saboteur.ts';
import { around, listedOfAll, pageOf } from './connections-world.ts';
import { refusedBy, whereRefused } from './refused.ts';

const LIST = 'getExperienceConnections';
const UUID_WITHIN = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** A server that answers 400 otherwise. */
function says(status: number, rule: string, does: string): Saboteur {
  return whereRefused(rule, LIST, does, () => problem(status));
}

/** A server that lists nothing where it should refuse. */
function findsNothing(rule: string, does: string, where: (request: Request) => boolean = () => true): Saboteur {
  return whereRefused(rule, LIST, does, (_reply, request) => (where(request) ? pageOf(request, []) : undefined));
}

/** A server that takes a query value for another one where it should refuse it; undefined: as if it had not been given. */
function takes(rule: string, does: string, name: string, taken: (given: string) => string | undefined): Saboteur {
  return around(LIST, does, async (request, service) => {
    const reply = await service(request);
    if (refusedBy(reply) !== rule) return reply;
    return service(asking(request, { query: { [name]: taken(request.query[name] ?? '') } }));
  });
}

const pageSize = (given: string): number => (given.trim() === '' ? Number.NaN : Number(given));

/** Servers that take query values of the connections list that they should refuse, or refuse them otherwise. */
export const connectionsQuery = {
  'connections.list.selector-required': [
    says(422, 'connections.list.selector-required', 'Answers a list that selects no account with 422.'),
    findsNothing('connections.list.selector-required', 'Lists nothing where no account is selected.'),
    around(LIST, 'Lists what there is in all accounts where none is selected.', async (request, service, behind) => {
      const reply = await service(request);
      if (refusedBy(reply) !== 'connections.list.selector-required' || request.query.experienceId !== undefined) return reply;
      return pageOf(request, await listedOfAll(request, service, behind));
    }),
    around(LIST, 'Takes experienceId for what selects.', async (request, service, behind) => {
      const reply = await service(request);
      const { experienceId } = request.query;
      if (refusedBy(reply) !== 'connections.list.selector-required' || experienceId === undefined) return reply;
      const connections = await listedOfAll(request, service, behind);
      return pageOf(
        request,
        connections.filter((connection) => connection.experienceId === experienceId),
      );
    }),
  ],
  'connections.list.account-id-uuid': [
    says(404, 'connections.list.account-id-uuid', 'Answers an accountId that is not a UUID with 404.'),
    says(422, 'connections.list.account-id-uuid', 'Answers an accountId that is not a UUID with 422.'),
    findsNothing('connections.list.account-id-uuid', 'Lists nothing where the accountId is not a UUID.'),
    findsNothing('connections.list.account-id-uuid', 'Looks for a UUID somewhere in the accountId.', ({ query }) =>
      UUID_WITHIN.test(query.accountId ?? ''),
    ),
    findsNothing(
      'connections.list.account-id-uuid',
      'Takes any accountId of 36 characters.',
      ({ query }) => query.accountId?.length === 36,
    ),
    takes(
      'connections.list.account-id-uuid',
      'Selects by telephoneNumber where the accountId is not a UUID.',
      'accountId',
      () => undefined,
    ),
  ],
  'connections.list.experience-id-uuid': [
    says(422, 'connections.list.experience-id-uuid', 'Answers an experienceId that is not a UUID with 422.'),
    findsNothing('connections.list.experience-id-uuid', 'Lists nothing where the experienceId is not a UUID.'),
    findsNothing('connections.list.experience-id-uuid', 'Looks for a UUID somewhere in the experienceId.', ({ query }) =>
      UUID_WITHIN.test(query.experienceId ?? ''),
    ),
    findsNothing(
      'connections.list.experience-id-uuid',
      'Takes any experienceId of 36 characters.',
      ({ query }) => query.experienceId?.length === 36,
    ),
    takes('connections.list.experience-id-uuid', 'Ignores an experienceId that is not a UUID.', 'experienceId', () => undefined),
    findsNothing(
      'connections.list.experience-id-uuid',
      'Lists nothing by number where the experienceId is not a UUID.',
      ({ query }) => query.accountId === undefined,
    ),
  ],
  'connections.list.telephone-number-format': [
    says(422, 'connections.list.telephone-number-format', 'Answers a telephoneNumber that is not E.164 with 422.'),
    findsNothing('connections.list.telephone-number-format', 'Lists nothing where the telephoneNumber is not E.164.'),
    findsNothing('connections.list.telephone-number-format', 'Takes any telephoneNumber that begins like one.', ({ query }) =>
      /^\+[1-9]\d/.test(query.telephoneNumber ?? ''),
    ),
    takes(
      'connections.list.telephone-number-format',
      'Selects by tn where the telephoneNumber is not E.164.',
      'telephoneNumber',
      () => undefined,
    ),
  ],
  'connections.list.tn-format': [
    says(422, 'connections.list.tn-format', 'Answers a tn that is not E.164 with 422.'),
    findsNothing('connections.list.tn-format', 'Lists nothing where the tn is not E.164.'),
    findsNothing('connections.list.tn-format', 'Takes any tn that begins like a number.', ({ query }) => /^\+[1-9]\d/.test(query.tn ?? '')),
  ],
  'connections.list.page-size-range': [
    says(422, 'connections.list.page-size-range', 'Answers a pageSize that is out of range with 422.'),
    takes('connections.list.page-size-range', 'Takes 100 where pageSize is more.', 'pageSize', (given) =>
      pageSize(given) > 100 ? '100' : given,
    ),
    takes('connections.list.page-size-range', 'Takes the default where pageSize is 0.', 'pageSize', (given) =>
      pageSize(given) === 0 ? undefined : given,
    ),
    takes('connections.list.page-size-range', 'Takes 1 where pageSize is negative.', 'pageSize', (given) =>
      pageSize(given) < 0 ? '1' : given,
    ),
    takes('connections.list.page-size-range', 'Takes the default where pageSize is not a number.', 'pageSize', (given) =>
      Number.isNaN(pageSize(given)) ? undefined : given,
    ),
    takes(
      'connections.list.page-size-range',
      'Cuts a pageSize that is not whole.',
      'pageSize',
      (given) => `${Math.trunc(pageSize(given))}`,
    ),
    takes('connections.list.page-size-range', 'Reads pageSize up to the first character that is not a digit.', 'pageSize', (given) =>
      /^\d+[^\d.]/.test(given) ? `${Number.parseInt(given, 10)}` : given,
    ),
    findsNothing(
      'connections.list.page-size-range',
      'Takes a pageSize up to 200.',
      ({ query }) => pageSize(query.pageSize ?? '') > 100 && pageSize(query.pageSize ?? '') <= 200,
    ),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
