// npm run prove [-- --only mutants,nothing,permitted,variants,targets,breaches,traffic,consumers] [PATTERN …]
// Proves that the suite's checks work. A PATTERN such as `users.list.*` selects rules and decisions. Consumers, breaches and traffic run only
// without a PATTERN. `--breaches all` or `--breaches REGEX` selects breaches, and `--seeds N` explores each of them N times. `--keep` writes
// the results of the known targets to `results`, before a release.
import { parseArgs } from 'node:util';
import { recordFigures } from '../../tools/scripts/figures.ts';
import { proveBreaches, selectBreaches } from './breaches/prove-breaches.ts';
import { CONSUMERS, testConsumers } from './consumers.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { selectMutants } from './mutants/mutants.ts';
import { proveMutants } from './mutants/prove-mutants.ts';
import { STUB_SERVERS } from './mutants/stub-servers.ts';
import { parseSelection, type Selection } from './selection.ts';
import { type KnownServer, type ProofFailure, repeatFailedChecks, verifyServer } from './server.ts';
import { createPermittedServers, PERMITTED_SERVERS } from './targets/permitted-servers.ts';
import { createTargetServers } from './targets/targets.ts';
import { proveTraffic, selectTrafficJobs } from './traffic/prove-traffic.ts';
import { createVariantServers } from './variants/variants.ts';

const SECTIONS = {
  mutants: 'mutants are killed by a check of their rule',
  nothing: 'servers that do nothing pass no documented rule',
  permitted: 'servers that differ from the kit in a permitted way pass the rules',
  variants: 'kits with various decisions pass every rule, and the suite observes these decisions',
  targets: 'known targets get the expected verdicts',
  breaches: 'random sequences show that the independent server with a breach breaks a rule',
  traffic: 'passing traffic of the independent server shows a breach, and without a breach it breaks no rule',
  consumers: 'webhook consumers fail the rule that their fault breaks, and pass the other rules',
} as const;
type Section = keyof typeof SECTIONS;

/** With more servers, the checks of rate limits could not send requests fast enough. */
const CONCURRENT_SERVERS = 3;

const startedAt = performance.now();
const { sections, selection, breachPattern, seeds, keep } = readArguments();
const { rules } = selection;

const runsMutants = sections.filter((section) => section === 'mutants' || section === 'nothing');
// The variants come first, because they take the longest.
const servers: Partial<Record<Section, readonly KnownServer[]>> = {
  ...(sections.includes('variants') && { variants: createVariantServers(selection) }),
  ...(sections.includes('permitted') && { permitted: createPermittedServers(rules) }),
  ...(sections.includes('targets') && { targets: await createTargetServers(rules, keep) }),
};
const withConsumers = sections.includes('consumers') && rules === undefined;
const breaches = sections.includes('breaches') && rules === undefined ? selectBreaches(breachPattern) : [];
const traffic = sections.includes('traffic') && rules === undefined ? selectTrafficJobs(breachPattern) : [];
const [mutantFailures, first, consumerFailures, breachFailures, trafficFailures] = await Promise.all([
  runsMutants.length > 0 ? proveMutants({ rules, servers: runsMutants }) : [],
  mapConcurrently(CONCURRENT_SERVERS, Object.values(servers).flat(), verifyWithProgress),
  withConsumers ? testConsumers() : [],
  proveBreaches(breaches, seeds),
  proveTraffic(traffic),
]);
const serverFailures = await mapConcurrently(1, first, ({ server, failures: found }) => repeatFailedChecks(server, found));
const failures = [...mutantFailures, ...serverFailures, ...consumerFailures, ...breachFailures, ...trafficFailures];
const COUNT_LABELS = {
  ...{ mutants: selectMutants(rules), nothing: STUB_SERVERS, ...servers, breaches, traffic },
  ...{ permitted: PERMITTED_SERVERS, consumers: withConsumers ? CONSUMERS : [] },
};
for (const section of sections) summarize(section, COUNT_LABELS[section] ?? [], failures);

for (const { server, rule = '', decision = '', text } of failures)
  console.log(`✗ ${rule}${decision} ${server} ${text.replaceAll('\n', '\n    ')}`);
console.log(`${failures.length} failures`);
process.exit(failures.length === 0 ? 0 : 1);

async function verifyWithProgress(server: KnownServer) {
  const begun = performance.now();
  const found = await verifyServer(server);
  console.log(`${found.length === 0 ? '✓' : '✗'} ${server.name}, ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  return [{ server, failures: found }];
}

function summarize(section: Section, servers: readonly { readonly name: string }[], found: readonly ProofFailure[]): void {
  const failing = servers.filter(({ name }) => found.some(({ server }) => server === name));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const passed = servers.length - failing.length;
  console.log(`${section.padEnd(9)} ${passed} of ${servers.length} ${SECTIONS[section]} (${seconds} s)`);
  if (rules === undefined && selection.decisions === undefined && breachPattern === undefined)
    recordFigures(section, { servers: servers.length, passed, failures: found.length });
}

function readArguments(): { sections: Section[]; selection: Selection; breachPattern: string | undefined; seeds: number; keep: boolean } {
  const text = { type: 'string' } as const;
  const options = { only: text, breaches: text, seeds: { ...text, default: '1' }, keep: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const names = Object.keys(SECTIONS) as Section[];
  const asked = values.only?.split(',') ?? names;
  const unknown = asked.find((name) => !names.some((section) => section === name));
  if (unknown !== undefined) exitWithUsageError(`--only ${unknown}: the sections are ${names.join(', ')}.`);
  if (values.keep && !asked.includes('targets')) exitWithUsageError('--keep: keeps the results of the section targets, so select it.');
  if (values.keep && positionals.length > 0) exitWithUsageError('--keep: keeps the results of all rules, so give no PATTERN.');
  const selected = parseSelection(positionals);
  if (typeof selected === 'string') exitWithUsageError(`${selected} is neither a rule nor a decision.`);
  const seeds = Number(values.seeds);
  if (!Number.isInteger(seeds) || seeds < 1) exitWithUsageError(`--seeds ${values.seeds}: must be a positive integer.`);
  return {
    sections: names.filter((name) => asked.includes(name)),
    selection: selected,
    breachPattern: values.breaches,
    seeds,
    keep: values.keep,
  };
}

function exitWithUsageError(message: string): never {
  console.error(message);
  process.exit(2);
}
