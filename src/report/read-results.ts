import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Results } from '../contract/generated/results.ts';
import schema from './results.schema.json' with { type: 'json' };

/** The version of the format that results.schema.json describes. A change that breaks readers increases the version. */
export const RESULTS_VERSION: Results['version'] = 1;

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
  if (version !== RESULTS_VERSION) {
    throw new ResultsError(
      `${name}: These results have the format version ${version}; this xpk reads version ${RESULTS_VERSION}. Run the suite again.`,
    );
  }
  const validate = new Ajv2020({ strict: false }).compile<Results>(schema);
  if (validate(value)) return value;
  const [first] = validate.errors ?? [];
  throw new ResultsError(`${name}: ${first?.instancePath || 'It'} ${first?.message}.`);
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ResultsError(`${name}: This is not JSON: ${(error as Error).message}.`);
  }
}
