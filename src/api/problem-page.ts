import { htmlDocument, text } from '../oauth/server/page.ts';
import { NOT_THE_SERVICE } from './home.ts';

/**
 * A problem type. A problem type is a rule of the specification, a decision that fills a gap in the specification, or a gate of the kit.
 */
export interface ProblemType {
  readonly id: string;
  readonly kind: 'rule' | 'decision' | 'gate';
  readonly text: string;
  readonly level?: string;
  readonly section?: string;
  readonly operations?: readonly string[];
  readonly status?: string;
  /** The default value of a decision. `alternatives` are the other values. `means` explains each value. */
  readonly default?: string | number | boolean;
  readonly alternatives?: readonly (string | number | boolean)[];
  readonly means?: Readonly<Record<string, string>>;
}

const KINDS: Record<ProblemType['kind'], string> = {
  rule: 'A rule of the specification',
  decision: 'A point that the specification leaves open. The kit has a default, which --set changes',
  gate: 'A reason of the kit, on which the specification says nothing',
};

/** Returns the HTML page for the address in the member `type` of a problem. */
export function problemPage(type: ProblemType): string {
  const { id, kind, level, section, operations, status, alternatives = [] } = type;
  const meaning = (value: string | number | boolean) => [String(value), type.means?.[String(value)]].filter(Boolean).join(': ');
  const rows = [
    ['What it is', KINDS[kind]],
    ['Status', status],
    ['Level', level],
    ['Specification', section],
    ['Operations', operations?.join(', ')],
    ['The kit’s choice', type.default === undefined ? undefined : meaning(type.default)],
    ...alternatives.map((value) => ['Or', meaning(value)]),
  ].filter((row): row is [string, string] => row[1] !== undefined);
  return htmlDocument({
    title: id,
    note: NOT_THE_SERVICE,
    body: `<h1>${text(id)}</h1>
<p>${text(type.text)}</p>
<ul class="scopes">${rows.map(([name, value]) => `<li>${text(name)}<code>${text(value)}</code></li>`).join('')}</ul>
<p class="last">To see why a request got this problem and what would succeed, run <code>xpk explain TRACEID</code> with the <code>traceId</code> of the problem.</p>`,
  });
}
