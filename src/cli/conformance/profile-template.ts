import { stringify } from 'yaml';
import type { Step } from '../../report/profile-members.ts';

/** The keywords of a JSON Schema that the template uses. */
export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
}

/** The members that the template does not disable. */
const ENABLED = ['name', 'baseUrl', 'allow', 'allow.write', 'allow.rate', 'tokens', 'tokens.full'];

const WIDTH = 150;

/**
 * Returns a profile that people can complete. It contains every member of the schema, with the description of the member and an example
 * value. A # before a space begins an explanation, and every other # disables a member.
 * @param steps the members that make rules testable, the most useful first
 */
export function profileTemplate(schema: Schema, steps: readonly Step[]): string {
  const { $defs = {} } = schema;
  let examples = 0;

  function membersOf(block: Schema, path: string, before: string, indent: string): string[] {
    return Object.entries(block.properties ?? {}).flatMap(([name, given]) => {
      const member = { ...$defs[given.$ref?.split('/').at(-1) ?? ''], ...given };
      const memberPath = path === '' ? name : `${path}.${name}`;
      const isDisabled = !before.endsWith('#') && !ENABLED.includes(memberPath);
      const start = `${before}${isDisabled ? `${indent}#` : indent}`;
      const comment = given.description === undefined ? [] : comments(given.description, `${before}${indent}# `);
      const value = member.properties === undefined ? ` ${stringify(exampleOf(member, name), FLOW).trim()}` : '';
      const note = block.required?.includes(name) ? ' # required' : '';
      const inside = isDisabled ? membersOf(member, memberPath, start, '  ') : membersOf(member, memberPath, before, `${indent}  `);
      return [...(path === '' ? [''] : []), ...comment, `${start}${name}:${value}${note}`, ...inside];
    });
  }

  /** Returns the first example of a schema. Ids and telephone numbers have a running number, because a profile needs different values. */
  function exampleOf({ examples: [given] = [], items, minItems = 1, $ref }: Schema, name: string): unknown {
    if (given !== undefined) return given;
    if (items !== undefined) return Array.from({ length: minItems }, () => exampleOf(items, name));
    if ($ref?.endsWith('/Address')) return `https://operator.example.com/${name}`;
    const number = String(++examples).padStart(2, '0');
    return $ref?.endsWith('/TelephoneNumber') ? `+120155501${number}` : `00000000-0000-4000-8000-0000000000${number}`;
  }

  const introduction = [
    schema.description ?? '',
    'Test the server with: xpk conformance --profile THIS-FILE',
    'A member that is marked "required" has to be given if its block is given.',
  ];
  return [
    ...introduction.flatMap((text) => comments(text, '# ')),
    '#',
    ...comments('What makes rules testable, the most useful first. Each line needs those above it, and says how many rules it adds:', '# '),
    ...steps.map(({ rules, members }) => `# ${(rules === 1 ? '1 rule' : `${rules} rules`).padEnd(10)}${members.join(', ')}`),
    ...membersOf(schema, '', '', ''),
    '',
  ].join('\n');
}

const FLOW = { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: true } as const;

/** Wraps a text into lines that begin with `start`. */
function comments(text: string, start: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(start + word);
  }
  return lines;
}
