import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { PathForm } from '../../../src/contract/generated/operations.ts';
import type { Cell } from '../../../src/report/results.ts';
import { FORMS, rulesInScope } from '../../../src/report/scope.ts';
import { fillFromEnvironment } from '../../runner/environment.ts';
import { profileOf, profileTarget, type WrittenProfile } from '../../runner/profile-target.ts';
import { runSuite } from '../../runner/run-suite.ts';
import type { GoldenTarget, OpenGoldenTarget } from './target.ts';

/** The verdicts of a run, by rule and form. */
export type Verdicts = ReadonlyMap<string, Cell>;

/** How the verdict on a rule under a form is called in Verdicts. */
export const keyOf = (rule: string, form: PathForm): string => `${rule} ${form}`;

/**
 * Starts the target, judges it by all rules in both forms, and ends it.
 *
 * @param only keys of those that are judged, if not all are. @throws Error where the suite itself fails.
 */
export async function verdictsOn(
  { open, stateless }: Pick<GoldenTarget, 'open' | 'stateless'>,
  only?: ReadonlySet<string>,
): Promise<Verdicts> {
  const target = await open();
  try {
    const runs = [];
    for (const form of FORMS) {
      const run = verdictsIn(form, target, only);
      runs.push(run);
      if (!stateless) await run;
    }
    return new Map((await Promise.all(runs)).flat());
  } finally {
    await target.close();
  }
}

async function verdictsIn(
  form: PathForm,
  { baseUrl, profile }: OpenGoldenTarget,
  only: ReadonlySet<string> | undefined,
): Promise<[string, Cell][]> {
  // What both forms share is judged once.
  const inForm = rulesInScope.filter(({ forms }) => forms.includes(form)).map(({ id }) => id);
  const rules = inForm.filter((id) => only?.has(keyOf(id, form)) ?? true);
  if (rules.length === 0) return [];
  const { value, taken } = fillFromEnvironment(parse(await readFile(profile, 'utf8')), process.env);
  const { settings, shown, notApplicable } = await profileTarget(profileOf(value as WrittenProfile, taken), { baseUrl });
  const { results, interrupted } = await runSuite(settings, { shown, forms: [form], rules, notApplicable });
  if (results === undefined || interrupted) throw new Error('the run of the suite was ended');
  if (results.errors.length > 0) throw new Error(`the suite itself went wrong:\n${results.errors.join('\n')}`);
  return results.rules.flatMap(({ id, cells }): [string, Cell][] => (cells[form] ? [[keyOf(id, form), cells[form]]] : []));
}
