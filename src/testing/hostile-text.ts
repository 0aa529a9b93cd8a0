import assert from 'node:assert/strict';

/** Text that tries to control a terminal or a CI runner, at the beginning of a line and within it. */
const HOSTILE_TEXT =
  '::stop-commands::x\n  ::error::x\n##[error]x ##vso[task.complete]x ##teamcity[x]\r\u001b[31m\u001b]0;x\u0007\u009b2J\u202e\u2066\u200b\ufeff\u2028\u0000\u{e0041}|';

const FORBIDDEN = /^\s*::|##\w*\[|[^\P{Cc}\n\t]|\p{Cf}|[\u2028\u2029]/mu;

/** @returns whether the output contains the hostile text in its escaped form */
export function assertHarmless(output: string): boolean {
  const [found] = FORBIDDEN.exec(output) ?? [];
  assert.equal(found, undefined, `${JSON.stringify(found)} in ${JSON.stringify(output)}`);
  return output.includes('\\u202e');
}

/** Lists the names of all properties in JSON schemas. */
export function listPropertyNames(schemas: object): ReadonlySet<string> {
  const names = new Set<string>();
  JSON.stringify(schemas, (name, value: object) => {
    if (name === 'properties') for (const each of Object.keys(value)) names.add(each);
    return value;
  });
  return names;
}

/**
 * Adds the hostile text to every string, and to the names that are not in `documentedNames`, where the value stays valid.
 * @param validate the value's schema; by default, every string is valid
 */
export function makeHostile(
  value: unknown,
  documentedNames: ReadonlySet<string>,
  validate: (value: unknown) => readonly { readonly pointer: string }[] = () => [],
): unknown {
  const kept = new Set<string>();
  for (;;) {
    const hostile = change(value, '');
    const invalid = validate(hostile).filter(({ pointer }) => !kept.has(pointer));
    if (invalid.length === 0) return hostile;
    for (const { pointer } of invalid) kept.add(pointer);
  }

  function change(part: unknown, pointer: string): unknown {
    if (kept.has(pointer)) return part;
    if (typeof part === 'string') return HOSTILE_TEXT + part;
    if (Array.isArray(part)) return part.map((each, index) => change(each, `${pointer}/${index}`));
    if (typeof part !== 'object' || part === null) return part;
    const members = Object.entries(part).map(([name, member]) => {
      const hostileName = documentedNames.has(name) ? name : HOSTILE_TEXT + name;
      return [hostileName, change(member, `${pointer}/${hostileName}`)];
    });
    return Object.fromEntries(members);
  }
}
