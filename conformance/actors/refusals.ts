import { test } from '@playwright/test';
import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import { excuseUnknown, expectRefused, expectStatus, expectSuccess, requireSuccess } from '../expect/response.ts';
import type { Capability } from '../target/capabilities.ts';
import type { Answer } from '../target/exchange.ts';
import type { Need } from '../target/need.ts';
import { placeOf } from '../target/template.ts';
import type { Client } from './api-client.ts';
import { INVALID_TOKEN, type Sample, type SampleCalls, TEMPLATES } from './sample-calls.ts';

/** A placeholder for the value of a capability. If the capability gives several values, each use of the placeholder gets the next value. */
interface Given {
  readonly given: Capability;
}

/** Creates a placeholder, so that a table of checks can refer to a value of the target before the target is known. */
export const given = (capability: Capability): Given => ({ given: capability });

/** The query parameters of a call, or the members of its body. */
type Values = Readonly<Record<string, unknown>>;

/** A change to a valid call. */
export interface Change {
  /** The values of the valid call. Absent: the values from SampleCalls. */
  readonly valid?: Values;
  /** Values that replace those of the valid call. The value undefined removes a parameter or member. */
  readonly values?: Values;
  /** The id that replaces the id in the path. */
  readonly id?: string | Given;
  /** The caller instead of the default caller. `nobody` sends no token. `invalid` sends a token that cannot be verified. */
  readonly as?: 'nobody' | 'invalid' | 'reader' | 'outsider' | 'without-scope' | 'without-claim-and-scope';
  /** A text that replaces the body. */
  readonly rawBody?: string;
}

/** A change to a valid call that the target must refuse with one of `statuses`. Without `statuses`, any 4xx except 429 is allowed. */
export type Refusal = readonly [rule: RuleId, change: Change, ...statuses: readonly number[]];

interface Fixtures {
  readonly api: Client;
  readonly need: Need;
  readonly calls: SampleCalls;
}

/** Describes a change for the title of a check, such as "targetType DEVICE, with accountId" or "as reader". */
export function nameOf({ valid, values = {}, id, as, rawBody }: Change): string {
  const names = Object.entries(id === undefined ? values : { id, ...values }).map(([name, value]) => {
    if (value === undefined) return `no ${name}`;
    return `${name} ${isGiven(value) ? value.given : typeof value === 'string' ? value : JSON.stringify(value)}`;
  });
  if (as !== undefined) names.push(`as ${as}`);
  if (rawBody !== undefined) names.push(`the body ${rawBody}`);
  const others = Object.entries(valid ?? {}).map(([name, value]) => (isGiven(value) ? name : `${name} ${value}`));
  return [...names, ...(others.length > 0 ? [`with ${others.join(' and ')}`] : [])].join(', ');
}

/**
 * Creates a check which expects that the valid call succeeds and that the changed call is refused. A valid call that writes is sent after
 * the changed call.
 */
export function refused(operation: OperationId, change: Change, ...statuses: readonly number[]): (fixtures: Fixtures) => Promise<void> {
  return async ({ api, need, calls }) => {
    const sample = await sampleFor(operation, change, { need, calls });
    const isRead = operations[operation].method === 'get';
    if (isRead) await expectValid();
    await expectChangeRefused({ api, need, calls }, operation, sample, change, ...statuses);
    if (!isRead) await expectValid();

    async function expectValid(): Promise<void> {
      const call = { ...(await calls.call(operation, sample)), token: await need('token') };
      if (change.valid === undefined) await calls.expectSuccess(operation, call);
      else expectSuccess(operation, await excuseUnknown(need, await calls.send(operation, call), ...knownFor(change.valid)));
    }
  };
}

/**
 * Creates a check that only observes. The check sends each changed call for which the target has values. Then it sends the valid call,
 * which must succeed.
 * @param report called with the response to each changed call
 */
export function observed(operation: OperationId, changes: readonly Change[], report: (answer: Answer) => void) {
  return async ({
    need,
    has,
    calls,
  }: Pick<Fixtures, 'need' | 'calls'> & { readonly has: (capability: Capability) => boolean }): Promise<void> => {
    const sample = await sampleFor(operation, changes[0] ?? {}, { need, calls });
    const possible = changes.filter((change) => isPossible(change, has));
    const answers: Answer[] = [];
    for (const change of possible.length > 0 ? possible : changes) {
      await skipWithoutPlace(operation, change.values ?? {}, need);
      answers.push(await sendChanged({ need, calls }, operation, sample, change));
    }
    const valid = { ...(await calls.call(operation, sample)), token: await need('token') };
    requireSuccess('the call to succeed without the change', await calls.send(operation, valid));
    for (const answer of answers) report(answer);
  };
}

/** Sends the changed call. @throws RuleBroken unless the target refuses the call */
export async function expectChangeRefused(
  fixtures: Fixtures,
  operation: OperationId,
  sample: Sample,
  change: Change,
  ...statuses: readonly number[]
): Promise<void> {
  await skipWithoutPlace(operation, change.values ?? {}, fixtures.need);
  if (change.as === 'reader' && /^(update|delete)/.test(operation)) await expectReadable(fixtures, operation, sample);
  const answer = await sendChanged(fixtures, operation, sample, change);
  if (statuses.length === 0) expectRefused(answer);
  else expectStatus(answer, ...statuses);
}

/**
 * Expects that the caller may read the entity. A caller without read access would be refused for that reason, not for its missing write
 * access.
 */
async function expectReadable({ api, need, calls }: Fixtures, operation: OperationId, sample: Sample): Promise<void> {
  const read = operation.replace(/^(update|delete)/, 'get') as OperationId;
  const { path = {} } = await calls.call(operation, sample);
  expectSuccess(read, await api.call(read, { token: await need('token.reader'), path }), 200);
}

/** Sends the changed call. If the call creates an entity, the entity is removed after the check. */
export async function sendChanged(
  { need, calls }: Pick<Fixtures, 'need' | 'calls'>,
  operation: OperationId,
  sample: Sample,
  { as, id, values = {}, rawBody }: Change,
): Promise<Answer> {
  const call = await calls.call(operation, {
    ...sample,
    ...(id !== undefined && { id: String(await givenOr(id, need)) }),
    values: { ...sample.values, ...(await valuesOf(values, need)) },
  });
  const token = await tokenOf(operation, as, need);
  return calls.send(operation, { ...call, token, ...(rawBody !== undefined && { rawBody }) });
}

/** Whether the target has the capabilities that the change needs. */
export function isPossible({ values = {}, id, as }: Change, has: (capability: Capability) => boolean): boolean {
  const caller: readonly Capability[] = as === undefined || as === 'nobody' || as === 'invalid' ? [] : [`token.${as}`];
  return [...givenIn({ ...values, id }), ...caller].every(has);
}

async function sampleFor(operation: OperationId, { valid }: Change, { need, calls }: Pick<Fixtures, 'need' | 'calls'>): Promise<Sample> {
  if (valid === undefined) return calls.sample(operation);
  if (operations[operation].method !== 'get') await need('write', ...givenIn(valid));
  const { id } = operations[operation].pathParameters.length > 0 ? await calls.sample(operation) : {};
  return { ...(id !== undefined && { id }), values: await valuesOf(valid, need) };
}

/** Skips the check if the body template of the profile has no placeholder for a changed value, or does not require a removed value. */
async function skipWithoutPlace(operation: OperationId, values: Values, need: Need): Promise<void> {
  const template = TEMPLATES[operation];
  if (template === undefined) return;
  for (const [name, value] of Object.entries(values)) {
    const place = placeOf(await need(template), name);
    test.skip(place === undefined, `not-applicable: the body has no ${name}`);
    test.skip(value === undefined && place !== 'required', `not-applicable: the target does not require ${name}`);
  }
}

async function tokenOf(operation: OperationId, as: Change['as'], need: Need): Promise<string | undefined> {
  if (as === undefined) return need('token');
  if (as === 'nobody') return undefined;
  if (as === 'invalid') return INVALID_TOKEN;
  return as === 'without-scope' ? (await need('token.without-scope'))[operations[operation].scope] : need(`token.${as}`);
}

const isGiven = (value: unknown): value is Given => typeof value === 'object' && value !== null && 'given' in value;

function givenIn(values: Values): readonly Capability[] {
  return Object.values(values).flatMap((value) => (isGiven(value) ? value.given : []));
}

async function givenOr(value: unknown, need: Need): Promise<unknown> {
  if (!isGiven(value)) return value;
  const found: unknown = await need(value.given);
  return typeof found === 'function' ? found() : found;
}

async function valuesOf(values: Values, need: Need): Promise<Values> {
  return Object.fromEntries(
    await Promise.all(Object.entries(values).map(async ([name, value]) => [name, await givenOr(value, need)] as const)),
  );
}

/** For each capability that may give an invented value, the capabilities that give a real value. */
const KNOWN: Readonly<Partial<Record<Capability, readonly Capability[]>>> = {
  'account.any': ['account'],
  'experience.any': ['experience'],
  'number.any': ['numbers', 'account'],
  'user.any': ['users', 'account'],
};

function knownFor(values: Values): readonly Capability[] {
  return givenIn(values).flatMap((capability) => KNOWN[capability] ?? []);
}
