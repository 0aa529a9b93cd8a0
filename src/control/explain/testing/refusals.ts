import type { DecisionId } from '../../../contract/generated/decisions.ts';
import type { GateId } from '../../../contract/generated/gates.ts';
import type { RuleId } from '../../../contract/generated/rules.ts';
import type { Ask, ExplainingKit } from './kit.ts';
import { idOf, NOBODY } from './world.ts';

export type ProblemId = RuleId | DecisionId | GateId;
/** One way or several to be refused for a reason. */
export type Refusal = Ask | readonly Ask[] | ((kit: ExplainingKit) => Promise<Ask>);

export const A = '/experience/assignments';
export const C = '/experience-connections';
export const experience = (alias: string) => idOf('experiences', alias);
export const account = (alias: string) => idOf('accounts', alias);
const connection = (alias: string) => `${C}/${idOf('connections', alias)}`;
const assignment = (alias: string) => `${A}/${idOf('assignments', alias)}`;
export const STAGE = `accountId=${account('stage')}`;
export const USERS = `/users?${STAGE}`;
export const ADA = `/users/${idOf('users', 'ada')}`;
const check = (alias: string, search = 'targetType=PHONE_NUMBER&targetValue=%2B12065550101') => ({
  path: `/experiences/${experience(alias)}/assignability?${search}`,
});
export const assign = (body: unknown, rest: Partial<Ask> = {}): Ask => ({ method: 'POST', path: A, body, ...rest });
const connect = (body: unknown, rest: Partial<Ask> = {}): Ask => ({ method: 'POST', path: C, body, ...rest });
const put = (alias: string, body: unknown, rest: Partial<Ask> = {}): Ask => ({ method: 'PUT', path: connection(alias), body, ...rest });
export const number = (targetValue: string, alias = 'general') => ({
  experienceId: experience(alias),
  targetType: 'PHONE_NUMBER',
  targetValue,
});

/** Fails once on purpose, then asks. */
const failing =
  (fault: object, ask: Ask) =>
  async ({ control }: ExplainingKit): Promise<Ask> => {
    await control('POST', '/faults', { times: 1, ...fault });
    return ask;
  };

/** How each reason of a refusal is met, with the decisions as they are by default. */
export const refusals: { readonly [Id in ProblemId]?: Refusal } = {
  'assignability.target-missing': [check('agent', ''), check('agent', 'targetType=USER'), check('agent', `targetValue=${NOBODY}`)],
  'assignability.target-type-not-allowed': check('agent', `targetType=FAX&targetValue=${NOBODY}`),
  'assignability.target-value-format': [
    check('agent', 'targetType=USER&targetValue=ada'),
    check('agent', 'targetType=PHONE_NUMBER&targetValue=+12065550101'),
  ],
  'assignability.read-only': check('readable'),
  'assignability.not-found': [check('hidden'), { path: `/experiences/${NOBODY}/assignability?targetType=USER&targetValue=${NOBODY}` }],
  'limits.assignability.rate': async ({ ask }) => {
    for (let sent = 0; sent < 100; sent += 20) await Promise.all(Array.from({ length: 20 }, () => ask(check('agent'))));
    return check('agent');
  },
  'assignments.list.filter-required': { path: A },
  'assignments.list.value-needs-type': [{ path: `${A}?targetValue=%2B12065550100` }, { path: `${A}?targetValue=${account('stage')}` }],
  'assignments.list.account-id-uuid': [{ path: `${A}?accountId=stage` }, { path: `${A}?accountId=urn:uuid:${account('stage')}` }],
  'assignments.list.experience-needs-account': { path: `${A}?experienceId=${experience('agent')}` },
  'assignments.list.experience-id-uuid': { path: `${A}?${STAGE}&experienceId=agent` },
  'assignments.list.target-value-format': { path: `${A}?targetType=PHONE_NUMBER&targetValue=12065550100` },
  'assignments.list.target-type-not-allowed': { path: `${A}?${STAGE}&targetType=account` },
  'assignments.list.type-alone': { path: `${A}?targetType=USER` },
  'assignments.list.page-size-integer': { path: `${A}?${STAGE}&pageSize=many` },
  'assignments.list.page-size-out-of-range': { path: `${A}?${STAGE}&pageSize=101` },
  'lists.cursor.invalid': [{ path: `${A}?${STAGE}&cursor=abc` }, { path: `${C}?${STAGE}&cursor=` }],
  'assignments.create.required-field': [assign({}), assign({ ...number('+12065550101'), targetType: undefined })],
  'assignments.create.invalid-value': [
    assign({ ...number('+12065550101'), targetType: 'FAX' }),
    assign({ ...number('+12065550101'), experienceId: 7 }),
  ],
  'assignments.create.target-value-format': [assign(number('12065550101')), assign({ ...number('ada'), targetType: 'USER' })],
  'assignments.create.malformed-body': [
    assign('{"a": 1,}'),
    assign('targetType=USER'),
    assign(number('+12065550101'), { headers: { 'content-type': 'text/plain' } }),
    assign([]),
  ],
  'assignments.create.unknown-user': [
    assign({ ...number(NOBODY), targetType: 'USER' }),
    assign({ ...number(idOf('users', 'hidden')), targetType: 'USER' }),
  ],
  'assignments.create.agent-number-taken': assign(number('+12065550100', 'other-agent')),
  'assignments.create.duplicate': assign(number('+12065550100', 'agent')),
  'assignments.create.unknown-experience': [
    assign(number('+12065550101', 'hidden')),
    assign({ ...number('+12065550101'), experienceId: NOBODY }),
  ],
  'assignments.create.read-only-experience': assign(number('+12065550101', 'readable')),
  'assignments.create.unknown-target': [assign(number('+12065559999')), assign(number('+12065550103', 'agent'))],
  'assignments.create.read-only-target': assign(number('+12065550104')),
  'assignments.get.not-found': [{ path: `${A}/${NOBODY}` }, { path: assignment('hidden') }],
  'assignments.delete.not-found': [
    { method: 'DELETE', path: `${A}/${NOBODY}` },
    { method: 'DELETE', path: assignment('hidden') },
  ],
  'assignments.delete.read-only': { method: 'DELETE', path: assignment('read-only') },
  'connections.list.selector-required': { path: C },
  'connections.list.account-id-uuid': { path: `${C}?accountId=stage` },
  'connections.list.experience-id-uuid': { path: `${C}?${STAGE}&experienceId=agent` },
  'connections.list.telephone-number-format': { path: `${C}?telephoneNumber=12065550100` },
  'connections.list.tn-format': { path: `${C}?tn=+12065550100` },
  'connections.list.page-size-range': { path: `${C}?${STAGE}&pageSize=0` },
  'connections.create.malformed': [connect('{'), connect('a=b', { headers: { 'content-type': 'application/x-www-form-urlencoded' } })],
  'connections.malformed-body': [connect([]), put('free', 'null')],
  'connections.create.read-only': [
    connect({ accountId: account('readable'), experienceId: experience('general') }),
    connect({ accountId: account('spare'), experienceId: experience('readable') }),
    // Two levels are too low, and then it is there already.
    connect({ accountId: account('readable'), experienceId: experience('agent') }),
  ],
  'connections.create.exists': [
    connect({ accountId: account('stage'), experienceId: experience('other-agent') }),
    connect({ accountId: account('stage'), experienceId: experience('agent') }),
  ],
  'connections.create.required-field': connect({ accountId: account('spare') }),
  'connections.create.invalid-value': connect({ accountId: account('spare'), experienceId: 'agent', state: 'active' }),
  'connections.create.unknown-account-or-experience': [
    connect({ accountId: NOBODY, experienceId: experience('agent') }),
    connect({ accountId: account('hidden'), experienceId: experience('agent') }),
    connect({ accountId: account('spare'), experienceId: NOBODY }),
    connect({ accountId: account('spare'), experienceId: experience('hidden') }),
  ],
  'connections.get.not-found': [{ path: `${C}/${NOBODY}` }, { path: connection('hidden') }],
  'connections.update.malformed': put('free', '{"state":"ACTIVE",}'),
  'connections.update.missing-field': put('free', {}),
  'connections.update.invalid-value': put('free', { state: 'active' }),
  'connections.update.read-only': put('read-only', { state: 'INACTIVE' }),
  'connections.update.not-found': [
    put('hidden', { state: 'INACTIVE' }),
    { method: 'PUT', path: `${C}/${NOBODY}`, body: { state: 'ACTIVE' } },
  ],
  'connections.update.same-state': put('free', { state: 'INACTIVE' }),
  'connections.delete.read-only': { method: 'DELETE', path: connection('read-only') },
  'connections.delete.not-found': [
    { method: 'DELETE', path: connection('hidden') },
    { method: 'DELETE', path: `${C}/${NOBODY}` },
  ],
  'connections.delete.numbers-assigned': { method: 'DELETE', path: connection('with-number') },
  'users.list.account-id-required': { path: '/users' },
  'users.list.account-id-uuid': { path: '/users?accountId=stage' },
  'users.list.sort-by-allowed': { path: `${USERS}&sortBy=CreatedAt` },
  'users.list.sort-order-allowed': { path: `${USERS}&sortOrder=sideways` },
  'users.list.page-size-range': [{ path: `${USERS}&pageSize=201` }, { path: `${USERS}&pageSize=0x10` }],
  'users.list.cursor-malformed': { path: `${USERS}&cursor=abc` },
  'users.list.cursor-other-account': async (kit) => ({ path: `/users?accountId=${account('spare')}&cursor=${await usersCursor(kit)}` }),
  'users.list.cursor-other-sort-by': async (kit) => ({ path: `${USERS}&sortBy=lastName&cursor=${await usersCursor(kit)}` }),
  'users.list.cursor-other-sort-order': async (kit) => ({ path: `${USERS}&sortOrder=desc&cursor=${await usersCursor(kit)}` }),
  'users.list.scope': { path: USERS, token: 'scopeless' },
  'users.get.scope': { path: ADA, token: 'scopeless' },
  'users.get.not-found': [
    { path: `/users/${NOBODY}` },
    { path: `/users/${idOf('users', 'hidden')}` },
    { path: '/users/ext:0042@pbx.example' },
    { path: ADA, token: 'outsider' },
  ],
  'users.list.fail-closed': failing({ fault: 'authorization-service-down', operation: 'getUsers' }, { path: USERS }),
  'users.get.fail-closed': failing({ fault: 'authorization-service-down', operation: 'getUser' }, { path: ADA }),
  'auth.token.missing': [{ path: ADA, token: 'none' }, assign(number('+12065550101'), { token: 'none' })],
  'auth.token.invalid': async ({ control }) => ({ path: ADA, token: await minted(control, { kind: 'wrong-signature' }) }),
  'auth.token.expired': async ({ control }) => ({ path: ADA, token: await minted(control, { kind: 'expired' }) }),
  'auth.claim.principal': { path: USERS, token: 'claimless' },
  'auth.missing-scope': [
    { path: connection('free'), token: 'scopeless' },
    { ...check('agent'), token: 'scopeless' },
  ],
  'users.token-without-claim-and-scope': { path: ADA, token: 'nothing' },
  'http.duplicate-parameter': { path: `${USERS}&pageSize=5&pageSize=6` },
  'http.unknown-route': [{ path: `/experience/users?${STAGE}` }, { path: `/experience/conections?${STAGE}` }],
  'http.method-not-allowed': { method: 'PATCH', path: USERS },
  'http.malformed-path': { path: '/users/%FF' },
  'http.body-too-large': connect({ padding: 'x'.repeat(1_100_000) }),
  'http.unsupported-media-type': connect(
    { accountId: account('spare'), experienceId: experience('agent') },
    { headers: { 'content-type': 'application/json; charset=latin1' } },
  ),
  'http.injected-fault': failing({ fault: 'problem', status: 429, operation: 'getUser' }, { path: ADA }),
};

/** Refused, and nothing that was tried lets it succeed: why. */
export const NO_CHANGE: { readonly [Id in ProblemId]?: string } = {
  'http.body-too-large': 'of a body this long only the beginning is kept',
  'http.malformed-path': 'what was meant by bytes that are no UTF-8 cannot be told',
};

/** Rules at a refusal that no problem names, and why not. */
export const NAMED_BY_NONE: { readonly [Id in RuleId]?: string } = {
  'limits.assignability.per-credential': 'says whose requests limits.assignability.rate counts',
  'limits.assignability.forms-share': 'says which requests limits.assignability.rate counts',
  'connections.update.same-state-unchanged': 'says what connections.update.same-state leaves as it is',
  'connections.delete.refused-changes-nothing': 'says what connections.delete.numbers-assigned leaves as it is',
  'users.list.internal': 'a 500 is an unexpected error of the kit or an injected fault, and says so',
  'users.get.internal': 'a 500 is an unexpected error of the kit or an injected fault, and says so',
  'auth.challenge': 'says which header goes with each 401',
};

async function usersCursor({ ask }: ExplainingKit): Promise<string> {
  const { text } = await ask({ path: `${USERS}&pageSize=1` });
  return (JSON.parse(text) as { cursor: string }).cursor;
}

async function minted(control: ExplainingKit['control'], rest: object): Promise<{ readonly text: string }> {
  const { body } = await control<{ accessToken: string }>('POST', '/tokens', { client: 'acme-web', principal: 'manager', ...rest });
  return { text: body.accessToken };
}
