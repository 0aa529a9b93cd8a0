import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPlaywright } from '../../src/cli/conformance/playwright.ts';
import { openTarget } from '../../src/cli/conformance/target.ts';
import { operations } from '../../src/contract/generated/operations.ts';
import type { Rule, RuleId } from '../../src/contract/generated/rules.ts';
import { rules } from '../../src/contract/generated/rules-table.ts';
import { parseResults } from '../../src/report/read-results.ts';
import { FORMS, rulesInScope } from '../../src/report/scope.ts';
import { version } from '../../src/version.ts';
import type { Note } from '../sabotage/boundary.ts';
import { sabotageEnvironment } from '../sabotage/plan.ts';

/** What checks of the suite send to a kit, and what it answers: noted by the boundary that saboteurs stand at, with no saboteur there. */
export async function record(): Promise<Note[]> {
  const folder = await mkdtemp(join(tmpdir(), 'second-opinion-'));
  const resultsFile = join(folder, 'results.json');
  const kit = await openTarget({});
  const environment = sabotageEnvironment({ notes: folder, outcomes: '' });
  try {
    const boundary = new URL('../sabotage/boundary.ts', import.meta.url).href;
    // The boundary reads it in the workers of Playwright, which inherit the environment.
    Object.assign(process.env, environment);
    const interrupted = await runPlaywright(
      { ...kit.settings, boundary },
      {
        resultsFile,
        kit: version,
        target: kit.shown,
        forms: FORMS,
        rules: oneForEachAnswer(),
        notApplicable: [],
      },
      join(folder, 'output'),
    );
    if (interrupted) throw new Error('the run of the suite was ended');
    const { errors } = parseResults(await readFile(resultsFile, 'utf8'), resultsFile);
    if (errors.length > 0) throw new Error(`the suite itself went wrong:\n${errors.join('\n')}`);
    const files = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
    const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
    return texts.flatMap((text) => text.trim().split('\n')).map((line) => JSON.parse(line) as Note);
  } finally {
    for (const name of Object.keys(environment)) delete process.env[name];
    await kit.close();
    await rm(folder, { recursive: true, force: true });
  }
}

type Standing = Pick<Rule, 'operations' | 'status'>;

/**
 * All rules would be several times as many requests, for the same few kinds of answers. So it is one rule for each status of each operation; and
 * for a status that no rule stands at, the rules of the operation as a whole.
 */
function oneForEachAnswer(): RuleId[] {
  const wanted = new Set(Object.entries(operations).flatMap(([id, { statuses }]) => statuses.map((status) => `${id} ${status}`)));
  const picked = rulesInScope.filter(({ id }) => answersOf(rules[id]).filter((answer) => wanted.delete(answer)).length > 0);
  const whole = rulesInScope.filter(({ id }) => {
    const { operations: of = [], status }: Standing = rules[id];
    return status === undefined && of.some((operation) => [...wanted].some((answer) => answer.startsWith(`${operation} `)));
  });
  return [...picked, ...whole].map(({ id }) => id);
}

function answersOf({ operations: of = [], status }: Standing): string[] {
  return of.map((operation) => `${operation} ${status}`);
}
