// Writes conformance/profiles/steps.yaml: the order in which to add members to a profile. The input is the report of `npx xpk
// conformance --strict`. With `--check`, the script writes nothing, and fails if the file is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PROFILE_SOURCES, type ProfileStep } from '../../src/report/profile-members.ts';
import { parseResults } from '../../src/report/read-results.ts';

const RESULTS_FILE = 'conformance-report/results.json';
const STEPS_FILE = 'conformance/profiles/steps.yaml';
/** The maximum number of members in a small step. Small steps come first, because they take little time. */
const MAX_MEMBERS_IN_SMALL_STEP = 4;

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const { rules, partial } = parseResults(readFileSync(RESULTS_FILE, 'utf8'), RESULTS_FILE);
if (partial || rules.some(({ verdict }) => verdict !== 'passed'))
  exitWithError(`${RESULTS_FILE} must contain the results of a run in which every rule passed. Run: npx xpk conformance --strict`);
const needs = rules.map(({ cells }) => {
  const needed = Object.values(cells).flatMap(({ checks }) => checks.flatMap((check) => check.needed ?? []));
  return [...new Set(['tokens.full', ...needed.flatMap(listMembers)])].sort();
});
const text = `# Written by tools/scripts/profile-steps.ts. Do not edit.\n${createSteps(needs)
  .map(({ rules, members }) => `- { rules: ${rules}, members: [${members.map((member) => `'${member}'`).join(', ')}] }\n`)
  .join('')}`;
if (!values.check) writeFileSync(STEPS_FILE, text);
else if (readFileSync(STEPS_FILE, 'utf8') !== text)
  exitWithError(`${STEPS_FILE} is stale. After a run of the whole suite, run: npm run profile-steps`);

/**
 * Returns the profile members or hooks that give a target a capability. Returns none for a capability that all targets have, and for one
 * that only kits have.
 */
function listMembers(capability: string): string[] {
  if (!Object.hasOwn(PROFILE_SOURCES, capability)) return [];
  const source = PROFILE_SOURCES[capability as keyof typeof PROFILE_SOURCES];
  if (typeof source === 'string') return [source];
  if ('member' in source) return ['note' in source ? `${source.member} (${source.note})` : source.member];
  const [first = '', ...others] = source.hooks;
  const actions = [first === '' ? capability : `${capability}.${first}`, ...others.map((action) => `.${action}`)];
  return [`hooks ${actions.join(' ')}`];
}

function createSteps(neededMembers: readonly (readonly string[])[]): ProfileStep[] {
  const steps: ProfileStep[] = [];
  for (let lacking = neededMembers; lacking.length > 0; ) {
    const countTestableRules = (members: readonly string[]) =>
      lacking.filter((other) => other.every((each) => members.includes(each))).length;
    const best = lacking.map((members) => ({ rules: countTestableRules(members), members })).sort(compareSteps)[0]!;
    steps.push(best);
    lacking = lacking.map((members) => members.filter((each) => !best.members.includes(each))).filter(({ length }) => length > 0);
  }
  return steps;
}

function compareSteps(first: ProfileStep, second: ProfileStep): number {
  const rulesPerMember = ({ rules, members }: ProfileStep) => rules / members.length;
  const countMembers = ({ members: { length } }: ProfileStep) => (length > MAX_MEMBERS_IN_SMALL_STEP ? length : 0);
  return (
    countMembers(first) - countMembers(second) ||
    rulesPerMember(second) - rulesPerMember(first) ||
    first.members.join().localeCompare(second.members.join(), 'en')
  );
}

function exitWithError(message: string): never {
  console.error(message);
  process.exit(1);
}
