/** Writes the pages with the rules, the decisions and the refusals. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { CHECK_BY_ACTOR } from '../../../src/checks/rules.ts';
import { type RuleScenarios, ruleScenarios } from '../../../src/checks/scenarios/list-scenarios.ts';
import type { Decision } from '../../../src/contract/generated/decisions-table.ts';
import type { Rule } from '../../../src/contract/generated/rules.ts';
import { type CoverageRow, findQuotedWords } from './coverage.ts';
import type { Decisions } from './decisions.ts';
import type { Rules } from './rules.ts';

const formatHeader = (...sources: string[]): string =>
  `<!-- Machine-written by \`npm run generate\` from ${sources.join(', ')}. Do not edit. -->\n`;
const formatCell = (text: string): string =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')
    .replaceAll(/<(?!br>)/g, '&lt;');

function formatTable(columns: string[], rows: string[][]): string {
  const lines = [columns, columns.map(() => '---'), ...rows.map((row) => row.map(formatCell))];
  return `${lines.map((line) => `| ${line.join(' | ')} |`).join('\n')}\n`;
}

const titles: Record<Rule['document'], string> = {
  openapi: 'The API (openapi/openapi.yaml)',
  asyncapi: 'The events (openapi/asyncapi.yaml)',
  authorization: 'The authorization server (openapi/authorization.yaml)',
  control: 'The control API (openapi/control.yaml)',
};

const COLUMNS = ['rule', 'level', 'status', 'what it says', 'specification', 'checks'];

function getRuleHeading([id, rule]: [string, Rule]): string {
  if (rule.event !== undefined) return rule.event;
  if (rule.document === 'asyncapi') return id.split('.').slice(0, 2).join('.');
  if (rule.operations === undefined) return 'The document as a whole';
  return rule.operations.length === 1 ? String(rule.operations[0]) : 'Several operations';
}

function formatRuleRow([id, rule]: [string, Rule], checks: Checks, coverage: readonly CoverageRow[]): string[] {
  const level = rule.actor === 'service' ? rule.level : `${rule.level} (${rule.actor})`;
  const files = [...(checks.get(id) ?? [])].map(([file, { length }]) => (length === 1 ? file : `${file} (${length})`));
  const testedBy =
    rule.actor === 'consumer' || rule.actor === 'client' ? `\`xpk check ${CHECK_BY_ACTOR[rule.actor]}\`` : files.join('<br>');
  const checkCell = rule.untestable === undefined ? testedBy : `None. ${rule.untestable}`;
  const words = rule.level === 'documented' ? findQuotedWords(id, rule, coverage).map((each) => `“${each}”`) : [];
  return [`\`${id}\``, level, rule.status ?? '', rule.text, [rule.section, ...words].join('<br>'), checkCell];
}

/**
 * @param order the operations and events in the order of the page; other headings come before them
 * @param coverage the rows of docs/specification-coverage.md
 */
export function writeRulesPage(rules: Rules, order: string[], checks: Checks, coverage: readonly CoverageRow[]): string {
  const entries = Object.entries(rules);
  const countRules = (level: string) => entries.filter(([, rule]) => rule.level === level).length;
  const sections = [...Map.groupBy(entries, ([, rule]) => rule.document)].map(([document, ofDocument]) => {
    const groups = [...Map.groupBy(ofDocument, getRuleHeading)].sort(([left], [right]) => order.indexOf(left) - order.indexOf(right));
    const tables = groups.map(([group, members]) => {
      const rows = members.map((member) => formatRuleRow(member, checks, coverage));
      return `\n### ${group}\n\n${formatTable(COLUMNS, rows)}`;
    });
    return `\n## ${titles[document]}\n${tables.join('')}`;
  });
  return `${formatHeader('openapi/*.yaml', 'conformance/', 'docs/specification-coverage.md')}
# Rules

${entries.length} rules: ${countRules('documented')} documented (the specification states the rule in the quoted words), ${countRules('implied')} implied (the rule follows from two places of the specification, the purpose of a field, or a cited RFC), ${countRules('advice')} advice (for integrations).
The service must follow a rule unless the level names another actor, such as consumer. The checks in conformance/rules test the service's rules. \`npm run prove\` tests these checks with mutants, which are servers that
break one rule. \`xpk check webhook\` tests the rules for consumers of events, and \`xpk check client\` tests the rules for clients of the API. [decisions.md](decisions.md) lists the points that the specification leaves open.
${sections.join('')}`;
}

function formatDecisionRow([id, { question, default: standard, alternatives = [], values, means, section, notObservedBecause }]: [
  string,
  Decision,
]): string[] {
  const others = alternatives.map((value) => `\`${value}\` ${means[String(value)] ?? ''}`);
  const range = values && 'minimum' in values ? `, ${values.minimum} to ${values.maximum}` : '';
  if (values) others.push(`or any other ${values.type}${range}`);
  const choices = [`**\`${standard}\`** ${means[String(standard)] ?? ''}`, ...others].map((line) => line.trim());
  return [`\`${id}\``, question, choices.join('<br>'), section, notObservedBecause ? `Not observed: ${notObservedBecause}.` : ''];
}

export function writeDecisionsPage(decisions: Decisions): string {
  const entries = Object.entries(decisions);
  const sections = [...Map.groupBy(entries, ([id]) => id.split('.')[0])].map(([group, members]) => {
    return `\n## ${group}\n\n${formatTable(['decision', 'question', 'default, then alternatives', 'specification', 'notes'], members.map(formatDecisionRow))}`;
  });
  return `${formatHeader('openapi/decisions.yaml')}
# Decisions

${entries.length} points that the specification leaves open, or answers in two different ways. The suite reports what a target does at these points, but never counts it as a failure.
The kit uses the first value. To choose another value, use \`xpk start --set id=value\`. [rules.md](rules.md) lists the rules.
${sections.join('')}`;
}

const AUTHORIZATION = 'The authorization server';
const SEVERAL_OPERATIONS = 'Several operations';

function formatErrorRow(
  { id, scenarios, metWith, reason }: RuleScenarios,
  rules: Rules,
  decisions: Decisions,
  gates: Gates,
): { group: string; row: string[] } {
  const rule = rules[id];
  const operations = rule?.operations ?? [...new Set(scenarios.flatMap(({ operation = [] }) => operation))];
  const group = id.startsWith('oauth.') ? AUTHORIZATION : operations.length === 1 ? String(operations[0]) : SEVERAL_OPERATIONS;
  const documented = rule?.status ?? gates[id]?.status ?? decisions[id]?.default ?? '';
  const statuses = new Set(scenarios.length > 0 ? scenarios.map(({ scenario: { status = documented } }) => status) : [documented]);
  const text = rule?.text ?? gates[id]?.text ?? decisions[id]?.question ?? '';
  const level = rule?.level ?? (gates[id] ? 'kit' : 'open');
  const commands = scenarios.map((named) => `\`xpk scenario run ${named.id}\` ${named.scenario.title}`);
  if (metWith !== undefined) commands.push(`\`xpk scenario run ${metWith}\``);
  if (reason !== undefined) commands.push(`Not with one request. ${reason}`);
  return { group, row: [[...statuses].join(', '), `\`${id}\``, level, text, commands.join('<br>')] };
}

type Gates = Readonly<Record<string, { readonly text: string; readonly status?: number } | undefined>>;

/** @param order the operations and events in the order of the page; other headings come after them */
export function writeErrorsPage(rules: Rules, decisions: Decisions, gates: Gates, order: string[]): string {
  const groups = Map.groupBy(
    ruleScenarios.map((rule) => formatErrorRow(rule, rules, decisions, gates)),
    ({ group }) => group,
  );
  const headings = [...order, SEVERAL_OPERATIONS, AUTHORIZATION].filter((group) => groups.has(group));
  const sections = headings.map((group) => {
    const rows = (groups.get(group) ?? []).map(({ row }) => row).sort(([a = ''], [b = '']) => a.localeCompare(b));
    return `\n## ${group}\n\n${formatTable(['status', 'rule', 'level', 'what it says', 'how to provoke it'], rows)}`;
  });
  return `${formatHeader('openapi/', 'src/refusals/', 'src/checks/scenarios/')}
# Errors and state changes, and how to provoke them

This page lists every refusal that the specification documents, every row of its state table, and the refusals at points that the specification leaves open. Each command
prepares the state in a running kit with the demo world, sends the request, prints the response with its rule, and restores the world. \`--print\` only prints the commands with curl. \`--operation\` chooses the operation for a rule about several operations.
The scenarios of the authorization server that use a code require \`xpk start --login auto\`. \`xpk scenario list\` lists them all.

To make the next call of your own client fail in one of these ways, add a fault: \`xpk fault add --fault problem --rule connections.delete.numbers-assigned --times 1\`. The level *open* marks
a point that the specification leaves open ([decisions.md](decisions.md)). The level *kit* marks a refusal that the specification does not mention. For an *open* point, the table shows the status under the default decision.
${sections.join('')}`;
}

/** Maps a rule to the files with its checks, and each file to the titles of the checks. A check of prefixed and flat paths is listed once. */
export type Checks = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

interface Suite {
  readonly suites?: readonly Suite[];
  readonly specs?: readonly { title: string; tests: { annotations: { type: string; description?: string }[] }[] }[];
}

/** @throws Error with Playwright's message if the suite does not load */
export function readChecks(root: string): Checks {
  const config = join(root, 'conformance/playwright.config.ts');
  const cli = join(root, 'node_modules/@playwright/test/cli.js');
  const { stdout } = spawnSync(process.execPath, [cli, 'test', '--list', '--reporter', 'json', '--config', config], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const report = JSON.parse(stdout) as Suite & { errors: readonly { message: string }[] };
  if (report.errors.length > 0) throw new Error(`The suite does not load: ${report.errors.map(({ message }) => message).join('\n')}`);
  // Remove duplicates, because Playwright lists a check twice: for the prefixed paths and for the flat paths.
  const specs = new Map(listSpecs(report).map((spec) => [`${getFile(spec)} ${spec.title}`, spec]));
  const checks = new Map<string, Map<string, string[]>>();
  for (const spec of specs.values()) {
    const file = getFile(spec);
    for (const { type, description = '' } of getAnnotations(spec)) {
      if (type !== 'rule') continue;
      const files = checks.get(description) ?? new Map<string, string[]>();
      checks.set(description, files.set(file, [...(files.get(file) ?? []), spec.title]));
    }
  }
  return checks;
}

type Spec = NonNullable<Suite['specs']>[number];

const getAnnotations = ({ tests }: Spec) => tests[0]?.annotations ?? [];

/** An annotation contains the check's file, because Playwright reports the file of the helper that adds the check. */
function getFile(spec: Spec): string {
  const place = getAnnotations(spec).find(({ type }) => type === 'place')?.description ?? '';
  return place.replace(/^rules\/|:\d+$/g, '');
}

function listSpecs({ suites = [], specs = [] }: Suite): readonly Spec[] {
  return [...specs, ...suites.flatMap(listSpecs)];
}
