import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPlaywright } from '../../src/cli/conformance/playwright.ts';
import { type OpenTarget, openTarget } from '../../src/cli/conformance/target.ts';
import type { PathForm } from '../../src/contract/generated/operations.ts';
import { parseResults } from '../../src/report/read-results.ts';
import type { Cell } from '../../src/report/results.ts';
import { FORMS, rulesInScope } from '../../src/report/scope.ts';
import { version } from '../../src/version.ts';
import type { GoldenTarget, OpenGoldenTarget } from './target.ts';

/** The verdicts of a run, by rule and form. */
export type Verdicts = ReadonlyMap<string, Cell>;

/** Starts the target, judges it by all rules in both forms, and ends it. @throws Error where the suite itself fails. */
export async function verdictsOn({ open, stateless }: Pick<GoldenTarget, 'open' | 'stateless'>): Promise<Verdicts> {
  const target = await open();
  try {
    const runs = [];
    for (const form of FORMS) {
      const run = verdictsIn(form, target);
      runs.push(run);
      if (!stateless) await run;
    }
    return new Map((await Promise.all(runs)).flat());
  } finally {
    await target.close();
  }
}

async function verdictsIn(form: PathForm, { baseUrl, profile }: OpenGoldenTarget): Promise<[string, Cell][]> {
  const target = await openTarget({ baseUrl, profile });
  const folder = await mkdtemp(join(tmpdir(), 'golden-'));
  try {
    return await judge(target, form, folder);
  } finally {
    await target.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function judge({ settings, shown, notApplicable }: OpenTarget, form: PathForm, folder: string): Promise<[string, Cell][]> {
  const resultsFile = join(folder, 'results.json');
  // What both forms share is judged once.
  const rules = rulesInScope.filter(({ forms }) => forms.includes(form)).map(({ id }) => id);
  const run = { resultsFile, kit: version, target: shown, forms: [form], rules, notApplicable };
  if (await runPlaywright(settings, run, join(folder, 'output'))) throw new Error('the run of the suite was ended');
  const results = parseResults(await readFile(resultsFile, 'utf8'), resultsFile);
  if (results.errors.length > 0) throw new Error(`the suite itself went wrong:\n${results.errors.join('\n')}`);
  return results.rules.flatMap(({ id, cells }): [string, Cell][] => (cells[form] ? [[`${id} ${form}`, cells[form]]] : []));
}
