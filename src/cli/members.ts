import { isDeepStrictEqual } from 'node:util';
import { UsageError } from './usage-error.ts';

type Members = Record<string, unknown>;

/** Matches the values that are parsed as JSON. `42` stays a string, because no member is a number. */
const JSON_VALUE = /^(true|false|null|[{["].*)$/s;

/** Whether `parseMembers` needs the current entity for a `+=` pair. */
export const addsToList = (pairs: readonly string[]): boolean => pairs.some((pair) => /^[^=]*\+=/.test(pair));

/**
 * Parses an entity's members, such as `name=Desk`, `name=null`, `levels.acme=read` (sets a map entry) or `types+=a` (adds to a list).
 * @param json a JSON object with the members, instead of pairs
 * @param current the entity before the change
 * @throws UsageError
 */
export function parseMembers(pairs: readonly string[], json: string | undefined, current: object = {}): Members {
  if (json !== undefined && pairs.length > 0) throw new UsageError(`Give the members as ${pairs.join(' ')} or as --json-body, not both.`);
  if (json !== undefined) {
    const value = parseJson(json, '--json-body');
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members;
    throw new UsageError(`--json-body must be an object, such as {"name":"Desk"}, not ${json}`);
  }
  if (pairs.length === 0) throw new UsageError('Give at least one member as key=value, such as name=Desk, or an object with --json-body.');
  const members = new Map<string, unknown>();
  for (const pair of pairs) addPair(members, pair, current as Members);
  return Object.fromEntries([...members].map(([key, value]) => [key, value instanceof Map ? Object.fromEntries(value) : value]));
}

/** Collects entries such as `levels.acme=read` in a Map, to distinguish them from a JSON object such as `levels={…}`. */
function addPair(members: Map<string, unknown>, pair: string, current: Members): void {
  const [, path, plus, text = ''] = /^([^=]+?)(\+?)=(.*)$/s.exec(pair) ?? [];
  if (path === undefined) throw new UsageError(`A member must have the form key=value, such as name=Desk, not ${pair}`);
  const value = JSON_VALUE.test(text) ? parseJson(text, path) : text;
  if (plus) {
    const list = members.get(path) ?? current[path] ?? [];
    if (!Array.isArray(list)) throw new UsageError(`${path} is not a list. Use ${path}=… instead of +=.`);
    members.set(path, list.some((item) => isDeepStrictEqual(item, value)) ? list : [...list, value]);
    return;
  }
  // Split only at the first dot, because an alias can contain dots.
  const [, key = path, entry] = /^([^.]*)\.(.*)$/s.exec(path) ?? [];
  const earlier = members.get(key);
  const isRepeated = entry === undefined ? earlier !== undefined : earlier instanceof Map ? earlier.has(entry) : earlier !== undefined;
  if (isRepeated) throw new UsageError(`${path} is given twice.`);
  if (entry === undefined) members.set(key, value);
  else members.set(key, ((earlier as Map<string, unknown> | undefined) ?? new Map()).set(entry, value));
}

function parseJson(json: string, where: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new UsageError(`${where} is not valid JSON: ${(error as Error).message}. To give this text as a string, quote it: '"…"'.`);
  }
}
