import { isDeepStrictEqual } from 'node:util';
import { UsageError } from './usage-error.ts';

/** What is JSON in a value; all else is text. Numbers are: no member of an entity is a number, and many a name looks like one. */
const JSON_VALUE = /^(true|false|null|[{["].*)$/s;

/**
 * The members of an entity from a command line: `name=Desk`, `levels.acme=read` (an entry of a map), `types+=a` (one more in a list, if it is not there), `name=null`; or one
 * JSON object.
 *
 * @param current The entity before the change: `+=` adds to its lists.
 * @throws UsageError that says what would be right.
 */
export function membersOf(pairs: readonly string[], json: string | undefined, current: object = {}): Record<string, unknown> {
  if (json !== undefined && pairs.length > 0) throw new UsageError(`Give the members as ${pairs.join(' ')} or as --json-body, not both.`);
  if (json !== undefined) return objectIn(json);
  if (pairs.length === 0) throw new UsageError('Give at least one member as key=value, such as name=Desk, or an object with --json-body.');
  const members = new Map<string, unknown>();
  for (const pair of pairs) put(members, pair, current);
  return Object.fromEntries([...members].map(([key, value]) => [key, value instanceof Map ? Object.fromEntries(value) : value]));
}

function objectIn(json: string): Record<string, unknown> {
  const value = parsed(json, '--json-body');
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new UsageError(`--json-body has to be an object, such as {"name":"Desk"}, not ${json}`);
}

/** Whether `membersOf` needs the current entity for these pairs. */
export const addsToList = (pairs: readonly string[]): boolean => pairs.some((pair) => /^[^=]*\+=/.test(pair));

function put(members: Map<string, unknown>, pair: string, current: object): void {
  const at = pair.indexOf('=');
  if (at < 1) throw new UsageError(`A member has the form key=value, such as name=Desk, unlike ${pair}`);
  const path = pair.slice(0, at);
  if (path.endsWith('+')) {
    append(members, path.slice(0, -1), valueIn(pair.slice(at + 1), path), current);
    return;
  }
  const dot = path.indexOf('.');
  // An alias may have dots of its own: only the first parts a member from its entry.
  const [key, entry] = dot < 0 ? [path] : [path.slice(0, dot), path.slice(dot + 1)];
  const value = valueIn(pair.slice(at + 1), path);
  const before = members.get(key as string);
  if (entry === undefined ? before !== undefined : before !== undefined && !(before instanceof Map && !before.has(entry))) {
    throw new UsageError(`${path} is given twice: give it once.`);
  }
  if (entry === undefined) members.set(key as string, value);
  else members.set(key as string, (before instanceof Map ? before : new Map<string, unknown>()).set(entry, value));
}

function append(members: Map<string, unknown>, key: string, value: unknown, current: object): void {
  const before = members.get(key) ?? (current as Record<string, unknown>)[key] ?? [];
  if (!Array.isArray(before)) throw new UsageError(`${key} is not a list: set it with ${key}=…, not with +=.`);
  members.set(key, before.some((other) => isDeepStrictEqual(other, value)) ? before : [...before, value]);
}

function valueIn(text: string, path: string): unknown {
  return JSON_VALUE.test(text) ? parsed(text, path) : text;
}

function parsed(json: string, where: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new UsageError(
      `${where} is not JSON, though it begins like it: ${(error as Error).message}. Text that begins so is quoted: '"…"'.`,
    );
  }
}
