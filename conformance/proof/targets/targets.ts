import type { PathForm } from '../../../src/contract/generated/operations.ts';
import type { RuleId } from '../../../src/contract/generated/rules.ts';
import { rulesInScope } from '../../../src/report/scope.ts';
import { openKit } from '../kit-target.ts';
import { acknowledgeRefusals } from '../mutants/by-hand/events-delivery.ts';
import { loseEveryThird } from '../mutants/by-hand/events-publish.ts';
import { findUnexpectedVerdicts, type KnownServer } from '../server.ts';
import { readExpected } from './expected.ts';
import { openIndependentServer } from './independent.ts';
import { findChangedVerdicts, keepResults } from './kept-results.ts';
import { openRelayed } from './permitted-relay.ts';
import { openPrismMock } from './prism-mock.ts';
import { openThreeReplicas } from './replicas.ts';
import { openStagingKit } from './staging-kit.ts';

/** A kit that someone else started without options. The suite must neither replace its world nor move its clock. */
async function openPlainKit(): ReturnType<KnownServer['open']> {
  const kit = await openKit({ login: 'page' });
  return { ...kit, settings: { ...kit.settings, control: { url: kit.settings.baseUrl } } };
}

/** A kit that loses every third event about a connection, and treats a 4xx as an acknowledgement. */
const openCarelessKit = async () =>
  openRelayed(await openStagingKit({ hasHooks: true, patienceSeconds: 5 }), [loseEveryThird(), acknowledgeRefusals()]);

const TARGETS: Readonly<Record<string, KnownServer['open']>> = {
  kit: () => openStagingKit(),
  'careless-kit': openCarelessKit,
  independent: () => openIndependentServer(),
  'prism-mock': openPrismMock,
  'three replicas': openThreeReplicas,
  'plain kit': openPlainKit,
};

/** The YAML files with a target's expected verdicts. Default: one file with the target's name. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  'careless-kit': ['kit', 'careless-kit'],
  'three replicas': ['plain-kit'],
  'plain kit': ['plain-kit'],
};

/** Targets for which only some rules are tested, because the remaining rules are tested elsewhere. */
const RULES: Readonly<Record<string, RegExp>> = {
  'careless-kit':
    /^events\.(publish\.every-change|connection\.\w+\.on-(create|update|delete)|envelope\.type|delivery\.re(tries-non-2xx|peat-\S+))$/,
};

/** Rules that are testable only on an idle machine. `npm test` tests them on a kit, and the mutants prove their checks. */
const UNTESTED = /^limits\.assignability\./;

/** To save time, these targets are tested with only the prefixed or only the flat paths. */
const FORM: Readonly<Record<string, PathForm>> = {
  kit: 'prefixed',
  independent: 'prefixed',
  'plain kit': 'prefixed',
};

/** @param keep whether to keep the results in `results`, instead of comparing them with the results of the last release */
export function createTargetServers(rules: readonly RuleId[] | undefined, keep: boolean): Promise<KnownServer[]> {
  return Promise.all(
    Object.entries(TARGETS).map(async ([name, open]) => {
      const expected = await readExpected(LISTS[name] ?? [name]);
      const own = rulesInScope.flatMap(({ id }) => (UNTESTED.test(id) || RULES[name]?.test(id) === false ? [] : id));
      const forms = FORM[name] && { forms: [FORM[name]] };
      const run = { rules: own.filter((id) => rules?.includes(id) ?? true), observing: false, ...forms };
      const verify: KnownServer['verify'] = (results) => {
        const unexpected = findUnexpectedVerdicts(name, results, expected);
        if (!keep) return [...unexpected, ...findChangedVerdicts(name, results)];
        if (unexpected.length === 0) keepResults(name, results);
        return unexpected;
      };
      return { name, open, run, verify };
    }),
  );
}
