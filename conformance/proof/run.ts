// npm run prove [-- --only mutants,nothing,permitted,variants,targets,breaches] [PATTERN …] proves the checks of the suite. Each mutant
// has to be killed by a check of its rule. Servers that do nothing must pass no documented rule. Permitted servers and variants have to pass
// every rule. Known targets have to get the expected verdicts, and the breaches of the independent server have to be noticed. A pattern
// such as `users.list.*` selects rules and decisions.
import { parseArgs } from 'node:util';
import { DO_NOTHING } from './mutants/do-nothing.ts';
import { mutantsOf } from './mutants/mutants.ts';
import { PERMITTED } from './mutants/permitted.ts';
import { proveMutants } from './mutants/prove-mutants.ts';
import { type Selection, select } from './selection.ts';
import { type KnownServer, type Objection, verifyServer } from './server.ts';
import { breachesOf, breachServers } from './targets/breaches.ts';
import { targetServers } from './targets/targets.ts';
import { variantServers } from './variants/variants.ts';

/** The requirement for the servers of each section. The summary prints it after the number of servers that meet it. */
const SECTIONS = {
  mutants: 'mutants are killed by a check of their rule',
  nothing: 'servers that do nothing pass no documented rule',
  permitted: 'servers that differ from the kit in a permitted way pass the rules',
  variants: 'kits with other decisions pass every rule, and their decisions are observed',
  targets: 'known targets get the expected verdicts',
  breaches: 'breaches of the independent server fail a check of the rule that they break',
} as const;
type Section = keyof typeof SECTIONS;

const started = performance.now();
const { sections, selection } = readArguments();
const { rules } = selection;

// Run the known targets at the same time as the mutants, and the breaches with the variants, because these runs mostly wait.
const targets = sections.includes('targets') ? proveServers('targets', await targetServers(rules)) : [];
const objections: Objection[] = [];
const servers = sections.filter((section) => section === 'mutants' || section === 'nothing' || section === 'permitted');
if (servers.length > 0) objections.push(...(await proveMutants({ rules, servers })));
const SERVERS = { mutants: mutantsOf(rules), nothing: DO_NOTHING, permitted: PERMITTED };
for (const section of servers) summarize(section, SERVERS[section], objections);
const breaches = sections.includes('breaches') ? proveServers('breaches', breachServers(rules), breachesOf(rules)) : [];
if (sections.includes('variants')) objections.push(...(await proveServers('variants', variantServers(selection))));
objections.push(...(await breaches), ...(await targets));

for (const { server, rule = '', decision = '', text } of objections)
  console.log(`✗ ${rule}${decision} ${server} ${text.replaceAll('\n', '\n    ')}`);
console.log(`${objections.length} objections`);
process.exit(objections.length === 0 ? 0 : 1);

/** Runs the suite against servers and prints a summary. @param counted the servers to count in the summary, or the breaches of a server */
async function proveServers(section: Section, servers: readonly KnownServer[], counted: readonly { name: string }[] = servers) {
  const found = (await Promise.all(servers.map(verifyServer))).flat();
  summarize(section, counted, found);
  return found;
}

function summarize(section: Section, servers: readonly { readonly name: string }[], found: readonly Objection[]): void {
  const failing = servers.filter(({ name }) => found.some(({ server }) => server === name));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${section.padEnd(9)} ${servers.length - failing.length} of ${servers.length} ${SECTIONS[section]} (${seconds} s)`);
}

function readArguments(): { sections: Section[]; selection: Selection } {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } });
  const names = Object.keys(SECTIONS) as Section[];
  const asked = values.only?.split(',') ?? names;
  const unknown = asked.find((name) => !names.some((section) => section === name));
  if (unknown !== undefined) usageError(`--only ${unknown}: the sections are ${names.join(', ')}.`);
  const selected = select(positionals);
  if (typeof selected === 'string') usageError(`${selected} is neither a rule nor a decision.`);
  return { sections: names.filter((name) => asked.includes(name)), selection: selected };
}

function usageError(message: string): never {
  console.error(message);
  process.exit(2);
}
