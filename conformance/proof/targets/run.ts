// npm run golden [-- target …] [--write]: the suite gives each target, of which all verdicts are known beforehand, exactly these.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FixtureError } from '../../../src/world/fixture-error.ts';
import { RATE_RULES } from '../../expect/rate-rules.ts';
import { asGroups, asProblems, differences } from './compare.ts';
import { readGoldenList } from './list.ts';
import { goldenTargets, type NamedTarget } from './target.ts';
import { keyOf, verdictsOn } from './verdicts.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  // Prints what differs in the form of a list, with no reasons: whoever puts it there has to know why.
  options: { write: { type: 'boolean', default: false } },
});
const all = await goldenTargets();
const unknown = positionals.filter((name) => !all.some((target) => target.name === name));
if (unknown.length > 0) {
  console.error(`There is no target ${unknown.join(', ')}; they are ${all.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

const asked = all.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const [only] = asked;
if (asked.length === 1 && only) await judge(only);
// All at once, as checks that wait leave the machine to those of other targets; in processes of their own, as profiles take tokens from the environment.
else for (const judging of asked.map(({ name }) => judgeElsewhere(name))) if (!(await judging)) process.exitCode = 1;

async function judgeElsewhere(name: string): Promise<boolean> {
  const args = [...process.execArgv, fileURLToPath(import.meta.url), name, ...(values.write ? ['--write'] : [])];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said, [status]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  process.stdout.write(said);
  return status === 0;
}

async function judge({ name, is, list: path, ...target }: NamedTarget): Promise<void> {
  const begun = performance.now();
  try {
    // Before anything is started: what is wrong with the list itself.
    const list = await readGoldenList(path);
    const verdicts = await verdictsOn(target);
    // Loads that are to reach a limit may be too slow beside those of other targets: such a rule is judged again.
    const slow = differences(list, verdicts).filter(
      ({ expected, verdict }) => verdict === 'not-testable' && RATE_RULES.includes(expected.rule),
    );
    const again = new Set(slow.map(({ expected: { rule, form } }) => keyOf(rule, form)));
    const found = differences(list, new Map([...verdicts, ...(again.size > 0 ? await verdictsOn(target, again) : [])]));
    const counts = Map.groupBy(list.expected, ({ verdict }) => verdict);
    console.log(`${name}: ${is}`);
    console.log(`  expected: ${[...counts].map(([verdict, those]) => `${those.length} ${verdict}`).join(', ')}`);
    console.log(`  different: ${found.length} (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
    if (found.length === 0) return;
    console.log(values.write ? asGroups(found) : list.source.error(asProblems(found)).message);
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    console.log(error.message);
  }
  process.exitCode = 1;
}
