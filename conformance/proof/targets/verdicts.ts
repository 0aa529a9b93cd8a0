import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPlaywright } from '../../../src/cli/conformance/playwright.ts';
import { type OpenTarget, openTarget } from '../../../src/cli/conformance/target.ts';
import type { PathForm } from '../../../src/contract/generated/operations.ts';
import { parseResults } from '../../../src/report/read-results.ts';
import type { Cell } from '../../../src/report/results.ts';
import { FORMS, rulesInScope } from '../../../src/report/scope.ts';
import { version } from '../../../src/version.ts';
import type { RunSettings } from '../../runner/run-settings.ts';
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
  const target = await openTarget({ baseUrl, profile });
  const folder = await mkdtemp(join(tmpdir(), 'golden-'));
  try {
    return await judge(target, form, rules, folder);
  } finally {
    await target.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function judge(
  { settings, shown, notApplicable }: OpenTarget,
  form: PathForm,
  rules: NonNullable<RunSettings['rules']>,
  folder: string,
): Promise<[string, Cell][]> {
  const resultsFile = join(folder, 'results.json');
  const run = { resultsFile, kit: version, target: shown, forms: [form], rules, notApplicable };
  if (await runPlaywright(settings, run, join(folder, 'output'))) throw new Error('the run of the suite was ended');
  const results = parseResults(await readFile(resultsFile, 'utf8'), resultsFile);
  if (results.errors.length > 0) throw new Error(`the suite itself went wrong:\n${results.errors.join('\n')}`);
  return results.rules.flatMap(({ id, cells }): [string, Cell][] => (cells[form] ? [[keyOf(id, form), cells[form]]] : []));
}
