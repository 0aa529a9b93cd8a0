// node conformance/proof/passive/run.ts [PATTERN …]
// Measures which mutants are noticed by what passes: each check that kills a mutant sends its requests through a proxy, and the service is
// judged by the proxy's journal. A PATTERN such as `users.list.*` selects rules. Mutants of events are left out.
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rules as table } from '../../../src/contract/generated/rules-table.ts';
import { rulesInScope } from '../../../src/report/scope.ts';
import { runPlaywright } from '../../runner/playwright.ts';
import { createTargetEnvironment } from '../../target/target-settings.ts';
import { openKit } from '../kit-target.ts';
import { findMutant, selectMutants } from '../mutants/mutants.ts';
import { createPlanEnvironment } from '../mutants/plan.ts';
import { parseSelection } from '../selection.ts';
import { JUDGED_FILE, type Judged } from './boundary.ts';

const WORKERS = 6;

const selection = parseSelection(process.argv.slice(2));
if (typeof selection === 'string') throw new Error(`${selection} is neither a rule nor a decision.`);
const rules = rulesInScope
  .filter(({ id }) => table[id].document !== 'asyncapi' && (selection.rules?.includes(id) ?? true))
  .map(({ id }) => id);
await using folder = await mkdtempDisposable(join(tmpdir(), 'passive-'));
await using kit = await openKit({ retries: 'fast' });
await runPlaywright({
  reporter: fileURLToPath(new URL('../mutants/reporter.ts', import.meta.url)),
  output: join(folder.path, 'output'),
  environment: {
    ...createTargetEnvironment({ ...kit.settings, boundary: new URL('./boundary.ts', import.meta.url).href }),
    ...createPlanEnvironment({ rules, servers: ['mutants'], folder: folder.path }),
  },
  workers: WORKERS,
  args: ['--timeout', '60000'],
});
const judged = (await readFile(join(folder.path, JUDGED_FILE), 'utf8'))
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Judged);
const killed = Map.groupBy(
  judged.filter(({ isKilled }) => isKilled),
  ({ mutant }) => mutant,
);
const isNoticed = (name: string) => killed.get(name)!.some(({ failed }) => failed.length > 0);
const missed = [...killed.keys()].filter((name) => !isNoticed(name));
for (const name of missed.sort())
  console.log(`${name}  ${findMutant(name)?.description}\n    ${killed.get(name)![0]!.message?.split('\n', 1)[0]}`);
const own = [...killed].filter(([name, checks]) => checks.some(({ failed }) => failed.includes(findMutant(name)!.rule)));
console.log(
  `${killed.size} of ${selectMutants(rules).length} mutants killed; of these, traffic shows ${killed.size - missed.length} (${Math.round((1 - missed.length / killed.size) * 100)} %), ${own.length} by the rule that they break`,
);
process.exit(0);
