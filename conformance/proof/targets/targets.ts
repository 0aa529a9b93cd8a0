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

interface Target {
  readonly open: KnownServer['open'];
  /** The YAML files with the expected verdicts. Default: one file with the target's name. */
  readonly expected?: readonly string[];
  /** Absent: all rules. The remaining rules are tested elsewhere. */
  readonly rules?: RegExp;
  /** To save time, the target is tested with only the prefixed or only the flat paths. */
  readonly form?: PathForm;
}

const TARGETS: Readonly<Record<string, Target>> = {
  kit: { open: () => openStagingKit(), form: 'prefixed' },
  'careless-kit': {
    open: openCarelessKit,
    expected: ['kit', 'careless-kit'],
    rules:
      /^events\.(publish\.every-change|connection\.\w+\.on-(create|update|delete)|envelope\.type|delivery\.re(tries-non-2xx|peat-\S+))$/,
  },
  independent: { open: openIndependentServer, form: 'prefixed' },
  'prism-mock': { open: openPrismMock },
  'three replicas': { open: openThreeReplicas, expected: ['plain-kit'] },
  'plain kit': { open: openPlainKit, expected: ['plain-kit'], form: 'prefixed' },
};

/** Rules that are testable only on an idle machine. `npm test` tests them on a kit, and the mutants prove their checks. */
const UNTESTED = /^limits\.assignability\./;

/** @param keep whether to keep the results in `results`, instead of comparing them with the results of the last release */
export function createTargetServers(rules: readonly RuleId[] | undefined, keep: boolean): Promise<KnownServer[]> {
  return Promise.all(
    Object.entries(TARGETS).map(async ([name, { open, expected: lists = [name], rules: tested, form }]) => {
      const expected = await readExpected(lists);
      const own = rulesInScope.flatMap(({ id }) => (UNTESTED.test(id) || tested?.test(id) === false ? [] : id));
      const run = { rules: own.filter((id) => rules?.includes(id) ?? true), observing: false, ...(form && { forms: [form] }) };
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
