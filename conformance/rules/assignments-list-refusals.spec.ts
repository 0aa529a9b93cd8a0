import { randomUUID } from 'node:crypto';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import { excuseUnknown, expectStatus, expectSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Capability } from '../target/capabilities.ts';
import { MALFORMED_TARGETS, MALFORMED_UUID, UNLISTED_TARGET_TYPE } from '../target/sample-values.ts';

const OPERATION = 'getExperienceAssignments';
const MALFORMED_UUIDS = [MALFORMED_UUID, 'zzzzzzzz-zzzz-4zzz-8zzz-zzzzzzzzzzzz', `${randomUUID()}-and-more`];

type Query = Readonly<Record<string, string | number>>;
type Ids = Readonly<Record<'accountId' | 'experienceId' | 'number' | 'user', string>>;

/** The capabilities without which the ids of a query may be placeholders. */
function capabilitiesFor({ accountId, experienceId, targetType, targetValue }: Query): Capability[] {
  const target: Capability = targetType === 'USER' ? 'users' : targetType === 'ACCOUNT' ? 'account' : 'numbers';
  return [...(accountId ? ['account' as const] : []), ...(experienceId ? ['experience' as const] : []), ...(targetValue ? [target] : [])];
}

/** Checks that a valid query gets 200, and each query with a change gets 400. */
function refuses(id: RuleId, title: string, valid: (ids: Ids) => Query, ...refused: readonly ((ids: Ids) => Query)[]): void {
  test(title, rule(id), async ({ api, need }) => {
    const [number, user] = [await need('number.any'), await need('user.any')];
    const ids = { accountId: await need('account.any'), experienceId: await need('experience.any'), number, user };
    const token = await need('token');
    const query = valid(ids);
    const answer = await api.call(OPERATION, { token, query });
    expectSuccess(OPERATION, await excuseUnknown(need, answer, ...capabilitiesFor(query)), 200);
    for (const each of refused) expectStatus(await api.call(OPERATION, { token, query: each(ids) }), 400);
  });
}

const FILTER_REQUIRED = 'A list without any filter gets 400';
refuses(
  'assignments.list.filter-required',
  `${FILTER_REQUIRED}.`,
  ({ accountId }) => ({ accountId }),
  () => ({}),
);
refuses(
  'assignments.list.filter-required',
  `${FILTER_REQUIRED}: pageSize is not a filter.`,
  ({ accountId }) => ({ accountId, pageSize: 10 }),
  () => ({ pageSize: 10 }),
);

refuses(
  'assignments.list.value-needs-type',
  'targetValue without targetType gets 400.',
  ({ number }) => ({ targetType: 'PHONE_NUMBER', targetValue: number }),
  ({ number }) => ({ targetValue: number }),
);
refuses(
  'assignments.list.value-needs-type',
  'targetValue without targetType gets 400: with accountId.',
  ({ accountId }) => ({ accountId }),
  ({ accountId, number }) => ({ accountId, targetValue: number }),
);

refuses(
  'assignments.list.account-id-uuid',
  'An accountId that is not a UUID gets 400.',
  ({ accountId }) => ({ accountId }),
  ...MALFORMED_UUIDS.map((malformed) => () => ({ accountId: malformed })),
);
refuses(
  'assignments.list.experience-id-uuid',
  'An experienceId that is not a UUID gets 400.',
  ({ accountId, experienceId }) => ({ accountId, experienceId }),
  ...MALFORMED_UUIDS.map((malformed) => ({ accountId }: Ids) => ({ accountId, experienceId: malformed })),
);

refuses(
  'assignments.list.experience-needs-account',
  'experienceId without accountId gets 400.',
  ({ accountId, experienceId }) => ({ accountId, experienceId }),
  ({ experienceId }) => ({ experienceId }),
);
refuses(
  'assignments.list.experience-needs-account',
  'experienceId without accountId gets 400: with targetType and targetValue.',
  ({ number }) => ({ targetType: 'PHONE_NUMBER', targetValue: number }),
  ({ experienceId, number }) => ({ experienceId, targetType: 'PHONE_NUMBER', targetValue: number }),
);

for (const [targetType, id] of [
  ['PHONE_NUMBER', 'number'],
  ['USER', 'user'],
  ['ACCOUNT', 'accountId'],
] as const)
  refuses(
    'assignments.list.target-value-format',
    `A targetValue that does not match the format of its targetType gets 400: ${targetType}.`,
    (ids) => ({ targetType, targetValue: ids[id] }),
    () => ({ targetType, targetValue: MALFORMED_TARGETS[targetType] }),
    // The format of another type.
    ({ number, user }) => ({ targetType, targetValue: targetType === 'PHONE_NUMBER' ? user : number }),
  );

refuses(
  'assignments.list.target-type-not-allowed',
  'A targetType that is not an allowed value gets 400.',
  ({ accountId }) => ({ accountId, targetType: 'USER' }),
  ({ accountId }) => ({ accountId, targetType: UNLISTED_TARGET_TYPE }),
);
refuses(
  'assignments.list.target-type-not-allowed',
  'A targetType that is not an allowed value gets 400: with targetValue.',
  ({ number }) => ({ targetType: 'PHONE_NUMBER', targetValue: number }),
  ({ number }) => ({ targetType: UNLISTED_TARGET_TYPE, targetValue: number }),
  ({ user }) => ({ targetType: UNLISTED_TARGET_TYPE, targetValue: user }),
);

refuses(
  'assignments.list.type-alone',
  'targetType as the only filter is not a valid combination and gets 400.',
  ({ accountId }) => ({ accountId, targetType: 'USER' }),
  () => ({ targetType: 'USER' }),
);

for (const pageSize of ['ten', '1.5', '10assignments'])
  refuses(
    'assignments.list.page-size-integer',
    `A pageSize that is not an integer gets 400: ${pageSize}.`,
    ({ accountId }) => ({ accountId, pageSize: 10 }),
    ({ accountId }) => ({ accountId, pageSize }),
  );
