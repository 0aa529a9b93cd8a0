import { findNearest } from '../../contract/did-you-mean.ts';
import type { components } from '../../contract/generated/control.ts';
import { type OperationId, operations } from '../../contract/generated/operations.ts';
import type { Executor } from '../../store/engine.ts';
import { findExample } from './examples.ts';
import { decodeSegment, listValues, type SentRequest, type Values } from './sent-request.ts';

export type Suggestion = components['schemas']['ExplainedChange'];
/** Null removes a parameter or member. */
type Edits = Readonly<Record<string, string | null>>;

const JSON_HEADER = { 'content-type': 'application/json' };

export function suggestValues({ entry, pathValues, query, members = {}, isJson }: SentRequest, edits: Edits): Suggestion {
  const isRead = entry.method === 'GET' || entry.method === 'HEAD';
  const after = new URLSearchParams(query);
  const body: Record<string, unknown> = { ...members };
  let [path = ''] = entry.path.split('?', 1);
  let isBodyEdited = false;
  for (const [name, value] of Object.entries(edits)) {
    if (name in pathValues) {
      const segments = path.split('/').map((one) => (decodeSegment(one) === pathValues[name] ? encodeURIComponent(value ?? '') : one));
      path = segments.join('/');
    } else if (!isRead) {
      body[name] = value ?? undefined;
      isBodyEdited = true;
    } else if (value === null) after.delete(name);
    else after.set(name, value);
  }
  const text = Object.entries(edits).map(([name, value]) => (value === null ? `Leave ${name} out.` : `Send ${name} ${value}.`));
  const headers = isJson ? {} : { headers: JSON_HEADER };
  const request = isBodyEdited ? { body, ...headers } : { path: after.size === 0 ? path : `${path}?${after}` };
  return { text: text.join(' '), request };
}

const MISSING_PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  'assignments.list.filter-required': ['accountId'],
  'assignments.list.value-needs-type': ['targetType'],
  'assignments.list.experience-needs-account': ['accountId'],
  'assignments.list.type-alone': ['accountId'],
  'connections.list.selector-required': ['accountId'],
};
const BODY_MEMBERS: { readonly [Op in OperationId]?: readonly string[] } = {
  createExperienceAssignment: ['experienceId', 'targetType', 'targetValue'],
  createExperienceConnection: ['accountId', 'experienceId'],
  updateExperienceConnection: ['state'],
};
const OPTIONAL_PARAMETERS = ['cursor', 'pageSize', 'sortBy', 'sortOrder'];

/** If the body cannot be parsed, suggests a complete body. */
export async function suggestCorrectFields(db: Executor, sent: SentRequest): Promise<Suggestion | undefined> {
  const { operationId, errors, problemId = '', members, entry, query } = sent;
  if (operationId === undefined) return undefined;
  const named = errors.map(({ pointer }) => pointer.slice(1)).filter((name) => name !== '');
  const isUnreadable = entry.step === 'body' && named.length === 0;
  if (isUnreadable && members) return { text: 'Send the header Content-Type: application/json.', request: { headers: JSON_HEADER } };
  if (problemId === 'http.duplicate-parameter')
    return suggestValues(sent, Object.fromEntries(named.map((name) => [name, query.get(name)] as const)));
  const names = new Set(isUnreadable ? BODY_MEMBERS[operationId] : [...named, ...(MISSING_PARAMETERS[problemId] ?? [])]);
  // The valid values of `targetValue` depend on `targetType`.
  if (names.has('targetType')) names.add('targetValue');
  const isOmitted = (name: string) => problemId === 'http.unknown-parameter' || OPTIONAL_PARAMETERS.includes(name);
  const needed = [...names].filter((name) => !isOmitted(name));
  const kept = Object.fromEntries(Object.entries(listValues(sent)).filter(([name]) => !names.has(name)));
  const example = needed.length > 0 ? await findSucceedingValues(db, sent, kept) : undefined;
  const edits = [...names].map((name) => [name, isOmitted(name) ? null : example?.[name]] as const);
  const known = edits.filter((edit): edit is readonly [string, string | null] => edit[1] !== undefined);
  return known.length > 0 ? suggestValues(sent, Object.fromEntries(known)) : { text: `Correct ${[...names].join(', ')}.` };
}

const LIST_OPERATIONS: readonly OperationId[] = ['getUsers', 'getExperienceAssignments', 'getExperienceConnections'];

/** For a list operation, the values may select an empty list. */
export async function findSucceedingValues(db: Executor, { sender, operationId }: SentRequest, values: Values) {
  if (operationId === undefined) return undefined;
  const caller = { providerId: sender?.providerId ?? '', principalId: sender?.principalId };
  const given = Object.fromEntries(Object.entries(values).filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
  const example = await findExample(db, operationId, caller, given);
  return example ?? (LIST_OPERATIONS.includes(operationId) ? findExample(db, operationId, {}, {}) : undefined);
}

export function suggestNearestPath({ entry }: SentRequest): Suggestion | undefined {
  const [path = '', search] = entry.path.split('?', 2);
  const segments = path.split('/');
  const insertIdsIntoPath = (pathTemplate: string) => {
    const names = pathTemplate.split('/');
    return names.map((name, i) => (name.startsWith('{') ? (segments.at(i - names.length) ?? name) : name)).join('/');
  };
  const candidates = Object.values(operations)
    .filter(({ method }) => method === entry.method.toLowerCase())
    .flatMap(({ paths }) => paths.map(insertIdsIntoPath));
  // A wrong prefix is the most common mistake in a path.
  const nearest = candidates.find((one) => one.endsWith(path) || path.endsWith(one)) ?? findNearest(path, candidates);
  if (nearest === undefined) return undefined;
  return { text: `Use the path ${nearest}.`, request: { path: search === undefined ? nearest : `${nearest}?${search}` } };
}
