import { Ajv2020 } from 'ajv/dist/2020.js';
import { unknownRule } from '../../../src/cli/conformance/rule-ids.ts';
import type { PathForm } from '../../../src/contract/generated/operations.ts';
import type { RuleId } from '../../../src/contract/generated/rules.ts';
import type { Verdict } from '../../../src/report/results.ts';
import { FORMS, rulesInScope } from '../../../src/report/scope.ts';
import { toPointer, type WorldProblem } from '../../../src/world/problem.ts';
import { displayName, readText } from '../../../src/world/read-text.ts';
import { schemaProblems } from '../../../src/world/schema-problems.ts';
import { parseSource, type Source } from '../../../src/world/source.ts';

/** The verdict that a target deserves on a rule in one form. */
export interface Expected {
  readonly rule: RuleId;
  readonly form: PathForm;
  readonly verdict: Verdict;
  readonly why: string;
  /** Where it stands in the list. */
  readonly pointer: string;
}

export interface GoldenList {
  readonly expected: readonly Expected[];
  /** Says problems with their places in the file. */
  readonly source: Source;
}

/** Rules of one verdict, for one reason. */
interface Group {
  readonly verdict: Verdict;
  readonly why: string;
  /** Absent: every form that the rule has. */
  readonly form?: PathForm;
  readonly rules: readonly string[];
}

const VERDICTS: Readonly<Record<Verdict, true>> = { passed: true, failed: true, error: true, 'not-testable': true, 'not-applicable': true };
const SCHEMA = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['verdict', 'why', 'rules'],
    properties: {
      verdict: { enum: Object.keys(VERDICTS) },
      why: { type: 'string', minLength: 1 },
      form: { enum: FORMS },
      rules: { type: 'array', minItems: 1, items: { type: 'string' } },
    },
  },
};

/** @throws FixtureError with every problem and its place in the file: each rule stands there exactly once for each of its forms. */
export async function readGoldenList(path: string): Promise<GoldenList> {
  return parseGoldenList(await readText(path), displayName(path));
}

/** Does what `readGoldenList` does with a text. */
export function parseGoldenList(text: string, name: string): GoldenList {
  const source = parseSource(text, name);
  const validate = new Ajv2020({ allErrors: true, verbose: true, strict: false }).compile<Group[]>(SCHEMA);
  if (!validate(source.value)) throw source.error(schemaProblems(validate.errors ?? [], source.written));
  const problems: WorldProblem[] = [];
  const expected = new Map<string, Expected>();
  for (const [index, group] of source.value.entries()) {
    for (const [at, id] of group.rules.entries()) {
      const pointer = toPointer([index, 'rules', at]);
      const { found, reason } = formsOf(id, group.form);
      if (reason !== undefined) problems.push({ pointer, reason });
      for (const { rule, form } of found) {
        const key = `${rule} ${form}`;
        if (expected.has(key)) problems.push({ pointer, reason: `${rule} (${form}) is there already. Keep one.` });
        else expected.set(key, { rule, form, verdict: group.verdict, why: group.why, pointer });
      }
    }
  }
  for (const { id, forms } of rulesInScope) {
    const missing = forms.filter((form) => !expected.has(`${id} ${form}`));
    if (missing.length > 0) problems.push({ pointer: '', reason: `${id} (${missing.join(' and ')}) is missing.` });
  }
  if (problems.length > 0) throw source.error(problems);
  return { expected: [...expected.values()], source };
}

/** What an entry stands for. */
function formsOf(id: string, form: PathForm | undefined): { found: { rule: RuleId; form: PathForm }[]; reason?: string | undefined } {
  const rule = rulesInScope.find((candidate) => candidate.id === id);
  if (rule === undefined) return { found: [], reason: unknownRule(id) };
  if (form !== undefined && !rule.forms.includes(form))
    return { found: [], reason: `${id} has the form ${rule.forms.join(' and ')} only.` };
  return { found: (form === undefined ? rule.forms : [form]).map((each) => ({ rule: rule.id, form: each })) };
}
