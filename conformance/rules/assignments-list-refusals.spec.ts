import type { RuleId } from '../../src/contract/generated/rules.ts';
import type { Call } from '../actors/api-client.ts';
import { excuseUnknown, expectStatus, expectSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Capability } from '../target/capabilities.ts';
import { MALFORMED_TARGETS, MALFORMED_UUID, UNLISTED_TARGET_TYPE } from '../target/sample-values.ts';

const OPERATION = 'getExperienceAssignments';
type Query = NonNullable<Call['query']>;
type Known = Readonly<Record<'accountId' | 'experienceId' | 'number' | 'user', string>>;

/** What has to be known where the target answers 403 or 404 to what nobody has. */
function whatIsKnown({ accountId, experienceId, targetType, targetValue }: Query): Capability[] {
  const target: Capability = targetType === 'USER' ? 'users' : targetType === 'ACCOUNT' ? 'account' : 'numbers';
  return [...(accountId ? ['account' as const] : []), ...(experienceId ? ['experience' as const] : []), ...(targetValue ? [target] : [])];
}

/** A list that is answered with 200, and then the same with one change (each of these), which gets 400. */
function refuses(id: RuleId, title: string, good: (known: Known) => Query, ...wrong: readonly ((known: Known) => Query)[]): void {
  test(title, rule(id), async ({ api, need }) => {
    const [number, user] = [await need('number.any'), await need('user.any')];
    const known = { accountId: await need('account.any'), experienceId: await need('experience.any'), number, user };
    const token = await need('token');
    const query = good(known);
    expectSuccess(OPERATION, await excuseUnknown(need, await api.call(OPERATION, { token, query }), ...whatIsKnown(query)), 200);
    for (const change of wrong) expectStatus(await api.call(OPERATION, { token, query: change(known) }), 400);
  });
}

refuses(
  'assignments.list.filter-required',
  'A list without any filter gets 400.',
  ({ accountId }) => ({ accountId }),
  () => ({}),
);

refuses(
  'assignments.list.filter-required',
  'A list without any filter gets 400: pageSize is none.',
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
  'targetValue without targetType gets 400: beside accountId.',
  ({ accountId }) => ({ accountId }),
  ({ accountId, number }) => ({ accountId, targetValue: number }),
);

refuses(
  'assignments.list.account-id-uuid',
  'An accountId that is not a UUID gets 400.',
  ({ accountId }) => ({ accountId }),
  () => ({ accountId: MALFORMED_UUID }),
);

refuses(
  'assignments.list.experience-needs-account',
  'experienceId without accountId gets 400.',
  ({ accountId, experienceId }) => ({ accountId, experienceId }),
  ({ experienceId }) => ({ experienceId }),
);

refuses(
  'assignments.list.experience-needs-account',
  'experienceId without accountId gets 400: beside targetType and targetValue.',
  ({ number }) => ({ targetType: 'PHONE_NUMBER', targetValue: number }),
  ({ experienceId, number }) => ({ experienceId, targetType: 'PHONE_NUMBER', targetValue: number }),
);

refuses(
  'assignments.list.experience-id-uuid',
  'An experienceId that is not a UUID gets 400.',
  ({ accountId, experienceId }) => ({ accountId, experienceId }),
  ({ accountId }) => ({ accountId, experienceId: MALFORMED_UUID }),
);

const VALUES = { PHONE_NUMBER: 'number', USER: 'user', ACCOUNT: 'accountId' } as const;
for (const targetType of ['PHONE_NUMBER', 'USER', 'ACCOUNT'] as const) {
  refuses(
    'assignments.list.target-value-format',
    `A targetValue that does not match the format of its targetType gets 400: ${targetType}.`,
    (known) => ({ targetType, targetValue: known[VALUES[targetType]] }),
    () => ({ targetType, targetValue: MALFORMED_TARGETS[targetType] }),
    // What another type of target is written like.
    ({ number, user }) => ({ targetType, targetValue: targetType === 'PHONE_NUMBER' ? user : number }),
  );
}

refuses(
  'assignments.list.target-type-not-allowed',
  'A targetType that is not an allowed value gets 400.',
  ({ accountId }) => ({ accountId, targetType: 'USER' }),
  ({ accountId }) => ({ accountId, targetType: UNLISTED_TARGET_TYPE }),
);

refuses(
  'assignments.list.target-type-not-allowed',
  'A targetType that is not an allowed value gets 400: beside targetValue.',
  ({ number }) => ({ targetType: 'PHONE_NUMBER', targetValue: number }),
  ({ number }) => ({ targetType: UNLISTED_TARGET_TYPE, targetValue: number }),
  ({ user }) => ({ targetType: UNLISTED_TARGET_TYPE, targetValue: user }),
);

refuses(
  'assignments.list.type-alone',
  'targetType as the only filter is none of the valid combinations, and gets 400.',
  ({ accountId }) => ({ accountId, targetType: 'USER' }),
  () => ({ targetType: 'USER' }),
);

for (const pageSize of ['ten', '1.5']) {
  refuses(
    'assignments.list.page-size-integer',
    `A pageSize that is not an integer gets 400: ${pageSize}.`,
    ({ accountId }) => ({ accountId, pageSize: 10 }),
    ({ accountId }) => ({ accountId, pageSize }),
  );
}
