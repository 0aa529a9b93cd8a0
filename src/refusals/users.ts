import type { OperationId } from '../contract/generated/operations.ts';
import type { RuleId } from '../contract/generated/rules.ts';
import { createHostilePageSizes, HOSTILE_UUIDS, UNKNOWN_UUID } from './hostile-values.ts';
import { HOSTILE_NATIVE_IDS, UNKNOWN_NATIVE_IDS, UNSUPPORTED_NATIVE_ID } from './opaque-values.ts';
import { both, createPlaceholder, demo, hostile, type RefusalTable } from './refusal.ts';

const fail = (title: string, rule: RuleId) => demo(title, { fault: { fault: 'problem', rule, times: 1 } });
const loseAuthorizationService = (operation: OperationId) =>
  demo('The authorization service cannot be reached.', { fault: { fault: 'authorization-service-down', operation } });
const RATE = 'A fault makes one request exceed the rate limit. For a real limit: xpk start --set users.rate-limit=2';
const FIRST_PAGE = { cursorOf: '/users?accountId={accounts/northwind}&pageSize=1' };

export const userRefusals = {
  'users.list.account-id-required': [both('The list request has no accountId.', { values: { accountId: undefined } })],
  'users.list.account-id-uuid': [
    demo('The accountId is an alias.', { values: { accountId: 'northwind' } }),
    hostile(HOSTILE_UUIDS, 'accountId'),
  ],
  'users.list.sort-by-allowed': [
    demo('The sortBy starts with a capital letter.', { values: { sortBy: 'CreatedAt' } }),
    { values: { sortBy: 'an unknown field' } },
  ],
  'users.list.sort-order-allowed': [both('The sortOrder is neither asc nor desc.', { values: { sortOrder: 'sideways' } })],
  'users.list.page-size-range': [
    demo('The pageSize is 201.', { values: { pageSize: 201 } }),
    hostile(createHostilePageSizes(200), 'pageSize'),
  ],
  'users.list.cursor-malformed': [demo('The cursor was not issued by the service.', { values: { cursor: 'abc' } })],
  'users.list.cursor-other-account': [
    demo('The cursor belongs to another account.', { ...FIRST_PAGE, values: { accountId: '{accounts/contoso}' } }),
  ],
  'users.list.cursor-other-sort-by': [
    demo("The sortBy differs from the first page's sortBy.", { ...FIRST_PAGE, values: { sortBy: 'lastName' } }),
  ],
  'users.list.cursor-other-sort-order': [
    demo("The sortOrder differs from the first page's sortOrder.", { ...FIRST_PAGE, values: { sortOrder: 'desc' } }),
  ],
  'users.list.scope': [both('The token lacks the scope users:manage.', { as: 'without-scope' })],
  'users.get.scope': [both('The token lacks the scope users:manage.', { as: 'without-scope' })],
  'users.get.not-found': [
    both('The user does not exist.', { id: UNKNOWN_UUID }),
    both("The principal has no access to the user's account.", { id: createPlaceholder('user.hidden') }),
    both('The native id has a style that is not supported.', { id: UNSUPPORTED_NATIVE_ID }),
    both('The principal has no access to any account.', { as: 'outsider' }),
    { each: [...UNKNOWN_NATIVE_IDS, ...HOSTILE_NATIVE_IDS.map(({ value }) => value)].map((id) => ({ id })) },
  ],
  'users.list.rate': [fail(RATE, 'users.list.rate')],
  'users.get.rate': [fail(RATE, 'users.get.rate')],
  'users.list.internal': [fail('A fault makes the service fail.', 'users.list.internal')],
  'users.get.internal': [fail('A fault makes the service fail.', 'users.get.internal')],
  'users.list.fail-closed': [loseAuthorizationService('getUsers')],
  'users.get.fail-closed': [loseAuthorizationService('getUser')],
} as const satisfies Partial<RefusalTable>;
