import { readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';
import { parse } from 'yaml';
import { collectSecrets } from '../../../conformance/runner/profile-target.ts';
import type { Profile } from '../../contract/generated/profile.ts';
import { compileSchema } from '../../contract/validators.ts';
import { resolvePackageFile } from '../../world/package-files.ts';
import { parseSource, type Source } from '../../world/parse-source.ts';
import { type Steps, toPointer, type WorldProblem } from '../../world/problem.ts';
import { toProblems } from '../../world/schema-problems.ts';
import { readSource } from '../../world/source.ts';
import { findUnknownRules } from '../reports/rule-ids.ts';

interface CheckedProfile {
  readonly profile: Profile;
  readonly secrets: string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws FixtureError with the position of each mistake in the file */
export async function readProfile(path: string, environment: Environment = process.env): Promise<CheckedProfile> {
  return checkProfile(await readSource(path), environment);
}

/** @param name the file name, for error messages */
export function parseProfile(text: string, name: string, environment: Environment): CheckedProfile {
  return checkProfile(parseSource(text, name), environment);
}

function checkProfile(source: Source, environment: Environment): CheckedProfile {
  const { value, problems, taken } = fillFromEnvironment(source.value, environment);
  if (problems.length > 0) throw source.error(problems);
  const validate = getProfileValidator();
  if (!validate(value)) throw source.error(toProblems(validate.errors ?? []));
  const unknown = findUnknownRules(value.notApplicable ?? [], '/notApplicable');
  if (unknown.length > 0) throw source.error(unknown);
  return { profile: value, secrets: collectSecrets(value, taken) };
}

/** `taken` has the values from the environment, and the JSON pointers of the strings that contain them. */
function fillFromEnvironment(value: unknown, environment: Environment) {
  const problems: WorldProblem[] = [];
  const taken: { pointer: string; value: string }[] = [];
  return { value: fillPart(value, []), problems, taken };

  function fillPart(part: unknown, steps: Steps): unknown {
    if (typeof part === 'string')
      return part.replace(/\$\{([^}]*)\}/g, (reference, name: string) => readVariable(reference, name, toPointer(steps)));
    if (Array.isArray(part)) return part.map((item, index) => fillPart(item, [...steps, index]));
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, fillPart(member, [...steps, name])]));
  }

  function readVariable(reference: string, name: string, pointer: string): string {
    const found = environment[name];
    if (found) {
      taken.push({ pointer, value: found });
      return found;
    }
    const reason = /^[A-Za-z_]\w*$/.test(name)
      ? `The environment has no ${name}. Set it, or remove this line.`
      : `${reference} is not the name of an environment variable.`;
    problems.push({ pointer, reason });
    return reference;
  }
}

let validator: ValidateFunction<Profile> | undefined;

function getProfileValidator(): ValidateFunction<Profile> {
  validator ??= compileSchema<Profile>(parse(readFileSync(resolvePackageFile('conformance/profile.schema.yaml'), 'utf8')));
  return validator;
}
