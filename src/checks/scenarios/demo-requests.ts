import { type OperationId, operations } from '../../contract/generated/operations.ts';
import { type CallChange, type Caller, isPlaceholder, type PlaceholderName, type Values } from '../../refusals/refusal.ts';
import type { ApiRequest } from '../../refusals/scenario.ts';

const FREE_NUMBER = '+12065550103';
const ASSIGNED_NUMBER = '+12065550100';

/** The demo world's values, as the caller with the token `full` sees them. */
const DEMO_VALUES: Readonly<Record<PlaceholderName, string>> = {
  account: '{accounts/northwind}',
  'account.any': '{accounts/northwind}',
  'account.hidden': '{accounts/tailspin}',
  experience: '{experiences/reception}',
  'experience.any': '{experiences/concierge}',
  'experience.hidden': '{experiences/switchboard}',
  'experience.read-only': '{experiences/directory}',
  'number.any': ASSIGNED_NUMBER,
  'number.second-account': '+12065550130',
  numbers: FREE_NUMBER,
  'user.any': '{users/ada}',
  'user.hidden': '{users/hidden}',
  users: '{users/grace}',
};

interface DemoCall {
  readonly path: string;
  readonly id?: string;
  readonly values?: Values;
}

export const ASSIGNMENTS_PATH = '/experience/assignments';
export const CONNECTIONS_PATH = '/experience-connections';
const ASSIGNMENT: DemoCall = { path: `${ASSIGNMENTS_PATH}/:id`, id: '{assignments/concierge-main-line}' };
const CONNECTION: DemoCall = { path: `${CONNECTIONS_PATH}/:id`, id: '{connections/northwind-concierge}' };
const OF_NORTHWIND = { accountId: '{accounts/northwind}' };

/** Maps an operation to a call with valid values. Not all of the calls succeed, because a scenario changes something. */
const DEMO_CALLS: Readonly<Record<OperationId, DemoCall>> = {
  getExperienceAssignability: {
    path: '/experiences/:id/assignability',
    id: '{experiences/concierge}',
    values: { targetType: 'PHONE_NUMBER', targetValue: FREE_NUMBER },
  },
  getExperienceAssignments: { path: ASSIGNMENTS_PATH, values: OF_NORTHWIND },
  createExperienceAssignment: {
    path: ASSIGNMENTS_PATH,
    values: { experienceId: '{experiences/reception}', targetType: 'PHONE_NUMBER', targetValue: FREE_NUMBER },
  },
  getExperienceAssignment: ASSIGNMENT,
  deleteExperienceAssignment: ASSIGNMENT,
  getExperienceConnections: { path: CONNECTIONS_PATH, values: OF_NORTHWIND },
  createExperienceConnection: {
    path: CONNECTIONS_PATH,
    values: { accountId: '{accounts/contoso}', experienceId: '{experiences/concierge}' },
  },
  getExperienceConnection: CONNECTION,
  updateExperienceConnection: { path: `${CONNECTIONS_PATH}/:id`, id: '{connections/contoso-scheduler}', values: { state: 'INACTIVE' } },
  deleteExperienceConnection: CONNECTION,
  getUsers: { path: '/users', values: OF_NORTHWIND },
  getUser: { path: '/users/:id', id: '{users/ada}' },
};

/** Builds a call of the demo world's user, with changes. Placeholders such as `{users/ada}` remain. */
export function buildDemoRequest(operation: OperationId, { valid, values, id, as, rawBody }: CallChange = {}): ApiRequest {
  const { method, hasBody } = operations[operation];
  const call = DEMO_CALLS[operation];
  const members = Object.entries({ ...(valid ?? call.values), ...values }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, resolve(value)] as const],
  );
  const path = call.path.replace(':id', String(resolve(id) ?? call.id));
  const query = members.map(([name, value]) => `${name}=${encodeValue(String(value))}`).join('&');
  return {
    ...(method !== 'get' && { method: method.toUpperCase() as 'POST' | 'PUT' | 'DELETE' }),
    path: hasBody || query === '' ? path : `${path}?${query}`,
    ...(as !== undefined && { token: selectToken(operation, as) }),
    ...(hasBody && { body: rawBody ?? Object.fromEntries(members) }),
  };
}

const resolve = (value: unknown): unknown => (isPlaceholder(value) ? DEMO_VALUES[value.capability] : value);

/** Encodes a query value, unless it is a placeholder such as `{clients/acme-web}`. */
export const encodeValue = (value: string): string => (/^\{.*\}$/.test(value) ? value : encodeURIComponent(value));

function selectToken(operation: OperationId, as: Caller): NonNullable<ApiRequest['token']> {
  if (as === 'without-scope') return `no-${/^(?:experience-)?(\w+):/.exec(operations[operation].scope)?.[1]}-scope`;
  return TOKENS[as];
}

const TOKENS: Readonly<Record<Exclude<Caller, 'without-scope'>, NonNullable<ApiRequest['token']>>> = {
  nobody: 'none',
  invalid: { kind: 'not-a-jwt' },
  reader: 'reader',
  outsider: 'outsider',
  'without-claim': 'no-principal',
  'without-claim-and-scope': 'no-principal-no-users-scope',
};
