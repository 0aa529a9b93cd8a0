import { randomUUID } from 'node:crypto';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import { excuseUnknown, expectStatus, expectSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { MALFORMED_TARGETS, MALFORMED_UUID } from '../target/sample-values.ts';

const OPERATION = 'getExperienceConnections';
const MALFORMED_NUMBER = MALFORMED_TARGETS.PHONE_NUMBER;

type Query = Readonly<Record<string, string | number>>;
type Ids = Readonly<Record<'accountId' | 'experienceId' | 'number', string>>;

/** A query that succeeds, and one with a single change that gets 400. */
type Refusal = readonly [id: RuleId, title: string, valid: (ids: Ids) => Query, refused: (ids: Ids) => Query];

const REFUSALS: readonly Refusal[] = [
  [
    'connections.list.selector-required',
    'A list with none of accountId, telephoneNumber and tn gets 400.',
    ({ accountId }) => ({ accountId }),
    () => ({}),
  ],
  [
    'connections.list.selector-required',
    'A list with none of accountId, telephoneNumber and tn gets 400: experienceId alone.',
    ({ accountId, experienceId }) => ({ accountId, experienceId }),
    ({ experienceId }) => ({ experienceId }),
  ],
  ...[
    ['a word', MALFORMED_UUID] as const,
    ['letters beyond f', 'zzzzzzzz-zzzz-4zzz-8zzz-zzzzzzzzzzzz'] as const,
    ['a UUID with a suffix', `${randomUUID()}-and-more`] as const,
  ].flatMap(([variant, malformed]): Refusal[] => [
    [
      'connections.list.account-id-uuid',
      `An accountId that is not a UUID gets 400: ${variant}.`,
      ({ accountId }) => ({ accountId }),
      () => ({ accountId: malformed }),
    ],
    [
      'connections.list.experience-id-uuid',
      `An experienceId that is not a UUID gets 400: ${variant}.`,
      ({ accountId, experienceId }) => ({ accountId, experienceId }),
      ({ accountId }) => ({ accountId, experienceId: malformed }),
    ],
  ]),
  [
    'connections.list.account-id-uuid',
    'An accountId that is not a UUID gets 400: with a telephoneNumber.',
    ({ number }) => ({ telephoneNumber: number }),
    ({ number }) => ({ telephoneNumber: number, accountId: MALFORMED_UUID }),
  ],
  [
    'connections.list.experience-id-uuid',
    'An experienceId that is not a UUID gets 400: with a telephoneNumber.',
    ({ number, experienceId }) => ({ telephoneNumber: number, experienceId }),
    ({ number }) => ({ telephoneNumber: number, experienceId: MALFORMED_UUID }),
  ],
  [
    'connections.list.telephone-number-format',
    'A telephoneNumber that selects the account and is not E.164 gets 400.',
    ({ number }) => ({ telephoneNumber: number }),
    () => ({ telephoneNumber: MALFORMED_NUMBER }),
  ],
  [
    'connections.list.telephone-number-format',
    'A telephoneNumber that selects the account and is not E.164 gets 400: with a valid tn, which it overrides.',
    ({ number }) => ({ tn: number }),
    ({ number }) => ({ tn: number, telephoneNumber: MALFORMED_NUMBER }),
  ],
  [
    'connections.list.tn-format',
    'A tn that selects the account and is not E.164 gets 400.',
    ({ number }) => ({ tn: number }),
    () => ({ tn: MALFORMED_NUMBER }),
  ],
  ...['0', '101', '-1', '1.5', 'ten', '10connections', '4294967297'].map(
    (pageSize): Refusal => [
      'connections.list.page-size-range',
      `A pageSize that is not an integer from 1 to 100 gets 400: ${pageSize}.`,
      ({ accountId }) => ({ accountId, pageSize: 100 }),
      ({ accountId }) => ({ accountId, pageSize }),
    ],
  ),
];

for (const [id, title, valid, refused] of REFUSALS) {
  test(title, rule(id), async ({ api, need }) => {
    const token = await need('token');
    const ids = { accountId: await need('account.any'), experienceId: await need('experience.any'), number: await need('number.any') };
    const query = valid(ids);
    const answer = await api.call(OPERATION, { token, query });
    await excuseUnknown(need, answer, query.accountId ? 'account' : 'numbers', ...(query.experienceId ? ['experience' as const] : []));
    expectSuccess(OPERATION, answer, 200);
    expectStatus(await api.call(OPERATION, { token, query: refused(ids) }), 400);
  });
}
