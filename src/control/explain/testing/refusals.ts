import type { DecisionId } from '../../../contract/generated/decisions.ts';
import type { GateId } from '../../../contract/generated/gates.ts';
import type { RuleId } from '../../../contract/generated/rules.ts';
import { type explainedWorld, idOf, UNKNOWN_ID } from './world.ts';

/** A request to a kit with `explainedWorld`. */
export interface TestRequest {
  readonly method?: string;
  readonly path: string;
  /** The name of a ready token, or the kind of a token to create. The default is `full`. */
  readonly token?: keyof typeof explainedWorld.tokens | 'none' | { readonly kind: string };
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent unchanged. Any other value is sent as JSON. */
  readonly body?: unknown;
  /** How often the request is sent before the request that must be refused. */
  readonly repeats?: number;
  /** A fault that is added with POST /_control/faults before the request. */
  readonly fault?: object;
  /** The path of a list to request first. The cursor of that list is added to `path`. */
  readonly cursorOf?: string;
}

export const A = '/experience/assignments';
export const C = '/experience-connections';
export const experience = (alias: string) => idOf('experiences', alias);
export const account = (alias: string) => idOf('accounts', alias);
const connection = (alias: string) => `${C}/${idOf('connections', alias)}`;
const assignment = (alias: string) => `${A}/${idOf('assignments', alias)}`;
export const STAGE = `accountId=${account('stage')}`;
export const USERS = `/users?${STAGE}`;
export const ADA = `/users/${idOf('users', 'ada')}`;
const NUMBER = 'targetType=PHONE_NUMBER&targetValue=%2B12065550101';
export const check = (alias: string, search = NUMBER): TestRequest => ({
  path: `/experiences/${experience(alias)}/assignability?${search}`,
});
export const assign = (body: unknown, rest: object = {}): TestRequest => ({ method: 'POST', path: A, body, ...rest });
const connect = (body: unknown, rest: object = {}): TestRequest => ({ method: 'POST', path: C, body, ...rest });
const put = (alias: string, body: unknown): TestRequest => ({ method: 'PUT', path: connection(alias), body });
const remove = (path: string): TestRequest => ({ method: 'DELETE', path });
export const number = (targetValue: string, alias = 'general') => ({
  experienceId: experience(alias),
  targetType: 'PHONE_NUMBER',
  targetValue,
});
const pair = (accountAlias: string, experienceAlias: string) => ({
  accountId: account(accountAlias),
  experienceId: experience(experienceAlias),
});

type Refusals = { readonly [Id in RuleId | DecisionId | GateId]?: readonly TestRequest[] };

/** Requests that the kit refuses with the default decisions, grouped by the reason of the refusal. */
export const refusals: Refusals = {
  'assignability.target-missing': [check('agent', ''), check('agent', 'targetType=USER'), check('agent', `targetValue=${UNKNOWN_ID}`)],
  'assignability.target-type-not-allowed': [check('agent', `targetType=FAX&targetValue=${UNKNOWN_ID}`)],
  'assignability.target-value-format': [check('agent', 'targetType=USER&targetValue=ada')],
  'assignability.read-only': [check('readable')],
  'assignability.not-found': [check('hidden'), { path: `/experiences/${UNKNOWN_ID}/assignability?${NUMBER}` }],
  'limits.assignability.rate': [{ ...check('agent'), repeats: 100 }],
  'assignments.list.filter-required': [{ path: A }],
  'assignments.list.value-needs-type': [{ path: `${A}?targetValue=%2B12065550100` }, { path: `${A}?targetValue=${account('stage')}` }],
  'assignments.list.account-id-uuid': [{ path: `${A}?accountId=stage` }],
  'assignments.list.experience-needs-account': [{ path: `${A}?experienceId=${experience('agent')}` }],
  'assignments.list.experience-id-uuid': [{ path: `${A}?${STAGE}&experienceId=x` }],
  'assignments.list.target-value-format': [{ path: `${A}?targetType=PHONE_NUMBER&targetValue=12065550100` }],
  'assignments.list.target-type-not-allowed': [{ path: `${A}?${STAGE}&targetType=account` }],
  'assignments.list.type-alone': [{ path: `${A}?targetType=USER` }],
  'assignments.list.page-size-integer': [{ path: `${A}?${STAGE}&pageSize=many` }],
  'assignments.list.page-size-out-of-range': [{ path: `${A}?${STAGE}&pageSize=101` }],
  'lists.cursor.invalid': [{ path: `${A}?${STAGE}&cursor=abc` }, { path: `${C}?${STAGE}&cursor=` }],
  'assignments.create.required-field': [assign({}), assign({ ...number('+12065550101'), targetType: undefined })],
  'assignments.create.invalid-value': [
    assign({ ...number('+12065550101'), targetType: 'FAX' }),
    assign({ ...number('+12065550101'), experienceId: 7 }),
  ],
  'assignments.create.target-value-format': [assign(number('12065550101')), assign({ ...number('x'), targetType: 'USER' })],
  'assignments.create.malformed-body': [
    assign('{"a": 1,}'),
    assign(number('+12065550101'), { headers: { 'content-type': 'text/plain' } }),
    assign([]),
  ],
  'assignments.create.unknown-user': [assign({ ...number(UNKNOWN_ID), targetType: 'USER' })],
  'assignments.create.agent-number-taken': [assign(number('+12065550100', 'other-agent'))],
  'assignments.create.duplicate': [assign(number('+12065550100', 'agent'))],
  'assignments.create.unknown-experience': [
    assign(number('+12065550101', 'hidden')),
    assign({ ...number('+12065550101'), experienceId: UNKNOWN_ID }),
  ],
  'assignments.create.read-only-experience': [assign(number('+12065550101', 'readable'))],
  'assignments.create.unknown-target': [assign(number('+12065559999')), assign(number('+12065550103', 'agent'))],
  'assignments.create.read-only-target': [assign(number('+12065550104'))],
  'assignments.get.not-found': [{ path: `${A}/${UNKNOWN_ID}` }, { path: assignment('hidden') }],
  'assignments.delete.not-found': [remove(`${A}/${UNKNOWN_ID}`), remove(assignment('hidden'))],
  'assignments.delete.read-only': [remove(assignment('read-only'))],
  'connections.list.selector-required': [{ path: C }],
  'connections.list.account-id-uuid': [{ path: `${C}?accountId=x` }],
  'connections.list.experience-id-uuid': [{ path: `${C}?${STAGE}&experienceId=agent` }],
  'connections.list.telephone-number-format': [{ path: `${C}?telephoneNumber=12065550100` }, { path: `${C}?telephoneNumber=x` }],
  'connections.list.tn-format': [{ path: `${C}?tn=+12065550100` }],
  'connections.list.page-size-range': [{ path: `${C}?${STAGE}&pageSize=0` }],
  'connections.create.malformed': [connect('{'), connect('a=b', { headers: { 'content-type': 'application/x-www-form-urlencoded' } })],
  'connections.malformed-body': [connect([]), put('free', 'null')],
  'connections.create.read-only': [connect(pair('readable', 'general')), connect(pair('spare', 'readable'))],
  'connections.create.exists': [connect(pair('stage', 'other-agent')), connect(pair('stage', 'agent'))],
  'connections.create.required-field': [connect({ accountId: account('spare') })],
  'connections.create.invalid-value': [connect({ accountId: account('spare'), experienceId: 'agent', state: 'active' })],
  'connections.create.unknown-account-or-experience': [
    connect({ ...pair('spare', 'agent'), accountId: UNKNOWN_ID }),
    connect({ ...pair('spare', 'agent'), experienceId: UNKNOWN_ID }),
    connect(pair('spare', 'hidden')),
    connect(pair('hidden', 'general')),
  ],
  'connections.get.not-found': [{ path: `${C}/${UNKNOWN_ID}` }, { path: connection('hidden') }],
  'connections.update.malformed': [put('free', '{"state":"ACTIVE",}')],
  'connections.update.missing-field': [put('free', {})],
  'connections.update.invalid-value': [put('free', { state: 'active' })],
  'connections.update.read-only': [put('read-only', { state: 'INACTIVE' })],
  'connections.update.not-found': [
    put('hidden', { state: 'INACTIVE' }),
    { method: 'PUT', path: `${C}/${UNKNOWN_ID}`, body: { state: 'ACTIVE' } },
  ],
  'connections.update.same-state': [put('free', { state: 'INACTIVE' })],
  'connections.delete.read-only': [remove(connection('read-only'))],
  'connections.delete.not-found': [remove(connection('hidden')), remove(`${C}/${UNKNOWN_ID}`)],
  'connections.delete.numbers-assigned': [remove(connection('with-number'))],
  'users.list.account-id-required': [{ path: '/users' }],
  'users.list.account-id-uuid': [{ path: '/users?accountId=stage' }],
  'users.list.sort-by-allowed': [{ path: `${USERS}&sortBy=CreatedAt` }],
  'users.list.sort-order-allowed': [{ path: `${USERS}&sortOrder=sideways` }],
  'users.list.page-size-range': [{ path: `${USERS}&pageSize=201` }],
  'users.list.cursor-malformed': [{ path: `${USERS}&cursor=abc` }],
  'users.list.cursor-other-account': [{ path: `/users?accountId=${account('spare')}`, cursorOf: `${USERS}&pageSize=1` }],
  'users.list.cursor-other-sort-by': [{ path: `${USERS}&sortBy=lastName`, cursorOf: `${USERS}&pageSize=1` }],
  'users.list.cursor-other-sort-order': [{ path: `${USERS}&sortOrder=desc`, cursorOf: `${USERS}&pageSize=1` }],
  'users.list.scope': [{ path: USERS, token: 'scopeless' }],
  'users.get.scope': [{ path: ADA, token: 'scopeless' }],
  'users.get.not-found': [
    { path: `/users/${UNKNOWN_ID}` },
    { path: `/users/${idOf('users', 'hidden')}` },
    { path: '/users/ext:0042@pbx.example' },
    { path: ADA, token: 'outsider' },
  ],
  'users.list.fail-closed': [{ path: USERS, fault: { fault: 'authorization-service-down', operation: 'getUsers' } }],
  'users.get.fail-closed': [{ path: ADA, fault: { fault: 'authorization-service-down', operation: 'getUser', times: 1 } }],
  'auth.token.missing': [
    { path: ADA, token: 'none' },
    { path: ADA, token: 'none', headers: { authorization: 'Basic Zm9vOmJhcg==' } },
    assign(number('+12065550101'), { token: 'none' }),
  ],
  'auth.token.invalid': [{ path: ADA, token: { kind: 'wrong-signature' } }],
  'auth.token.expired': [{ path: ADA, token: { kind: 'expired' } }],
  'auth.claim.principal': [{ path: USERS, token: 'claimless' }],
  'auth.missing-scope': [{ path: connection('free'), token: 'scopeless' }],
  'users.token-without-claim-and-scope': [{ path: ADA, token: 'nothing' }],
  'http.duplicate-parameter': [{ path: `${USERS}&pageSize=5&pageSize=6` }],
  'http.unknown-route': [{ path: `/experience/users?${STAGE}` }, { path: `/experience/conections/${idOf('connections', 'free')}` }],
  'http.method-not-allowed': [{ method: 'PATCH', path: USERS }],
  'http.unsupported-media-type': [connect(pair('spare', 'agent'), { headers: { 'content-type': 'application/json; charset=latin1' } })],
  'http.injected-fault': [{ path: ADA, fault: { fault: 'problem', status: 429, operation: 'getUser' } }],
};

export const OTHER_DECISIONS = {
  'http.body.content-type': 415,
  'http.query.unknown-parameter': 400,
  'http.path-id': 400,
  'lists.hidden-account': 404,
  'assignments.list.account-with-target': 400,
  'assignments.create.needs-connection': 409,
  'connections.list.unknown-number': 404,
  'connections.list.malformed-tn-beside-number': 400,
  'users.rate-limit': 3,
} as const;

/** Requests that the kit refuses with OTHER_DECISIONS, grouped by the reason of the refusal. */
export const otherRefusals: Refusals = {
  'http.unsupported-media-type': [assign(number('+12065550101', 'agent'), { headers: { 'content-type': 'text/plain' } })],
  'http.unknown-parameter': [{ path: `${USERS}&limit=5` }],
  'http.path-id': [{ path: `${A}/x` }, remove(`${C}/x`)],
  'lists.hidden-account': [{ path: `${A}?accountId=${account('hidden')}` }, { path: `${C}?accountId=${UNKNOWN_ID}` }],
  'assignments.list.account-with-target': [{ path: `${A}?${STAGE}&targetType=PHONE_NUMBER&targetValue=%2B12065550100` }],
  'assignments.create.needs-connection': [assign(number('+12065550101'))],
  'connections.list.unknown-number': [{ path: `${C}?telephoneNumber=%2B12065559999` }],
  'connections.list.malformed-tn-beside-number': [{ path: `${C}?telephoneNumber=%2B12065550100&tn=1` }],
  'users.list.rate': [{ path: USERS, repeats: 3 }],
  'users.get.rate': [{ path: ADA, repeats: 3 }],
};
