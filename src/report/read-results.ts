import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Results, RuleResult } from '../contract/generated/results.ts';
import { cellOf, verdictOf } from './aggregate.ts';
import schema from './results.schema.json' with { type: 'json' };

/** The version of the format that results.schema.json describes. A change that breaks readers increases the version. */
export const RESULTS_VERSION: Results['version'] = 2;

/** A file is not a results.json, or one of another format version. */
export class ResultsError extends Error {
  override readonly name = 'ResultsError';
}

/** Parses a results.json. @param name of the file, for errors. @throws ResultsError */
export function parseResults(text: string, name: string): Results {
  const value = parsed(text, name);
  const { format, version } = (value ?? {}) as Partial<Results>;
  if (format !== 'experience-provider-kit/conformance-results')
    throw new ResultsError(`${name}: This is not the results.json of a conformance run.`);
  const isOld = (version as number | undefined) === 1;
  if (version !== RESULTS_VERSION && !isOld) {
    throw new ResultsError(
      `${name}: These results have the format version ${version}; this xpk reads versions 1 and ${RESULTS_VERSION}. Run the suite again.`,
    );
  }
  const results: unknown = { ...(value as object), version: RESULTS_VERSION };
  const validate = new Ajv2020({ strict: false }).compile<Results>(schema);
  if (validate(results)) return isOld ? { ...results, rules: results.rules.map(withPartlyTested) } : results;
  const [first] = validate.errors ?? [];
  throw new ResultsError(`${name}: ${first?.instancePath || 'It'} ${first?.message}.`);
}

/** Finds the verdict partly-tested from the checks of a rule, because version 1 does not have this verdict. */
function withPartlyTested(rule: RuleResult): RuleResult {
  const entries = Object.entries(rule.cells).map(([form, cell]) => [form, cell.checks.length === 0 ? cell : cellOf(cell.checks)]);
  const cells = Object.fromEntries(entries) as RuleResult['cells'];
  return { ...rule, cells, verdict: verdictOf(cells) };
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ResultsError(`${name}: This is not JSON: ${(error as Error).message}.`);
  }
}
