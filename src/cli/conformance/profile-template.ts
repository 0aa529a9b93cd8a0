import { stringify } from 'yaml';
import { formatPlural } from '../../contract/format-plural.ts';
import type { ProfileStep } from '../../report/profile-members.ts';

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

const ENABLED_TEMPLATE_MEMBERS = ['name', 'baseUrl', 'allow', 'allow.write', 'allow.rate', 'tokens', 'tokens.full'];

const MAX_LINE_WIDTH = 150;

/**
 * In the template, a # that is followed by a space starts a comment, and a # without a space disables a member.
 * @param steps the members that make more rules testable, the most useful first
 */
export function createProfileTemplate(schema: Schema, steps: readonly ProfileStep[]): string {
  const { $defs = {} } = schema;
  let examples = 0;

  function formatMembers(block: Schema, path: string, before: string, indent: string): string[] {
    return Object.entries(block.properties ?? {}).flatMap(([name, given]) => {
      const member = { ...$defs[given.$ref?.split('/').at(-1) ?? ''], ...given };
      const memberPath = path === '' ? name : `${path}.${name}`;
      const isDisabled = !before.endsWith('#') && !ENABLED_TEMPLATE_MEMBERS.includes(memberPath);
      const start = `${before}${isDisabled ? `${indent}#` : indent}`;
      const comment = given.description === undefined ? [] : formatComment(given.description, `${before}${indent}# `);
      const value = member.properties === undefined ? ` ${stringify(createExample(member, name), YAML_OPTIONS).trim()}` : '';
      const note = block.required?.includes(name) ? ' # required' : '';
      const inside = isDisabled ? formatMembers(member, memberPath, start, '  ') : formatMembers(member, memberPath, before, `${indent}  `);
      return [...(path === '' ? [''] : []), ...comment, `${start}${name}:${value}${note}`, ...inside];
    });
  }

  /** A counter makes generated ids and numbers unique. */
  function createExample({ examples: [given] = [], items, minItems = 1, $ref }: Schema, name: string): unknown {
    if (given !== undefined) return given;
    if (items !== undefined) return Array.from({ length: minItems }, () => createExample(items, name));
    if ($ref?.endsWith('/Address')) return `https://operator.example.com/${name}`;
    const number = String(++examples).padStart(2, '0');
    return $ref?.endsWith('/TelephoneNumber') ? `+120155501${number}` : `00000000-0000-4000-8000-0000000000${number}`;
  }

  const introduction = [
    schema.description ?? '',
    'Test the server with: xpk conformance --profile THIS-FILE',
    'If you enable a block, set its members that are marked "required".',
  ];
  return [
    ...introduction.flatMap((text) => formatComment(text, '# ')),
    '#',
    ...formatComment(
      'Members that make rules testable, the most useful first. Each line requires the lines above it, and starts with the number of rules that it adds:',
      '# ',
    ),
    ...steps.map(({ rules, members }) => `# ${formatPlural(rules, 'rule').padEnd(10)}${members.join(', ')}`),
    ...formatMembers(schema, '', '', ''),
    '',
  ].join('\n');
}

const YAML_OPTIONS = { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: true } as const;

function formatComment(text: string, start: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= MAX_LINE_WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(start + word);
  }
  return lines;
}
