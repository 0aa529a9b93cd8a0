/** What is said of a problem type: a rule of the specification, an open point of it, or a reason of the kit's own. */
export interface ProblemType {
  readonly id: string;
  readonly kind: 'rule' | 'decision' | 'gate';
  readonly text: string;
  readonly level?: string;
  readonly section?: string;
  readonly operations?: readonly string[];
  readonly status?: string;
  /** Of a decision: what the kit does unless told otherwise, what else may be chosen, and what the choices mean. */
  readonly default?: string | number | boolean;
  readonly alternatives?: readonly (string | number | boolean)[];
  readonly means?: Readonly<Record<string, string>>;
}

const KINDS: Record<ProblemType['kind'], string> = {
  rule: 'A rule of the specification',
  decision: 'A point that the specification leaves open; the kit decides it, and can be told to decide it otherwise (--set)',
  gate: 'A reason of the kit’s own; the specification is silent on it',
};

/** A page for a person who followed the `type` of a problem. */
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
<footer>Why a request got it, and what would have succeeded: <code>xpk explain TRACEID</code>, with the <code>traceId</code> of the problem.</footer>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
