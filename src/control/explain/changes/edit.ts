import { decoded, membersOf, queryOf } from '../case.ts';
import type { SentRequest } from '../trial.ts';
import type { Change } from './change.ts';
import type { Values } from './other-values.ts';

/** The request with other query parameters; undefined leaves one out. */
export function withQuery(request: SentRequest, values: Readonly<Record<string, string | undefined>>): Change {
  const query = queryOf(request.path);
  const sentences: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    const before = query.getAll(name);
    if (value === undefined && before.length === 0) continue;
    if (value === undefined) query.delete(name);
    else query.set(name, value);
    sentences.push(sentence(name, before.length === 0 ? undefined : before.join(', '), value));
  }
  const search = query.size === 0 ? '' : `?${String(query)}`;
  return { text: sentences.join(' '), request: { path: `${request.path.split('?', 1)[0]}${search}` } };
}

/** The request with other members in its body; undefined leaves one out. */
export function withMembers(request: SentRequest, values: Values): Change {
  const before = membersOf(request.body) ?? {};
  const body: Record<string, unknown> = { ...before };
  const sentences: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    if (body[name] === value) continue;
    if (value === undefined) delete body[name];
    else body[name] = value;
    sentences.push(sentence(name, name in before ? before[name] : undefined, value));
  }
  return { text: sentences.join(' '), request: { body: JSON.stringify(body) } };
}

/** The request with another value in its path. */
export function withPathValue(request: SentRequest, value: string, by: string): Change {
  const [path = '', ...search] = request.path.split('?');
  const segments = path.split('/').map((segment) => (decoded(segment) === value ? encodeURIComponent(by) : segment));
  return { text: `Ask for ${by}.`, request: { path: [segments.join('/'), ...search].join('?') } };
}

/** Two changes, the second of which was found where the first was made. Edits of the same part are told as one. */
export function joined(original: SentRequest, first: Change, second: Change): Change {
  const request = { ...first.request, ...second.request };
  const control = [...(first.control ?? []), ...(second.control ?? [])];
  const again = (member: 'body' | 'path') => first.request?.[member] !== undefined && second.request?.[member] !== undefined;
  const before = membersOf(original.body);
  const after = membersOf(request.body);
  const text =
    again('body') && before && after ? withMembers(original, { ...removed(before, after), ...after }).text : `${first.text} ${second.text}`;
  return { text, ...(Object.keys(request).length > 0 && { request }), ...(control.length > 0 && { control }) };
}

const removed = (before: Values, after: Values): Values =>
  Object.fromEntries(Object.keys(before).flatMap((name) => (name in after ? [] : [[name, undefined]])));

const LONGEST = 80;

function sentence(name: string, before: unknown, value: unknown): string {
  if (value === undefined) return `Leave ${name} out.`;
  const text = JSON.stringify(before) as string | undefined;
  const instead = text === undefined || text.length > LONGEST ? '' : ` instead of ${text}`;
  return `Send ${name} ${typeof value === 'string' ? value : JSON.stringify(value)}${instead}.`;
}
