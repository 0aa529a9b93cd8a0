import { test } from '@playwright/test';
import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import { excuseUnknown, expectRefused, expectStatus, expectSuccess, requireSuccess } from '../expect/response.ts';
import type { Capability } from '../target/capabilities.ts';
import type { Answer } from '../target/exchange.ts';
import type { Need } from '../target/need.ts';
import { placeOf } from '../target/template.ts';
import type { Client } from './api-client.ts';
import { type Sample, type SampleCalls, TEMPLATES } from './sample-calls.ts';

/** A value that the target gives: the next one, if it gives several. */
interface Given {
  readonly given: Capability;
}

/** A value in a table: what the target gives as the capability. */
export const given = (capability: Capability): Given => ({ given: capability });

/** Query parameters, or members of the body. */
type Values = Readonly<Record<string, unknown>>;

/** A valid call, and one change to it. */
export interface Change {
  /** The values of the valid call; absent: those of SampleCalls. */
  readonly valid?: Values;
  /** Values that are replaced; undefined removes one. */
  readonly values?: Values;
  /** Another id in the path. */
  readonly id?: string | Given;
  /** Another caller. `nobody` sends no token. */
  readonly as?: 'nobody' | 'reader' | 'outsider' | 'without-scope' | 'without-claim-and-scope';
  /** A body that is sent unchanged. */
  readonly rawBody?: string;
}

/** A change that is refused. Without a status: with any 4xx except 429. */
export type Refusal = readonly [rule: RuleId, change: Change, ...statuses: readonly number[]];

interface Fixtures {
  readonly api: Client;
  readonly need: Need;
  readonly calls: SampleCalls;
}

/** The change in a title: "targetType DEVICE, with accountId", "as reader". */
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

/** The body of a check: the valid call succeeds, and the changed one is refused. A valid call that writes comes last, as it leaves another state. */
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
 * The body of a check that observes: sends the changes whose given values the target has, then the valid call, which must succeed.
 * @param report reports how a changed call was answered
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
    requireSuccess('the same without the change', await calls.send(operation, valid));
    for (const answer of answers) report(answer);
  };
}

/** Sends the call with the change. @throws RuleBroken unless it is refused */
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

/** A caller that may not even read the entity would be refused for that. */
async function expectReadable({ api, need, calls }: Fixtures, operation: OperationId, sample: Sample): Promise<void> {
  const read = operation.replace(/^(update|delete)/, 'get') as OperationId;
  const { path = {} } = await calls.call(operation, sample);
  expectSuccess(read, await api.call(read, { token: await need('token.reader'), path }), 200);
}

/** Sends the call with the change. What it creates is removed after the check. */
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

/** Whether the target has what the change needs. */
export function isPossible({ values = {}, id, as }: Change, has: (capability: Capability) => boolean): boolean {
  const caller: readonly Capability[] = as === undefined || as === 'nobody' ? [] : [`token.${as}`];
  return [...givenIn({ ...values, id }), ...caller].every(has);
}

async function sampleFor(operation: OperationId, { valid }: Change, { need, calls }: Pick<Fixtures, 'need' | 'calls'>): Promise<Sample> {
  if (valid === undefined) return calls.sample(operation);
  if (operations[operation].method !== 'get') await need('write', ...givenIn(valid));
  const { id } = operations[operation].pathParameters.length > 0 ? await calls.sample(operation) : {};
  return { ...(id !== undefined && { id }), values: await valuesOf(valid, need) };
}

/** A body from a template of the profile may have no place for a value, or may not require it: then the rule does not apply. */
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

/** The capabilities that give real ids for placeholders in the values. */
const KNOWN: Readonly<Partial<Record<Capability, Capability>>> = {
  'account.any': 'account',
  'experience.any': 'experience',
  'number.any': 'numbers',
  'user.any': 'users',
};

function knownFor(values: Values): readonly Capability[] {
  return givenIn(values).flatMap((capability) => KNOWN[capability] ?? []);
}
