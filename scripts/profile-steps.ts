// Writes conformance/profiles/steps.yaml: the order in which to add members to a profile, and how many rules each step makes testable.
// `xpk conformance init` prints these steps in a new profile. The input is the report of `node bin/xpk.cjs conformance --strict`. With
// `--check`, the script compares the file instead of writing it.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PROFILE_SOURCES, type ProfileStep } from '../src/report/profile-members.ts';
import { parseResults } from '../src/report/read-results.ts';

const RESULTS = 'conformance-report/results.json';
const STEPS = 'conformance/profiles/steps.yaml';
/** The number of members above which a step comes after smaller steps, because many members take long to fill in. */
const MANY = 4;

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const { rules, partial } = parseResults(readFileSync(RESULTS, 'utf8'), RESULTS);
if (partial || rules.some(({ verdict }) => verdict !== 'passed'))
  fail(`${RESULTS} has to be the result of a run in which every rule passed. Run: node bin/xpk.cjs conformance --strict`);
const needs = rules.map(({ cells }) => {
  const needed = Object.values(cells).flatMap(({ checks }) => checks.flatMap((check) => check.needed ?? []));
  return [...new Set(['tokens.full', ...needed.flatMap(membersFor)])].sort();
});
const text = `# Written by scripts/profile-steps.ts. Do not edit.\n${stepsFor(needs)
  .map(({ rules, members }) => `- { rules: ${rules}, members: [${members.map((member) => `'${member}'`).join(', ')}] }\n`)
  .join('')}`;
if (!values.check) writeFileSync(STEPS, text);
else if (readFileSync(STEPS, 'utf8') !== text)
  fail(`${STEPS} is stale. After a run of the whole suite, run: node scripts/profile-steps.ts`);

/**
 * Returns the members of a profile, or the hooks, that give a target a capability. The list is empty if only a kit, or every target, has
 * the capability.
 */
function membersFor(capability: string): string[] {
  if (!Object.hasOwn(PROFILE_SOURCES, capability)) return [];
  const source = PROFILE_SOURCES[capability as keyof typeof PROFILE_SOURCES];
  if (typeof source === 'string') return [source];
  if ('member' in source) return ['note' in source ? `${source.member} (${source.note})` : source.member];
  const [first = '', ...others] = source.hooks;
  const actions = [first === '' ? capability : `${capability}.${first}`, ...others.map((action) => `.${action}`)];
  return [`hooks ${actions.join(' ')}`];
}

/**
 * Divides the members of a profile into steps. Each step adds the members that make the most rules testable per member. After the last
 * step, every rule is testable.
 */
function stepsFor(wanted: readonly (readonly string[])[]): ProfileStep[] {
  const steps: ProfileStep[] = [];
  for (let lacking = wanted; lacking.length > 0; ) {
    const gain = (members: readonly string[]) => lacking.filter((other) => other.every((each) => members.includes(each))).length;
    const best = lacking.map((members) => ({ rules: gain(members), members })).sort(compare)[0]!;
    steps.push(best);
    lacking = lacking.map((members) => members.filter((each) => !best.members.includes(each))).filter(({ length }) => length > 0);
  }
  return steps;
}

function compare(one: ProfileStep, other: ProfileStep): number {
  const perMember = ({ rules, members }: ProfileStep) => rules / members.length;
  const size = ({ members: { length } }: ProfileStep) => (length > MANY ? length : 0);
  return size(one) - size(other) || perMember(other) - perMember(one) || one.members.join().localeCompare(other.members.join(), 'en');
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
