/** The pages that list the rules, with the checks of each, and the decisions. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Decision, Decisions } from './decisions.ts';
import type { Rule, Rules } from './rules.ts';

const comment = (...sources: string[]): string =>
  `<!-- Machine-written by \`npm run generate\` from ${sources.join(', ')}. Do not edit. -->\n`;
const cell = (text: string): string =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')
    .replaceAll(/<(?!br>)/g, '&lt;');

function table(columns: string[], rows: string[][]): string {
  const lines = [columns, columns.map(() => '---'), ...rows.map((row) => row.map(cell))];
  return `${lines.map((line) => `| ${line.join(' | ')} |`).join('\n')}\n`;
}

function grouped<Entry>(entries: [string, Entry][], groupOf: (id: string, entry: Entry) => string): Map<string, [string, Entry][]> {
  return Map.groupBy(entries, ([id, entry]) => groupOf(id, entry));
}

const titles: Record<Rule['document'], string> = {
  openapi: 'The API (openapi/openapi.yaml)',
  asyncapi: 'The events (openapi/asyncapi.yaml)',
  authorization: 'The authorization server (openapi/authorization.yaml)',
  control: 'The control API (openapi/control.yaml)',
};

const COLUMNS = ['rule', 'level', 'status', 'what it says', 'specification', 'checks (conformance/rules)'];

/** The heading for a rule: its operation or event, or a common heading if it has none or several. */
function groupOfRule(id: string, rule: Rule): string {
  if (rule.event !== undefined) return rule.event;
  if (rule.document === 'asyncapi') return id.split('.').slice(0, 2).join('.');
  if (rule.operations === undefined) return 'The document as a whole';
  return rule.operations.length === 1 ? String(rule.operations[0]) : 'Several operations';
}

function ruleRow([id, rule]: [string, Rule], checks: Checks): string[] {
  const level = rule.actor === 'service' ? rule.level : `${rule.level} (${rule.actor})`;
  const files = [...(checks.get(id) ?? [])].map(([file, count]) => (count === 1 ? file : `${file} (${count})`));
  const judged = rule.unjudged === undefined ? files.join('<br>') : `None. ${rule.unjudged}`;
  return [`\`${id}\``, level, rule.status ?? '', rule.text, rule.section, judged];
}

/** @param order of operations and events, as in the documents. Groups that are neither come first */
export function writeRulesPage(rules: Rules, order: string[], checks: Checks): string {
  const entries = Object.entries(rules);
  const count = (level: string) => entries.filter(([, rule]) => rule.level === level).length;
  const sections = [...grouped(entries, (_, rule) => rule.document)].map(([document, ofDocument]) => {
    const groups = [...grouped(ofDocument, groupOfRule)].sort(([left], [right]) => order.indexOf(left) - order.indexOf(right));
    const tables = groups.map(([group, members]) => {
      return `\n### ${group}\n\n${table(
        COLUMNS,
        members.map((member) => ruleRow(member, checks)),
      )}`;
    });
    return `\n## ${titles[document as Rule['document']]}\n${tables.join('')}`;
  });
  return `${comment('openapi/*.yaml', 'conformance/')}
# Rules

${entries.length} rules: ${count('documented')} documented (the specification says them), ${count('implied')} implied (by a range, a table or a cited RFC), ${count('advice')} advice (for integrations).
A rule is kept by the service unless its level names who keeps it; those of the service are judged by checks, and each check is proven by mutants: servers that break
one rule (\`npm run prove\`). What the specification leaves open is in [decisions.md](decisions.md).
${sections.join('')}`;
}

function valuesOf(decision: Decision): string {
  const meaning = (value: unknown) => decision.means[String(value)] ?? '';
  const standard = `**\`${decision.default}\`** ${meaning(decision.default)}`;
  const others = (decision.alternatives ?? []).map((value) => `\`${value}\` ${meaning(value)}`);
  return [standard, ...others, ...freeValues(decision)].map((line) => line.trim()).join('<br>');
}

function freeValues({ values }: Decision): string[] {
  if (values === undefined) return [];
  const range = 'minimum' in values ? `, ${values.minimum} to ${values.maximum}` : '';
  return [`or any other ${values.type}${range}`];
}

function decisionRow([id, decision]: [string, Decision]): string[] {
  const notes = [...(decision.observable === true ? [] : [`Not observed: ${decision.observable}.`])];
  return [`\`${id}\``, decision.question, valuesOf(decision), decision.section, notes.join('<br>')];
}

export function writeDecisionsPage(decisions: Decisions): string {
  const entries = Object.entries(decisions);
  const sections = [...grouped(entries, (id) => id.split('.')[0] ?? id)].map(([group, members]) => {
    return `\n## ${group}\n\n${table(['decision', 'question', 'default, then alternatives', 'specification', 'notes'], members.map(decisionRow))}`;
  });
  return `${comment('openapi/decisions.yaml')}
# Decisions

${entries.length} points that the specification leaves open, or says two ways. No target fails for one: it is observed. The first value is what the kit does;
\`xpk start --set id=value\` picks another. The rules are in [rules.md](rules.md).
${sections.join('')}`;
}

/** By rule, the files with its checks, and the number of checks in each file (in one path form). */
export type Checks = ReadonlyMap<string, ReadonlyMap<string, number>>;

interface Listed {
  readonly suites?: readonly Listed[];
  readonly specs?: readonly {
    file: string;
    title: string;
    tests: readonly { annotations: readonly { type: string; description?: string }[] }[];
  }[];
}

/** @throws Error with Playwright's message if the suite below `root` does not load. */
export function readChecks(root: string): Checks {
  const config = join(root, 'conformance/playwright.config.ts');
  const cli = join(root, 'node_modules/@playwright/test/cli.js');
  const { stdout } = spawnSync(process.execPath, [cli, 'test', '--list', '--reporter', 'json', '--config', config], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const report = JSON.parse(stdout) as Listed & { errors: readonly { message: string }[] };
  if (report.errors.length > 0) throw new Error(`The suite does not load: ${report.errors.map(({ message }) => message).join('\n')}`);
  const checks = new Map<string, Map<string, number>>();
  const seen = new Set<string>();
  for (const { file, title, tests } of specsOf(report)) {
    if (seen.has(`${file} ${title}`)) continue;
    seen.add(`${file} ${title}`);
    for (const { type, description = '' } of tests[0]?.annotations ?? []) {
      if (type !== 'rule') continue;
      const files = checks.get(description) ?? new Map<string, number>();
      checks.set(description, files.set(file, (files.get(file) ?? 0) + 1));
    }
  }
  return checks;
}

function specsOf({ suites = [], specs = [] }: Listed): NonNullable<Listed['specs']> {
  return [...specs, ...suites.flatMap(specsOf)];
}
