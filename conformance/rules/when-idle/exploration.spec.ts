import type { PathForm } from '../../../src/contract/generated/operations.ts';
import type { RuleId } from '../../../src/contract/generated/rules.ts';
import { RuleBroken } from '../../../src/expect/rule-broken.ts';
import { type Counterexample, type Exploration, explore } from '../../../src/oracle/explore.ts';
import { formatCounterexample } from '../../../src/oracle/message.ts';
import { createClient } from '../../actors/api-client.ts';
import { isRepeated, runInOneWorker } from '../../runner/repeated.ts';
import { readPathForm } from '../../runner/repetition.ts';
import { LONG_TAG, rule } from '../../runner/rule.ts';
import { readExploreSettings, readObservedDecisions } from '../../runner/run-settings.ts';
import { test } from '../../runner/test.ts';
import { openPair } from '../../runner/twin.ts';
import { endAsInconclusive, endAsNotTestable, extendTimeout, getReport } from '../../target/check-report.ts';
// These files form one Playwright file, so that their checks can run at the same time (LONG_TAG).
import './assignability-limits.ts';
import './oauth-expiry.ts';

/** Rules that concern what lies between the examples of the other checks. The explorer also shows that a target breaks others. */
const RULES = [
  'connections.get.found',
  'connections.only-changed',
  'assignments.get.found',
  'assignments.only-changed',
  'assignability.current',
  'http.pages.page-size-of-page',
  'events.publish.only-changes',
] as const satisfies readonly RuleId[];

/** The time for shortening the sequences, and for removing what they created. */
const EXTRA_MS = 120_000;
const PROGRESS_MS = 10_000;
/** Lets a target's logs tell the explorer's requests, whose number depends on the time, from those of the other checks. */
const EXPLORER_HEADERS = { 'user-agent': 'xpk-explorer' };
/** A mutant is found in a few seconds, but not on a busy machine. At a server that does nothing, sequences are short. */
const MUTANT_LIMITS = { seconds: 90, maxSequences: 40 };

/** The exploration of both path forms. In runs against mutants, each check explores alone, with its path form. */
let shared: Promise<Exploration> | undefined;

runInOneWorker(() => {
  for (const id of RULES)
    test(...rule(id, undefined, { tag: LONG_TAG }), async ({ need, target, receivers, cleanup }, testInfo) => {
      const startedAt = performance.now();
      await need('token', 'write', 'account.second', 'experiences.unconnected', 'bodies.connectionCreate', 'bodies.connectionUpdate');
      const { settings, arrangement, boundary } = target;
      const { forms, ...limits } = readExploreSettings(settings);
      if (limits.seconds === 0) endAsNotTestable('the run has no time for exploration (--explore)');
      const form = readPathForm(testInfo.titlePath);
      if (shared === undefined || isRepeated) {
        extendTimeout(limits.seconds * 1000 + EXTRA_MS);
        shared = run();
      }
      const exploration = await shared!;
      const { found } = exploration;
      const own = found.find(({ difference }) => difference.rule === id);
      // One check of each path form reports the rest. If it fails together with others, it reports again alone.
      if (!reporting.has(form)) reporting.set(form, id);
      if (!isRepeated && reporting.get(form) === id) {
        if (form === forms[0]) getReport().notes.push(summarize(exploration));
        for (const each of found) if (!RULES.some((known) => known === each.difference.rule)) reportOther(each);
      }
      if (own === undefined && exploration.completed === 0) endAsInconclusive('no random sequence was run to its end');
      if (own === undefined) return;
      getReport().evidence = { curl: own.script };
      throw new RuleBroken(formatCounterexample(own));

      async function run(): Promise<Exploration> {
        const { headers, timeoutMs } = settings;
        const baseUrl = await boundary.baseUrlFor(testInfo);
        // The explorer sends thousands of requests, and shows the few that matter itself. It repeats looks at lists that may be out of date.
        const api = createClient({
          ...{ baseUrl, form, timeoutMs, pace: target.pace, recordExchange: () => {} },
          headers: { ...headers, ...EXPLORER_HEADERS },
        });
        const opened = await openPair({
          ...{ arrangement, api, receivers, cleanup },
          destinationFor: (url) => boundary.destinationFor(testInfo, url),
          forms: isRepeated ? [form] : forms,
          baseUrl,
          decisions: await readObservedDecisions(settings),
        });
        let shownAt = performance.now();
        const onProgress = (text: string) => {
          if (performance.now() < shownAt + PROGRESS_MS) return;
          shownAt = performance.now();
          process.stderr.write(`exploring: ${text}\n`);
        };
        try {
          // The time includes the preparation.
          const seconds = Math.max(limits.seconds / 2, limits.seconds - (performance.now() - startedAt) / 1000);
          return await explore(opened.pair, {
            ...limits,
            seconds,
            onProgress,
            ...(isRepeated && { ...MUTANT_LIMITS, isEnough: (found) => found === id }),
          });
        } finally {
          await opened.close();
        }
      }
    });
});

/** For each path form, the rule whose check reports the broken rules that no check of the exploration tests. */
const reporting = new Map<PathForm, RuleId>();

function summarize({ sequences, steps, looks, undecided, reached, seed }: Exploration): string {
  const counts = [
    `${sequences} random ${sequences === 1 ? 'sequence' : 'sequences'}`,
    `${steps} commands`,
    `${looks} comparisons`,
    `${reached.size} combinations of origin, command, principal and result`,
  ];
  const ended =
    undecided === 0 ? '' : ` ${undecided} sequences ended at a point that the specification leaves open and that the target has not shown.`;
  return `Exploration with the seed ${seed}: ${counts.join(', ')}.${ended}`;
}

function reportOther(found: Counterexample): void {
  getReport().others.push({
    rule: found.difference.rule,
    where: 'in a random sequence',
    message: formatCounterexample(found),
    curl: found.script,
  });
}
