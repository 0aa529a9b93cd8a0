// npm run sabotage [-- rule …] [--first] [--matrix | --all]: every saboteur has to be caught by the checks of the rule that it breaks, and no server that
// does nothing may pass a documented rule. With --first there is only the first saboteur of each rule. What else they redden is measured with --matrix
// for the first of each rule, with --all for every one.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createKit } from '../../../src/kit.ts';
import type { TargetSettings } from '../../target/target-settings.ts';
import { affected } from './affected.ts';
import { merged, oneOfEach, ownChecks, uncaught } from './choose.ts';
import { DO_NOTHING } from './do-nothing.ts';
import { judge } from './judge.ts';
import { mutants, withoutMutant as without } from './mutants.ts';
import { runChecks } from './playwright.ts';
import { printed } from './print.ts';
import { type Outcomes, withAnother } from './reporter.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    first: { type: 'boolean', default: false },
    matrix: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
  },
});
const asked = (rule: string) =>
  positionals.length === 0 ||
  positionals.some((wanted) => rule === wanted || (wanted.endsWith('*') && rule.startsWith(wanted.slice(0, -1))));

const begun = performance.now();
const seconds = () => ((performance.now() - begun) / 1000).toFixed(1);
const say = (text: string) => console.error(`${text} (${seconds()} s)`);

const wanted = mutants.filter(({ rule }) => asked(rule));
const firsts = [...Map.groupBy(wanted, ({ rule }) => rule).values()].flatMap(([first]) => first ?? []);
const saboteurs = values.first ? firsts : wanted;
const isMatrix = values.matrix || values.all;
if (saboteurs.length === 0) {
  console.error(
    `No saboteur breaks ${positionals.join(', ')}.${positionals.map((rule) => (without[rule] ? ` ${rule}: ${without[rule]}` : '')).join('')}`,
  );
  process.exit(2);
}
const kit = await createKit({ port: 0, retries: 'fast' });
const notes = await mkdtemp(join(tmpdir(), 'sabotage-notes-'));
try {
  const target: TargetSettings = {
    baseUrl: kit.url,
    headers: {},
    timeoutMs: 10_000,
    control: { url: kit.url, disposable: true },
    profile: {},
  };
  const clean = await runChecks({ target, notes, ...(!isMatrix && { plan: {} }) });
  say(isMatrix ? `${clean.outcomes.length} checks before the service itself` : `${clean.checks.length} checks`);
  const own = ownChecks(saboteurs, clean.checks);
  const others = isMatrix ? await affected(values.all ? saboteurs : firsts, clean, notes) : {};
  const nothing =
    values.first || positionals.length > 0
      ? {}
      : Object.fromEntries(DO_NOTHING.map(({ name, concerns }) => [name, oneOfEach(clean.checks, concerns)]));
  const plan = merged([own, others, nothing]);
  // Who asks for a rule wants to see what each of its checks does.
  const sabotaged = await runChecks({ target, plan, sparing: positionals.length === 0 });
  say(`${sabotaged.outcomes.filter(({ ended }) => ended !== 'spared').length} checks before ${saboteurs.length} saboteurs`);
  const judged = (outcomes: Outcomes) => judge({ saboteurs, clean, sabotaged: outcomes, teeth: !values.first });
  const first = judged(sabotaged);
  // A machine that is short of time for a moment says not testable where it would have caught somebody: that is made again, with all the machine.
  const doubtful = uncaught(plan, first);
  const verdict = Object.keys(doubtful).length === 0 ? first : judged(withAnother(sabotaged, await runChecks({ target, plan: doubtful })));
  if (verdict !== first) say(`Made again: ${Object.keys(doubtful).join('; ')}`);
  console.log(printed(verdict));
  if (verdict.objections.length > 0) process.exitCode = 1;
} finally {
  await rm(notes, { recursive: true, force: true });
  await kit.close();
}
