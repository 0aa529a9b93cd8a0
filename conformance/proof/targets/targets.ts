import type { PathForm } from '../../../src/contract/generated/operations.ts';
import type { RuleId } from '../../../src/contract/generated/rules.ts';
import { rulesInScope } from '../../../src/report/scope.ts';
import { openKit } from '../kit-target.ts';
import { findUnexpectedVerdicts, type KnownServer } from '../server.ts';
import { planVariants } from '../variants/plan.ts';
import { readExpected } from './expected.ts';
import { openIndependentServer } from './independent.ts';
import { openPrismMock } from './prism-mock.ts';
import { openThreeReplicas } from './replicas.ts';
import { openStagingKit } from './staging-kit.ts';

const STAGING = {
  readModelBoundMs: 2000,
  sortFields: { createdAt: 'createdAt', updatedAt: 'updatedAt', firstName: 'firstName', lastName: 'lastName' },
};

/** A kit that someone else started without options. The suite must neither replace its world nor move its clock. */
async function openPlainKit(): ReturnType<KnownServer['open']> {
  const kit = await openKit({ login: 'page' });
  return { ...kit, settings: { ...kit.settings, control: { url: kit.settings.baseUrl } } };
}

const TARGETS: Readonly<Record<string, KnownServer['open']>> = {
  kit: () => openStagingKit(STAGING),
  'careless-kit': () => openStagingKit({ ...STAGING, losesDeliveries: true }),
  'different-kit': () =>
    openStagingKit({ set: planVariants(() => true)[0] ?? {}, readModelBoundMs: 5000, sortFields: { createdAt: 'createdAt' } }),
  independent: () => openIndependentServer(),
  'prism-mock': openPrismMock,
  'three replicas': openThreeReplicas,
  'plain kit': openPlainKit,
};

/** The YAML files with a target's expected verdicts. Default: one file with the target's name. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  'different-kit': ['kit', 'different-kit'],
  'careless-kit': ['kit', 'careless-kit'],
  'three replicas': ['replicas'],
  'plain kit': ['plain-kit'],
};

/** Targets for which only some rules are tested, because the remaining rules are tested elsewhere. */
const RULES: Readonly<Record<string, RegExp>> = {
  // The content and causes of events are tested with the variants (`createVariantServers`).
  'different-kit': /^(?!events\.(?!delivery\.|headers\.))/,
  'careless-kit':
    /^events\.(publish\.every-change|connection\.\w+\.on-(create|update|delete)|envelope\.type|delivery\.re(tries-non-2xx|peat-\S+))$/,
};

/** To save time, these targets are tested with only the prefixed or only the flat paths. */
const FORM: Readonly<Record<string, PathForm>> = {
  kit: 'prefixed',
  'different-kit': 'prefixed',
  independent: 'prefixed',
  'plain kit': 'prefixed',
};

export function createTargetServers(rules: readonly RuleId[] | undefined): Promise<KnownServer[]> {
  return Promise.all(
    Object.entries(TARGETS).map(async ([name, open]) => {
      const expected = await readExpected(LISTS[name] ?? [name]);
      const own = rulesInScope.flatMap(({ id }) => (RULES[name]?.test(id) === false ? [] : id));
      const forms = FORM[name] && { forms: [FORM[name]] };
      const run = { rules: own.filter((id) => rules?.includes(id) ?? true), observing: false, ...forms };
      return { name, open, run, verify: (results) => findUnexpectedVerdicts(name, results, expected) };
    }),
  );
}
