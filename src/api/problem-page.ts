/** A problem type: a rule of the specification, a decision on what it leaves open, or a gate of the kit. */
export interface ProblemType {
  readonly id: string;
  readonly kind: 'rule' | 'decision' | 'gate';
  readonly text: string;
  readonly level?: string;
  readonly section?: string;
  readonly operations?: readonly string[];
  readonly status?: string;
  /** Only for a decision: the default, the other choices, and what they mean. */
  readonly default?: string | number | boolean;
  readonly alternatives?: readonly (string | number | boolean)[];
  readonly means?: Readonly<Record<string, string>>;
}

const KINDS: Record<ProblemType['kind'], string> = {
  rule: 'A rule of the specification',
  decision: 'A point that the specification leaves open. The kit has a default, which --set changes',
  gate: 'A reason of the kit, on which the specification says nothing',
};

/** The page that the `type` of a problem leads to. */
export function problemPage(type: ProblemType): string {
  const { id, kind, text, level, section, operations, status, alternatives = [] } = type;
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
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(id)}</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 42rem; margin: 12vh auto; padding: 0 1.5rem; }
  h1 { font: 600 1rem/1.4 ui-monospace, monospace; opacity: .7; overflow-wrap: anywhere; }
  p { font-size: 1.4rem; margin: .5rem 0 2rem; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .4rem 1.5rem; }
  footer { margin-top: 2rem; }
  dt { opacity: .6; } dd { margin: 0; overflow-wrap: anywhere; }
</style>
<h1>${escapeHtml(id)}</h1><p>${escapeHtml(text)}</p>
<dl>${rows.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>
<footer>To see why a request got this problem and what would succeed, run <code>xpk explain TRACEID</code> with the <code>traceId</code> of the problem.</footer>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
