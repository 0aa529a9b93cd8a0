import { createHash } from 'node:crypto';

/** The pages load no resources, so each page contains the style sheet. */
export const STYLE_SHEET = `
:root {
  color-scheme: light dark;
  --ground: #f3f4f7; --card: #fff; --raised: #f7f8fb; --line: #d9dce4; --edge: #7d8496; --text: #1b1f2a; --quiet: #565d6f;
  --accent: #3446b8; --on-accent: #fff; --accent-over: #28379a; --tint: #eef0fc; --note: #fdf4dc; --on-note: #5c4400;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #11131a; --card: #1a1d27; --raised: #222633; --line: #333949; --edge: #7c849a; --text: #e8eaf1; --quiet: #a6adbf;
    --accent: #a9b6ff; --on-accent: #12162e; --accent-over: #c3ccff; --tint: #252b4a; --note: #2f2816; --on-note: #f1dca6;
  }
}
*, ::before, ::after { box-sizing: border-box; }
body {
  margin: 0; padding: 3rem 1rem; background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Open Sans', sans-serif; overflow-wrap: anywhere;
}
main { max-width: 34rem; margin: 0 auto; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; text-wrap: balance; }
p { margin: 0 0 1rem; }
code { font: .8125rem/1.5 ui-monospace, 'Cascadia Mono', Menlo, Consolas, monospace; color: var(--quiet); }
a { color: var(--accent); }
a code { color: inherit; }
.note { margin: -2rem -2rem 1.75rem; padding: .75rem 2rem; border-radius: 1rem 1rem 0 0; background: var(--note); color: var(--on-note); font-size: .875rem; }
.scopes { margin: 0 0 1.5rem; padding: 0; list-style: none; border-block: 1px solid var(--line); }
.scopes li { padding: .4375rem 0; font-size: .9375rem; }
.scopes li + li { border-top: 1px solid var(--line); }
.scopes code { display: block; }
.name, legend { display: block; padding: 0; margin: 0 0 .375rem; font-weight: 600; }
input[type=tel] {
  width: 100%; margin: 0 0 1.5rem; padding: .5rem .875rem; font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line);
  border-radius: .5rem; font-variant-numeric: tabular-nums;
}
fieldset { min-width: 0; margin: 0 0 1.5rem; padding: 0; border: 0; }
.choice {
  display: grid; grid-template-columns: auto 1fr auto; column-gap: .75rem; align-items: baseline; padding: .625rem .875rem; border: 1px solid var(--line); border-radius: .5rem; cursor: pointer;
}
.choice + .choice { margin-top: .5rem; }
.choice:hover { border-color: var(--edge); }
.choice:has(:checked) { background: var(--tint); border-color: var(--accent); }
.choice input { align-self: center; width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--accent); }
.choice small { font-size: .875rem; color: var(--quiet); font-variant-numeric: tabular-nums; }
.choice .may { grid-column: 2 / -1; }
.answers { display: flex; flex-wrap: wrap; gap: .75rem; margin: 0; }
button {
  flex: 1 1 8rem; min-height: 2.75rem; padding: .5rem 1rem; font: inherit; font-weight: 600; border: 1px solid var(--edge); border-radius: .5rem;
  background: transparent; color: inherit; cursor: pointer;
}
button:hover { background: var(--raised); }
.approve { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.approve:hover { background: var(--accent-over); }
:focus-visible, .choice:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; }
.choice :focus-visible { outline: 0; }
.last { margin: 0; }
@media (max-width: 38rem) {
  body { padding: 0; background: var(--card); }
  main { padding: 1.5rem 1.25rem; border: 0; border-radius: 0; }
  .note { margin: -1.5rem -1.25rem 1.5rem; padding: .75rem 1.25rem; border-radius: 0; }
}
`;

export const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE_SHEET).digest('base64')}'`;
