import { nearestOf } from '../../contract/did-you-mean.ts';
import type { components } from '../../contract/generated/control.ts';
import { type OperationId, operations } from '../../contract/generated/operations.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { Executor } from '../../store/engine.ts';
import { exampleFor } from './examples.ts';
import { decode, type SentRequest, type Values, valuesOf } from './sent-request.ts';

export type Suggestion = components['schemas']['ExplainedChange'];
/** The value that is sent instead; null leaves the parameter or member out. */
type Edits = Readonly<Record<string, string | null>>;

/** The request with other values in its path, its query or its body. */
export function withValues({ entry, pathValues, query, members = {}, isJson }: SentRequest, edits: Edits): Suggestion | undefined {
  const isRead = entry.method === 'GET' || entry.method === 'HEAD';
  const before = { ...Object.fromEntries(query), ...members, ...pathValues };
  const text = Object.entries(edits)
    .map(([name, value]) => sentence(name, before[name], value))
    .join(' ');
  if (text === '') return undefined;
  const after = new URLSearchParams(query);
  const body: Record<string, unknown> = { ...members };
  let [path = ''] = entry.path.split('?', 1);
  for (const [name, value] of Object.entries(edits)) {
    if (name in pathValues)
      path = path
        .split('/')
        .map((one) => (decode(one) === before[name] ? encodeURIComponent(value ?? '') : one))
        .join('/');
    else if (isRead && value !== null) after.set(name, value);
    else if (isRead) after.delete(name);
    else body[name] = value ?? undefined;
  }
  const isBodyEdited = !isRead && Object.keys(edits).some((name) => !(name in pathValues));
  if (!isBodyEdited) return { text, request: { path: after.size === 0 ? path : `${path}?${after}` } };
  return { text, request: { body, ...(!isJson && { headers: JSON_HEADER }) } };
}

const JSON_HEADER = { 'content-type': 'application/json' };
const MAX_QUOTED = 80;

function sentence(name: string, before: unknown, value: string | null): string {
  if (value === null) return `Leave ${name} out.`;
  const quoted = JSON.stringify(before) as string | undefined;
  return `Send ${name} ${value}${quoted === undefined || quoted.length > MAX_QUOTED ? '' : ` instead of ${quoted}`}.`;
}

/** The parameters to add where a problem lies in no single one. */
const MISSING: Readonly<Record<string, string>> = {
  'assignments.list.filter-required': 'accountId',
  'assignments.list.value-needs-type': 'targetType',
  'assignments.list.experience-needs-account': 'accountId',
  'assignments.list.type-alone': 'accountId',
  'connections.list.selector-required': 'accountId',
};
const BODIES: { readonly [Op in OperationId]?: readonly string[] } = {
  createExperienceAssignment: ['experienceId', 'targetType', 'targetValue'],
  createExperienceConnection: ['accountId', 'experienceId'],
  updateExperienceConnection: ['state'],
};

/** Correct values for the fields that a problem names, and a whole body for one that cannot be read. */
export async function withCorrectFields(db: Executor, sent: SentRequest): Promise<Suggestion | undefined> {
  const { operationId, errors, problemId = '', members, entry } = sent;
  if (operationId === undefined) return undefined;
  const missing = MISSING[problemId];
  const named = errors.filter(({ pointer }) => pointer.length > 1).map(({ pointer }) => pointer.slice(1));
  const isUnreadable = entry.step === 'body' && named.length === 0;
  if (isUnreadable && members) return { text: 'Send the header Content-Type: application/json.', request: { headers: JSON_HEADER } };
  const names = new Set(isUnreadable ? BODIES[operationId] : [...(missing === undefined ? [] : [missing]), ...named]);
  const values: Record<string, unknown> = { ...valuesOf(sent) };
  const edits: Record<string, string | null> = {};
  for (const name of [...names].toSorted(byPriority)) {
    const value = await correctValue(db, sent, name, values);
    if (value !== undefined) edits[name] = value;
    values[name] = value ?? undefined;
  }
  const open = [...names].filter((name) => edits[name] === undefined);
  const example = open.length > 0 ? await exampleOrAny(db, sent, values) : {};
  for (const name of open) if (example?.[name]) edits[name] = example[name];
  return withValues(sent, edits) ?? { text: `Correct ${[...names].join(', ')}.` };
}

/** The type of a target decides on the form of its value. */
const byPriority = (a: string, b: string): number => Number(b === 'targetType') - Number(a === 'targetType');

/** What was probably meant; null to leave it out, undefined if any that works will do. */
async function correctValue(db: Executor, { operationId, problemId, query }: SentRequest, name: string, values: Values) {
  const value = typeof values[name] === 'string' ? values[name] : '';
  if (problemId === 'http.duplicate-parameter') return query.get(name);
  if (operationId && problemId === 'http.unknown-parameter') return null;
  switch (name) {
    case 'cursor':
      return null;
    case 'pageSize': {
      const size = Number.parseInt(value, 10);
      return Number.isNaN(size) ? null : String(Math.min(operationId === 'getUsers' ? 200 : 100, Math.max(1, size)));
    }
    case 'sortBy':
    case 'sortOrder':
      return nearestOf(value, name === 'sortBy' ? SORT_FIELDS : ['asc', 'desc']) ?? null;
    case 'targetType':
      return nearestOf(value, ['PHONE_NUMBER', 'USER', 'ACCOUNT']) ?? (isUuid(String(values.targetValue)) ? 'ACCOUNT' : undefined);
    case 'accountId':
    case 'experienceId': {
      // Many people send the alias instead of the id.
      const table = name === 'accountId' ? 'accounts' : 'experiences';
      return (await db.selectFrom(table).select('id').where('alias', '=', value).where('id', '!=', value).executeTakeFirst())?.id;
    }
    case 'telephoneNumber':
    case 'tn':
    case 'targetValue': {
      // A number of the world in another form, such as 1 (206) 555-0100.
      const number = `+${value.replaceAll(/\D/g, '')}`;
      return (await db.selectFrom('telephone_numbers').select('number').where('number', '=', number).executeTakeFirst())?.number;
    }
    default:
      return undefined;
  }
}

const SORT_FIELDS = ['createdAt', 'updatedAt', 'firstName', 'lastName'];
const LISTS: readonly OperationId[] = ['getUsers', 'getExperienceAssignments', 'getExperienceConnections'];

/** Values that work for this caller. A list may be empty, so for a list any values in use will do. */
export async function exampleOrAny(db: Executor, { asker, operationId }: SentRequest, values: Values) {
  if (operationId === undefined) return undefined;
  const caller = { providerId: asker?.providerId ?? '', principalId: asker?.principalId };
  const given = Object.fromEntries(Object.entries(values).filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
  const example = await exampleFor(db, operationId, caller, given);
  return example ?? (LISTS.includes(operationId) ? exampleFor(db, operationId, {}, {}) : undefined);
}

/** The path most like the one that was sent, with its ids. */
export function withNearestPath({ entry }: SentRequest): Suggestion | undefined {
  const [path = '', search] = entry.path.split('?', 2);
  const segments = path.split('/').toReversed();
  const withIds = (form: string) =>
    form
      .split('/')
      .toReversed()
      .map((name, i) => (name.startsWith('{') ? (segments[i] ?? name) : name))
      .toReversed()
      .join('/');
  const candidates = Object.values(operations)
    .filter(({ method }) => method === entry.method.toLowerCase())
    .flatMap(({ paths }) => paths.map(withIds));
  // A missing prefix, or one too many, is the most common mistake.
  const nearest = candidates.find((one) => one.endsWith(path) || path.endsWith(one)) ?? nearestOf(path, candidates);
  return nearest === undefined
    ? undefined
    : { text: `Use the path ${nearest}.`, request: { path: search === undefined ? nearest : `${nearest}?${search}` } };
}
