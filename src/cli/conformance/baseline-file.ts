import { Ajv2020 } from 'ajv/dist/2020.js';
import { FORMS } from '../../report/scope.ts';
import type { KnownFailure } from '../../report/totals.ts';
import { toPointer, type WorldProblem } from '../../world/problem.ts';
import { readSource } from '../../world/source.ts';
import { unknownRule } from './rule-ids.ts';

/** A baseline is a list of rules that are known to fail, each with a reason. An entry without `form` applies to both path forms. */
const SCHEMA = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['rule', 'reason'],
    properties: { rule: { type: 'string', minLength: 1 }, form: { enum: FORMS }, reason: { type: 'string', minLength: 1 } },
  },
};

/** Reads the known failures from a baseline. @throws FixtureError with the position of each mistake in the file */
export async function readBaseline(path: string): Promise<KnownFailure[]> {
  const source = await readSource(path);
  const known = source.matching(new Ajv2020({ allErrors: true, verbose: true, strict: false }).compile<KnownFailure[]>(SCHEMA));
  const problems = known.flatMap(({ rule }, index): WorldProblem[] => {
    const reason = unknownRule(rule);
    return reason === undefined ? [] : [{ pointer: toPointer([index, 'rule']), reason }];
  });
  if (problems.length > 0) throw source.error(problems);
  return known;
}
