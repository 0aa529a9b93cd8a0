import { readFile } from 'node:fs/promises';
import { matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import type { PathForm } from '../../../src/contract/generated/operations.ts';
import type { Verdict } from '../../../src/contract/generated/results.ts';
import type { RuleId } from '../../../src/contract/generated/rules.ts';
import { PATH_FORMS, rulesInScope } from '../../../src/report/scope.ts';
import { VERDICTS } from '../../../src/report/verdicts.ts';
import type { Expectations, Expected } from '../server.ts';

interface Group {
  readonly verdict: Verdict;
  readonly why: string;
  /** Rule ids, in which `*` is a wildcard. With the suffix ` (flat)` or ` (prefixed)`, the verdict applies only to these paths. */
  readonly rules: readonly string[];
}

const validate = new Ajv2020().compile<Group[]>({
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['verdict', 'why', 'rules'],
    properties: {
      verdict: { enum: VERDICTS },
      why: { type: 'string', minLength: 1 },
      rules: { type: 'array', minItems: 1, items: { type: 'string' } },
    },
  },
});

/** Later entries override earlier ones. */
export async function readExpected(names: readonly string[]): Promise<Expectations> {
  const texts = await Promise.all(names.map((name) => readFile(fileURLToPath(new URL(`${name}.yaml`, import.meta.url)), 'utf8')));
  return parseExpected(texts);
}

/** @throws Error if a list is malformed, a pattern matches no rule, or a rule has no verdict */
export function parseExpected(texts: readonly string[]): Expectations {
  const expected = new Map<string, Expected>();
  for (const text of texts) {
    const groups: unknown = parse(text);
    if (!validate(groups)) throw new Error(`A list of expected verdicts is malformed: ${JSON.stringify(validate.errors)}`);
    for (const { verdict, why, rules } of groups) {
      for (const pattern of rules) {
        const keys = ALL_KEYS.filter((key) => matchesGlob(pattern.endsWith(')') ? key : key.replace(/ .*/, ''), pattern));
        if (keys.length === 0) throw new Error(`No rule matches ${pattern}.`);
        for (const key of keys) expected.set(key, { verdicts: [verdict], why: why.trim() });
      }
    }
  }
  const missing = ALL_KEYS.filter((key) => !expected.has(key));
  if (missing.length > 0) throw new Error(`These rules have no expected verdict: ${missing.join(', ')}`);
  return (rule, form) => expected.get(formatKey(rule, form));
}

const formatKey = (rule: RuleId, form: PathForm) => `${rule} (${form})`;
const ALL_KEYS = rulesInScope.flatMap(({ id, columns }) =>
  PATH_FORMS.filter((form) => columns.includes(form)).map((form) => formatKey(id, form)),
);
