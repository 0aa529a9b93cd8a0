import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import type { Answer } from '../../src/expect/answer.ts';
import { INVALID_TOKEN } from '../../src/refusals/opaque-values.ts';
import { type CallChange, isPlaceholder, type Values } from '../../src/refusals/refusal.ts';
import { ruleRefusals } from '../../src/refusals/table.ts';
import { expectRefused, expectStatus, expectSuccess, expectSuccessStatus, requireExistingIds, requireSuccess } from '../expect/response.ts';
import type { Capability, Need } from '../target/capabilities.ts';
import { endAsNotApplicable } from '../target/check-report.ts';
import { findPlaceholder } from '../target/template.ts';
import type { Client } from './api-client.ts';
import { sendForEach } from './in-parallel.ts';
import { BODY_TEMPLATES, type Sample, type SampleCalls } from './sample-calls.ts';

interface Source {
  readonly need: Need;
  readonly calls: SampleCalls;
}

interface Fixtures extends Source {
  readonly api: Client;
}

/** Describes a change for a check's title, such as "targetType FAX, with accountId". */
export function describeChange({ each = [], ...change }: CallChange): string {
  const { valid, values = {}, id, as, rawBody }: CallChange = { ...change, ...each[0] };
  const names = Object.entries(id === undefined ? values : { id, ...values }).map(([name, value]) => {
    if (value === undefined) return `no ${name}`;
    return `${name} ${isPlaceholder(value) ? value.capability : typeof value === 'string' ? value : JSON.stringify(value)}`;
  });
  if (each.length > 0) names.push('and similar values');
  if (as !== undefined) names.push(`as ${as}`);
  if (rawBody !== undefined) names.push(`the body ${rawBody}`);
  const others = Object.entries(valid ?? {}).map(([name, value]) => (isPlaceholder(value) ? name : `${name} ${value}`));
  return [...names, ...(others.length > 0 ? [`with ${others.join(' and ')}`] : [])].join(', ');
}

/** Creates a check that expects the valid call to succeed and the changed call to be refused. */
export function createRefusalCheck(
  operation: OperationId,
  change: CallChange,
  ...statuses: readonly number[]
): (fixtures: Fixtures) => Promise<void> {
  return async ({ api, need, calls }) => {
    const sample = await createSample(operation, change, { need, calls });
    const isRead = operations[operation].method === 'get';
    const valid = isRead ? await sendValidCall() : undefined;
    await expectChangeRefused({ api, need, calls }, operation, sample, change, ...statuses);
    // Validate the body last. Otherwise, an invalid body would hide that the changed call was not refused.
    expectSuccess(valid ?? (await sendValidCall()));

    async function sendValidCall(): Promise<Answer> {
      const call = await calls.toCall(operation, sample);
      if (change.valid === undefined) return calls.expectSuccessStatus(operation, call);
      const answer = await calls.send(operation, { ...call, token: await need('token') });
      const existing = listCapabilities(change.valid).flatMap((capability) => EXISTING_VALUE_CAPABILITIES[capability] ?? []);
      expectSuccessStatus(await requireExistingIds(need, answer, ...existing));
      return answer;
    }
  };
}

/** Lists the checks of refusals for the rules whose ids begin with `prefix`. */
export const listRefusalChecks = (prefix: 'assignability.' | 'assignments.' | 'connections.' | 'users.') =>
  ruleRefusals
    .filter(({ id }) => id.startsWith(prefix))
    .map(({ id, operation, refusal, statuses }) => ({
      ...{ id, operation, variant: describeChange(refusal) },
      check: createRefusalCheck(operation, refusal, ...statuses),
    }));

/** Creates a check that sends changed calls and reports the responses. The check also requires that the unchanged call succeeds. */
export function createObservation(operation: OperationId, changes: readonly CallChange[], report: (answer: Answer) => void) {
  return async ({ need, has, calls }: Source & { readonly has: (capability: Capability) => boolean }): Promise<void> => {
    const sample = await createSample(operation, changes[0] ?? {}, { need, calls });
    const possible = changes.filter((change) => isPossible(change, has));
    const answers: Answer[] = [];
    for (const change of possible.length > 0 ? possible : changes) {
      await skipIfNoPlaceholder(operation, change.values ?? {}, need);
      answers.push(await sendChangedCall({ need, calls }, operation, sample, change));
    }
    const valid = { ...(await calls.toCall(operation, sample)), token: await need('token') };
    requireSuccess('the call to succeed without the change', await calls.send(operation, valid));
    for (const answer of answers) report(answer);
  };
}

/** @throws RuleBroken unless the target refuses the call, or each call */
export async function expectChangeRefused(
  fixtures: Fixtures,
  operation: OperationId,
  sample: Sample,
  { each, ...change }: CallChange,
  ...statuses: readonly number[]
): Promise<void> {
  const expectPartRefused = (part: CallChange) => expectChangeRefused(fixtures, operation, sample, { ...change, ...part }, ...statuses);
  if (each) return sendForEach(fixtures.api, operation, each, expectPartRefused);
  await skipIfNoPlaceholder(operation, change.values ?? {}, fixtures.need);
  if (change.as === 'reader' && /^(update|delete)/.test(operation)) await expectReadable(fixtures, operation, sample);
  const answer = await sendChangedCall(fixtures, operation, sample, change);
  if (statuses.length === 0) expectRefused(answer);
  else expectStatus(answer, ...statuses);
}

/** Expects the caller to be able to read the entity. Otherwise, a refused write would not test write access. */
async function expectReadable({ api, need, calls }: Fixtures, operation: OperationId, sample: Sample): Promise<void> {
  const read = operation.replace(/^(update|delete)/, 'get') as OperationId;
  const { path = {} } = await calls.toCall(operation, sample);
  expectStatus(await api.call(read, { token: await need('token.reader'), path }), 200);
}

/** An entity that the call creates is removed after the check. */
export async function sendChangedCall(
  { need, calls }: Source,
  operation: OperationId,
  sample: Sample,
  { as, id, values = {}, rawBody }: CallChange,
): Promise<Answer> {
  const call = await calls.toCall(operation, {
    ...sample,
    ...(id !== undefined && { id: String(await resolveValue(id, need)) }),
    values: { ...sample.values, ...(await resolveValues(values, need)) },
  });
  const token = await selectToken(operation, as, need);
  return calls.send(operation, { ...call, token, ...(rawBody !== undefined && { rawBody }) });
}

export function isPossible({ values = {}, id, as }: CallChange, has: (capability: Capability) => boolean): boolean {
  const caller: readonly Capability[] = as === undefined || as === 'nobody' || as === 'invalid' ? [] : [`token.${as}`];
  return [...listCapabilities({ ...values, id }), ...caller].every(has);
}

async function createSample(operation: OperationId, { valid }: CallChange, { need, calls }: Source): Promise<Sample> {
  if (valid === undefined) return calls.createSample(operation);
  if (operations[operation].method !== 'get') await need('write', ...listCapabilities(valid));
  const { id } = operations[operation].pathParameters.length > 0 ? await calls.createSample(operation) : {};
  return { ...(id !== undefined && { id }), values: await resolveValues(valid, need) };
}

async function skipIfNoPlaceholder(operation: OperationId, values: Values, need: Need): Promise<void> {
  const template = BODY_TEMPLATES[operation];
  if (template === undefined) return;
  for (const [name, value] of Object.entries(values)) {
    const place = findPlaceholder(await need(template), name);
    if (place === undefined) endAsNotApplicable(`the body has no ${name}`);
    if (value === undefined && place !== 'required') endAsNotApplicable(`the target does not require ${name}`);
  }
}

async function selectToken(operation: OperationId, as: CallChange['as'], need: Need): Promise<string | undefined> {
  if (as === undefined) return need('token');
  if (as === 'nobody') return undefined;
  if (as === 'invalid') return INVALID_TOKEN;
  return as === 'without-scope' ? (await need('token.without-scope'))[operations[operation].scope] : need(`token.${as}`);
}

function listCapabilities(values: Values): readonly Capability[] {
  return Object.values(values).flatMap((value) => (isPlaceholder(value) ? value.capability : []));
}

async function resolveValue(value: unknown, need: Need): Promise<unknown> {
  if (!isPlaceholder(value)) return value;
  const found: unknown = await need(value.capability);
  return typeof found === 'function' ? found() : found;
}

async function resolveValues(values: Values, need: Need): Promise<Values> {
  return Object.fromEntries(
    await Promise.all(Object.entries(values).map(async ([name, value]) => [name, await resolveValue(value, need)] as const)),
  );
}

/** For each capability whose values may be invented, the capabilities that provide existing values instead. */
const EXISTING_VALUE_CAPABILITIES: Readonly<Partial<Record<Capability, readonly Capability[]>>> = {
  'account.any': ['account'],
  'experience.any': ['experience'],
  'number.any': ['numbers', 'account'],
  'user.any': ['users', 'account'],
};
