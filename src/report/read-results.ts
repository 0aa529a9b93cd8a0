import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Results, RuleResult } from '../contract/generated/results.ts';
import { computeVerdict, toCell } from './aggregate.ts';
import schema from './results.schema.json' with { type: 'json' };

/** The format version of results.schema.json. It increases when older readers cannot read the format. */
export const RESULTS_VERSION: Results['version'] = 3;

const READABLE_VERSIONS = [1, 2, RESULTS_VERSION];

/** Compiled at the first use, because compiling takes longer than reading a file. */
let validate: ValidateFunction<Results> | undefined;

export class ResultsError extends Error {
  override readonly name = 'ResultsError';
}

/** @throws ResultsError */
export function parseResults(text: string, name: string): Results {
  const value = parseJson(text, name);
  const { format, version } = (value ?? {}) as Partial<Results>;
  if (format !== 'experience-provider-kit/conformance-results')
    throw new ResultsError(`${name}: The file is not a conformance run's results.json.`);
  if (!READABLE_VERSIONS.includes(version as number)) {
    throw new ResultsError(
      `${name}: The results have format version ${version}, but xpk reads only versions 1 to ${RESULTS_VERSION}. Run the suite again.`,
    );
  }
  const isOld = (version as number) === 1;
  const { forms: columns, ...others } = value as { forms?: unknown };
  // In versions 1 and 2, `columns` is called `forms`.
  const results: unknown = { ...(columns !== undefined && { columns }), ...others, version: RESULTS_VERSION };
  validate ??= new Ajv2020({ strict: false }).compile<Results>(schema);
  if (validate(results)) return isOld ? { ...results, rules: results.rules.map(addPartlyTested) } : results;
  const [first] = validate.errors ?? [];
  throw new ResultsError(`${name}: ${first?.instancePath || 'The file'} ${first?.message}.`);
}

/** Recomputes the verdicts, because format version 1 lacks the `partly-tested` verdict. */
function addPartlyTested(rule: RuleResult): RuleResult {
  const entries = Object.entries(rule.cells).map(([form, cell]) => [form, cell.checks.length === 0 ? cell : toCell(cell.checks)]);
  const cells = Object.fromEntries(entries) as RuleResult['cells'];
  return { ...rule, cells, verdict: computeVerdict(cells) };
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ResultsError(`${name}: The file is not JSON: ${(error as Error).message}.`);
  }
}
