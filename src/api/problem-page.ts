import { escapeHtml, formatHtmlDocument } from '../oauth/server/page.ts';
import { MOCK_NOTICE } from './home.ts';

export interface ProblemType {
  readonly id: string;
  readonly kind: 'rule' | 'decision' | 'gate';
  readonly text: string;
  readonly level?: string;
  readonly section?: string;
  readonly operations?: readonly string[];
  readonly status?: string;
  readonly default?: string | number | boolean;
  readonly alternatives?: readonly (string | number | boolean)[];
  readonly means?: Readonly<Record<string, string>>;
}

const KIND_DESCRIPTIONS: Record<ProblemType['kind'], string> = {
  rule: 'A rule from the specification',
  decision: 'A point that the specification leaves open. The kit has a default, which you can change with --set',
  gate: 'A refusal that the specification does not describe',
};

export function formatProblemPage(type: ProblemType): string {
  const { id, kind, level, section, operations, status, alternatives = [] } = type;
  const formatMeaning = (value: string | number | boolean) => [String(value), type.means?.[String(value)]].filter(Boolean).join(': ');
  const rows = [
    ['What it is', KIND_DESCRIPTIONS[kind]],
    ['Status', status],
    ['Level', level],
    ['Specification', section],
    ['Operations', operations?.join(', ')],
    ['The kit’s choice', type.default === undefined ? undefined : formatMeaning(type.default)],
    ...alternatives.map((value) => ['Or', formatMeaning(value)]),
  ].filter((row): row is [string, string] => row[1] !== undefined);
  return formatHtmlDocument({
    title: id,
    note: MOCK_NOTICE,
    body: `<h1>${escapeHtml(id)}</h1>
<p>${escapeHtml(type.text)}</p>
<ul class="scopes">${rows.map(([name, value]) => `<li>${escapeHtml(name)}<code>${escapeHtml(value)}</code></li>`).join('')}</ul>
<p class="last">To see why a request got this problem and what would succeed, run <code>xpk explain TRACEID</code> with the problem's <code>traceId</code>.</p>`,
  });
}
