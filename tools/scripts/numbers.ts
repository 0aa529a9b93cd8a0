// npm run numbers
// Writes docs/how-it-is-tested.md from the figures of the last test runs. Fails if a run is missing, failed or tested another commit.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { decisions } from '../../src/contract/generated/decisions-table.ts';
import { rules } from '../../src/contract/generated/rules-table.ts';
import { type Figures, PAGE, readCommit, readFigures } from './figures.ts';
import { readChecks } from './generate/pages.ts';

/** The commands that record the figures of a run. */
const COMMANDS: Readonly<Record<string, string>> = {
  ...{ suite: 'npm run check -- --only build,conformance', tests: 'npm run check -- --only build,tests' },
  'slow-tests': 'npm run check -- --slow --only tests',
  ...Object.fromEntries(
    ['mutants', 'nothing', 'permitted', 'variants', 'targets', 'breaches', 'traffic', 'consumers'].map((name) => [name, 'npm run prove']),
  ),
  fuzz: 'npm run fuzz',
  mutation: 'npm run mutation',
  ...Object.fromEntries(
    ['default', 'sqlite', 'replicas', 'providers'].map((name, _, all) => [`chaos-${name}`, `npm run chaos -- --only ${all}`]),
  ),
};

const commit = readCommit();
const runs: Record<string, Figures> = {};
const problems: string[] = [];
const commands = new Set<string>();
for (const [run, command] of Object.entries(COMMANDS)) {
  const figures = readFigures(run, commit);
  const problem = typeof figures === 'string' ? figures : figures.failures === 0 ? undefined : 'had failures';
  if (problem === undefined) runs[run] = figures as Figures;
  else {
    problems.push(`${run} ${problem}`);
    commands.add(command);
  }
}
if (problems.length > 0 || commit.endsWith('-changed')) {
  if (commit.endsWith('-changed')) console.error('The working tree has changes. Commit them first.');
  console.error([...problems, 'Run on this commit:', ...[...commands].map((command) => `  ${command}`)].join('\n'));
  process.exit(1);
}

function formatFigure(run: string, name: string): string {
  const figure = runs[run]?.[name];
  if (figure === undefined) throw new Error(`The figures of the run "${run}" have no "${name}", only ${Object.keys(runs[run] ?? {})}.`);
  return formatNumber(figure);
}

const formatNumber = (figure: number): string => figure.toLocaleString('en');

const allRules = Object.values(rules);
const countRules = (level: string, isMatch: (rule: (typeof allRules)[number]) => boolean = () => true): string =>
  formatNumber(allRules.filter((rule) => rule.level === level && isMatch(rule)).length);
const countChecks = [...readChecks('.').values()].flatMap((files) => [...files.values()].flat()).length;

const LINE_KINDS = [
  ['generated', /\/generated\/|(^|\/)package-lock/],
  ['tests', /\.test\.tsx?$|\/testing\//],
  ['contract', /^openapi\/.*\.yaml$/],
  ['code', /\.(tsx?|[mc]?js|css|html)$/],
] as const;

/** Counts the lines in the files of the repository. Lines of generated files, of Markdown and of other data are left out. */
function countLines(): Readonly<Record<string, string>> {
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
  const counts: Record<string, number> = { tests: 0, contract: 0, code: 0 };
  for (const file of files) {
    const kind = LINE_KINDS.find(([, pattern]) => pattern.test(file))?.[0] ?? 'other';
    if (kind in counts) counts[kind]! += readFileSync(file, 'utf8').split('\n').length - 1;
  }
  return Object.fromEntries(Object.entries(counts).map(([kind, count]) => [kind, formatNumber(count)]));
}

const lines = countLines();
const unchecked = allRules.filter(({ untestable }) => untestable !== undefined);

writeFileSync(
  PAGE,
  `<!-- Written by \`npm run numbers\` from the figures of test runs. Do not edit. -->

# How it is tested

Every figure on this page comes from the files of the commit \`${commit.slice(0, 12)}\`, or from a run of the tests on this commit in which nothing failed.

## The contract

The contract has ${formatNumber(allRules.length)} [rules](rules.md): ${countRules('documented')} documented, ${countRules('implied')} implied, and ${countRules('advice')} of advice for integrations. \
Where the specification leaves a point open, there is no rule, but one of ${formatNumber(Object.keys(decisions).length)} [decisions](decisions.md). \
No check can observe ${formatNumber(unchecked.length)} of the rules; the table of rules says why.

## The suite tests a server, and the proof tests the suite

The suite has ${formatNumber(countChecks)} checks of rules. Against the kit, it sends ${formatFigure('suite', 'requests')} requests, and every rule that it tests passes.

| servers with a known answer | number | what the suite must do | did it |
| --- | --- | --- | --- |
${[
  ['mutants', 'mutants: kits that break one rule', "one of the rule's checks fails"],
  ['breaches', 'independent servers with one fault between the examples of the checks', 'random sequences find the fault'],
  ['traffic', 'servers behind a proxy, one correct and the others with one fault', 'the traffic of three clients shows the fault'],
  ['nothing', 'servers that answer every request alike', 'no documented rule passes'],
  ['permitted', 'servers that differ from the kit as the specification permits', 'every rule passes'],
  ['variants', 'kits with other decisions', 'every rule passes, and the decisions are observed'],
  ['targets', 'other known servers, such as Prism', 'every rule gets its expected verdict'],
  ['consumers', 'webhook consumers with at most one fault (`xpk check webhook`)', 'only the broken rule fails'],
]
  .map(([run = '', servers, duty]) => `| ${servers} | ${formatFigure(run, 'servers')} | ${duty} | ${formatFigure(run, 'passed')} |`)
  .join('\n')}

## The kit withstands anything

- ${formatFigure('fuzz', 'requests')} generated requests to the API, the control API and the authorization server got no 5xx, no response outside of the contract, and damaged no data.
- ${formatFigure('chaos-sqlite', 'kills')} times, a kit was killed in the middle of a write and of a delivery. None of ${formatFigure('chaos-sqlite', 'writes acknowledged')} acknowledged writes was lost, and every event was delivered.
- ${formatFigure('chaos-replicas', 'SIGKILL')} times, one of ${formatFigure('chaos-replicas', 'replicas')} replicas was killed, and ${formatFigure('chaos-replicas', 'SIGTERM')} times stopped, under load. \
None of ${formatFigure('chaos-replicas', 'writes acknowledged')} acknowledged writes was lost.
- ${formatFigure('chaos-providers', 'providers')} providers shared ${formatFigure('chaos-providers', 'replicas')} replicas, and none saw another's data or events.
- The default store equaled a model's prediction in ${formatFigure('chaos-default', 'comparisons with the model')} comparisons under concurrent writes, resets and snapshots.
- Of ${formatFigure('mutation', 'mutants')} mutants of the kit's decisions (\`src/domain\`), with one small change each, the unit tests kill ${formatFigure('mutation', 'killed')}. \
A comment gives the reason for the other ${formatFigure('mutation', 'excepted')}.

## Size

${lines.code} lines of code and ${lines.contract} lines of contract, with ${lines.tests} lines of tests. ${formatFigure('tests', 'tests')} test cases run before each push, and ${formatFigure('slow-tests', 'tests')} more in CI.
The suite, the mutants and the other servers above are counted as code. Generated files are not counted.
`,
);
console.log(`wrote ${PAGE}`);
