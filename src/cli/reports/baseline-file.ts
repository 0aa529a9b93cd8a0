import type { CheckName } from '../../checks/rules.ts';
import { compileSchema } from '../../contract/validators.ts';
import { PATH_FORMS } from '../../report/scope.ts';
import type { KnownFailure } from '../../report/totals.ts';
import { readSource } from '../../world/source.ts';
import { findUnknownRules } from './rule-ids.ts';

/** In the conformance suite, an entry without `form` applies to the prefixed and the flat paths. */
const createBaselineSchema = (check: CheckName | undefined) => ({
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['rule', 'reason'],
    properties: {
      rule: { type: 'string', minLength: 1 },
      ...(check === undefined && { form: { enum: PATH_FORMS } }),
      reason: { type: 'string', minLength: 1 },
    },
  },
});

/** @throws FixtureError with the position of each mistake in the file */
export async function readBaseline(path: string, check?: CheckName): Promise<KnownFailure[]> {
  const source = await readSource(path);
  const known = source.getValidValue(compileSchema<KnownFailure[]>(createBaselineSchema(check)));
  const problems = findUnknownRules(known, '', check);
  if (problems.length > 0) throw source.error(problems);
  return known;
}
