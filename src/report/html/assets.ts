export const STYLE = `
:root { color-scheme: light dark;
  --paper: light-dark(#fbfaf8, #15171a); --card: light-dark(#fff, #1d2024); --ink: light-dark(#1e2227, #e7e5e1); --soft: light-dark(#646b75, #9aa0a8);
  --line: light-dark(#e5e2dc, #30343a); --code: light-dark(#f3f1ed, #14161a); --accent: light-dark(#2456c9, #8fb1ff);
  --passed: light-dark(#1d7f4e, #56c98d); --failed: light-dark(#c42b36, #ff7b81); --error: light-dark(#8c3bb0, #d69bf2);
  --untested: light-dark(#96690b, #e3b650); --outside: light-dark(#a9a59d, #5b6169); }
:root[data-theme=light] { color-scheme: light; } :root[data-theme=dark] { color-scheme: dark; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 40px 24px 96px; }
h1 { font-size: 28px; line-height: 1.2; margin: 4px 0 6px; letter-spacing: -.015em; overflow-wrap: anywhere; }
h2 { font-size: 17px; margin: 0; } h2 small, h4 small, li small { color: var(--soft); font-weight: 400; }
code, pre { font: 12.5px/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
a { color: var(--accent); }
.meta, .section { color: var(--soft); margin: 0; } .eyebrow { color: var(--soft); margin: 0; font-size: 13px; letter-spacing: .02em; }
header { display: flex; justify-content: space-between; gap: 16px; align-items: start; }
button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 5px 12px; cursor: pointer; }
button:hover { border-color: var(--soft); } :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.passed { --tone: var(--passed); } .failed, .flaky { --tone: var(--failed); } .error { --tone: var(--error); }
.not-testable, .not-exercised, .advice .failed { --tone: var(--untested); } .partly-tested { --tone: color-mix(in srgb, var(--untested), var(--passed)); } .not-applicable { --tone: var(--outside); }
.headline { font-size: 17px; margin: 20px 0 0; padding: 12px 16px; border-radius: 10px; border: 1px solid color-mix(in srgb, var(--tone) 40%, var(--line));
  background: color-mix(in srgb, var(--tone) 9%, var(--card)); }
.headline ul { margin: 6px 0 0; padding-left: 20px; font-size: 15px; } .headline a { color: var(--tone); }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(300px, 1fr)); gap: 16px; margin: 16px 0 28px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 16px 18px; }
.card b { font-size: 30px; letter-spacing: -.02em; } .card p { margin: 0; color: var(--soft); }
.bar { display: flex; height: 8px; border-radius: 4px; overflow: hidden; margin: 10px 0 8px; background: var(--line); gap: 1px; }
.bar i { background: var(--tone); min-width: 3px; } .legend { display: flex; flex-wrap: wrap; gap: 2px 14px; font-size: 13px; color: var(--soft); }
.dot { display: inline-block; width: 9px; height: 9px; border-radius: 50%; background: var(--tone); margin-right: 6px; }
.overview { display: grid; grid-template-columns: max-content max-content 1fr; gap: 3px 12px; align-items: center; margin: 0 0 20px; padding: 16px 18px; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
.overview b { font-weight: 600; grid-column: 1; } .overview .form { color: var(--soft); font-size: 13px; grid-column: 2; } .overview .row { display: flex; flex-wrap: wrap; gap: 2px; grid-column: 3; padding: 2px 0; }
.overview a { width: 13px; height: 13px; border-radius: 3px; background: var(--tone); } .overview a.passed { opacity: .75; } .overview a.not-applicable { background: none; border: 1px solid var(--line); }
.overview a.failed.advice { --tone: var(--untested); } .overview a.not-testable { background: color-mix(in srgb, var(--tone) 55%, var(--card)); } .overview a.known { opacity: .4; } .overview a:hover { outline: 2px solid var(--ink); opacity: 1; } .overview .first { margin-top: 6px; }
.filter { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: 8px; padding: 12px 0; background: var(--paper); border-bottom: 1px solid var(--line); }
.filter input { flex: 1 1 300px; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 6px 12px; min-width: 0; }
.filter button { white-space: nowrap; } .filter button[aria-pressed=true] { border-color: var(--tone, var(--accent)); background: color-mix(in srgb, var(--tone, var(--accent)) 16%, var(--card)); }
.filter button span { color: var(--soft); } .filter .gap { width: 4px; }
.resource { margin-top: 28px; } .resource > header { padding: 0 0 8px; align-items: baseline; justify-content: start; gap: 10px; }
.resource .forms { margin-left: auto; color: var(--soft); font-size: 13px; }
.rules { background: var(--card); border: 1px solid var(--line); border-radius: 12px; overflow: hidden; }
.rule + .rule { border-top: 1px solid var(--line); }
.rule > summary { display: flex; align-items: baseline; gap: 8px; padding: 7px 14px; cursor: pointer; list-style: none; }
.rule > summary::-webkit-details-marker { display: none; } .rule > summary:hover { background: color-mix(in srgb, var(--accent) 5%, var(--card)); }
.rule > summary code { color: var(--soft); text-align: right; flex: none; max-width: 40%; overflow-wrap: anywhere; } .sentence { flex: 1; padding-left: 4px; }
.mark { flex: none; width: 22px; height: 22px; line-height: 22px; text-align: center; border-radius: 6px; font-weight: 700; font-size: 13px; color: var(--tone);
  background: color-mix(in srgb, var(--tone) 15%, var(--card)); }
.mark.failed, .mark.flaky, .mark.error { color: var(--card); background: var(--tone); } .mark.not-applicable { background: none; } .mark.known { opacity: .5; }
.chip { font-size: 12px; color: var(--soft); border: 1px solid var(--line); border-radius: 99px; padding: 0 8px; white-space: nowrap; }
.inside { padding: 4px 18px 18px 74px; } .rule[open] > summary { background: color-mix(in srgb, var(--accent) 4%, var(--card)); }
.verdict { color: var(--tone); margin-left: 8px; } .cell h4 { margin: 14px 0 4px; font-size: 14px; }
.checks { list-style: none; margin: 0; padding: 0; } .checks > li { padding: 3px 0; }
.check { display: flex; gap: 8px; align-items: baseline; } .check > span:nth-child(2) { flex: 1; } .check > small { text-align: right; }
.check .mark { width: 18px; height: 18px; line-height: 18px; font-size: 11px; border-radius: 5px; }
.failure { margin: 8px 0 14px; } .message { margin: 0 0 8px; white-space: pre-wrap; font-weight: 600; color: var(--failed); overflow-wrap: anywhere; } .message span { font-weight: 400; color: var(--ink); }
.exchange { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; } .exchange h5 { margin: 0 0 4px; font-size: 12px; color: var(--soft); font-weight: 600; }
pre { margin: 0; background: var(--code); border: 1px solid var(--line); border-radius: 8px; padding: 10px 12px; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 380px; overflow: auto; }
.exchange > div { min-width: 0; } .fact { margin: 10px 0 0; } .fact span { color: var(--soft); font-size: 13px; }
.status.s2 { color: var(--passed); } .status.s4 { color: var(--untested); } .status.s5 { color: var(--failed); }
.curl { position: relative; margin-top: 10px; } .curl pre { padding-right: 84px; } .curl button { position: absolute; top: 6px; right: 6px; padding: 1px 10px; font-size: 13px; }
.timeline { margin: 10px 0 14px; } .timeline > summary, .step > summary { cursor: pointer; } .timeline > summary { color: var(--soft); font-size: 13px; }
.timeline table { margin-top: 6px; border: 1px solid var(--line); border-radius: 10px; border-collapse: separate; border-spacing: 0; overflow: hidden; }
.timeline th, .timeline td { padding: 4px 10px; border: 0; } .timeline thead th { background: var(--code); vertical-align: middle; } .timeline .time { white-space: nowrap; width: 1px; color: var(--soft); } .timeline td.time { font: 12.5px/1.7 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.timeline .lane { width: 72px; text-align: center; padding: 0; position: relative; } .timeline td.lane::before { content: ""; position: absolute; inset: 0 auto 0 50%; border-left: 1px solid var(--line); }
.timeline .lane i { position: absolute; top: 10px; left: 50%; width: 11px; height: 11px; margin-left: -5px; border-radius: 50%; background: var(--actor); } .step { overflow-wrap: anywhere; }
.step h5 { margin: 8px 0 3px; font-size: 12px; color: var(--soft); } .step pre { max-height: 260px; } .step[open] { padding-bottom: 8px; } .step b { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.by-world { --actor: var(--untested); } .by-service { --actor: var(--accent); } .by-integration { --actor: var(--error); } .by-check { --actor: var(--outside); }
.violation { --actor: var(--failed); } tr.violation > td { background: color-mix(in srgb, var(--failed) 10%, var(--card)); } .violation summary, .violation > .what > div { font-weight: 600; }
.violation .mark { display: inline-block; width: 18px; height: 18px; line-height: 18px; font-size: 11px; border-radius: 5px; } .advice .message { color: var(--untested); }
.cards:has(:nth-child(3)) .card b { font-size: 24px; }
.before { margin-top: 10px; } .before summary { cursor: pointer; color: var(--soft); } .before .exchange { margin-top: 10px; }
table { width: 100%; border-collapse: collapse; background: var(--card); } th { text-align: left; font-size: 13px; color: var(--soft); font-weight: 600; }
th, td { padding: 8px 14px; border-top: 1px solid var(--line); vertical-align: top; } tr:first-child th { border-top: 0; } td.value { white-space: nowrap; }
td small { color: var(--soft); } .coverage + .coverage { border-top: 1px solid var(--line); } .coverage > summary { display: flex; flex-wrap: wrap; gap: 2px 10px; align-items: baseline; padding: 7px 14px; cursor: pointer; } .coverage > summary b { font-weight: 500; } .coverage small { color: var(--soft); }
.coverage > summary > span { display: flex; flex-wrap: wrap; gap: 3px; margin-left: auto; } .answer { font-size: 12px; padding: 0 6px; border-radius: 5px; border: 1px solid var(--line); color: var(--soft); } .answer.met { color: var(--passed); border-color: currentColor; background: color-mix(in srgb, var(--passed) 12%, var(--card)); }
.coverage td { width: 40%; } .coverage td.status, .coverage td.value { width: 1px; } .coverage tr.never td { color: var(--soft); border-color: var(--line); } .coverage td.value { color: var(--passed); } .nothing { color: var(--soft); padding: 40px 0; text-align: center; } [hidden] { display: none !important; }
@media (max-width: 720px) { .overview { grid-template-columns: max-content 1fr; } .overview b { grid-column: 1 / -1; } .overview .form { grid-column: 1; } .overview .row { grid-column: 2; } main { padding: 20px 14px 60px; } .exchange { grid-template-columns: 1fr; } .rule > summary { flex-wrap: wrap; } .rule > summary code { max-width: 100%; flex-basis: 100%; text-align: left; padding-left: 64px; } .inside { padding-left: 18px; } .check > small { display: none; } .filter { position: static; } .timeline .lane { display: none; } .step b { position: static; clip-path: none; }
  .rules > table, .rules > table > tbody, .rules > table tr, .rules > table td { display: block; } .rules > table th { display: none; } .rules > table td { border: 0; padding: 2px 14px; } .rules > table tr { border-top: 1px solid var(--line); padding: 8px 0; } td.value { white-space: normal; } code, .sentence, .check > span, td { overflow-wrap: anywhere; min-width: 0; } }
@media print { .overview a { print-color-adjust: exact; } .filter, button { display: none !important; } body { background: none; } .rule { break-inside: avoid; } }
`;

/** Switches the theme, and opens the element to which the URL refers. */
export const THEME_SCRIPT = `
document.querySelector('#theme').addEventListener('click', () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
});
function openLinked() {
  const rule = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (rule instanceof HTMLDetailsElement) { rule.hidden = false; rule.open = true; rule.scrollIntoView({ block: 'center' }); }
}
addEventListener('hashchange', openLinked);
openLinked();
`;

export const SCRIPT = `${THEME_SCRIPT}
const rules = [...document.querySelectorAll('.rule')];
const search = document.querySelector('#search');
const chosen = { verdict: new Set(), level: new Set() };

function apply() {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const rule of rules) {
    const verdicts = rule.dataset.verdict.split(' ');
    const fits = (chosen.verdict.size === 0 || verdicts.some((verdict) => chosen.verdict.has(verdict)))
      && (chosen.level.size === 0 || chosen.level.has(rule.dataset.level))
      && words.every((word) => rule.dataset.text.includes(word));
    rule.hidden = !fits;
    if (fits) shown += 1;
  }
  for (const section of document.querySelectorAll('.resource[data-rules]')) section.hidden = !section.querySelector('.rule:not([hidden])');
  document.querySelector('.nothing').hidden = shown > 0;
}

search.addEventListener('input', apply);
for (const button of document.querySelectorAll('[data-filter]')) {
  button.addEventListener('click', () => {
    const set = chosen[button.dataset.filter];
    const on = button.getAttribute('aria-pressed') !== 'true';
    button.setAttribute('aria-pressed', String(on));
    on ? set.add(button.value) : set.delete(button.value);
    apply();
  });
}
for (const button of document.querySelectorAll('[data-search]')) {
  button.addEventListener('click', () => { search.value = button.dataset.search; apply(); search.scrollIntoView({ block: 'center' }); });
}
for (const button of document.querySelectorAll('[data-copy]')) {
  button.addEventListener('click', async () => {
    const pre = button.previousElementSibling;
    try { await navigator.clipboard.writeText(pre.textContent); button.textContent = 'Copied'; }
    // Some browsers refuse the clipboard to pages from a file, so the text is selected instead.
    catch { getSelection().selectAllChildren(pre); button.textContent = 'Selected'; }
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
}
`;

/** For the page about several runs, in addition to STYLE. */
export const MATRIX_STYLE = `
.matrix { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 12px; margin: 16px 0 10px; padding: 10px 14px; }
.matrix table { border-collapse: separate; border-spacing: 4px; width: auto; } .matrix th, .matrix td { border: 0; padding: 5px 10px; text-align: center; vertical-align: bottom; white-space: nowrap; }
.matrix th[scope=row] { text-align: left; font-weight: 600; padding-left: 4px; position: sticky; left: 0; background: var(--card); } .matrix thead small, .trend small { display: block; color: var(--soft); font-weight: 400; }
.matrix .cell { border-radius: 7px; min-width: 84px; font-variant-numeric: tabular-nums; color: var(--ink); background: color-mix(in srgb, var(--tone) 16%, var(--card)); }
.matrix .cell.broke { outline: 2px solid var(--failed); } .down { color: var(--failed); } .up { color: var(--passed); }
.trend .column { display: flex; flex-direction: column; width: 34px; height: 64px; margin: 0 auto 3px; border-radius: 5px; overflow: hidden; gap: 1px; background: var(--line); } .trend i { background: var(--tone); min-height: 3px; }
.changes { background: var(--card); border: 1px solid var(--line); border-radius: 12px; margin-top: 10px; } .changes .inside { padding: 0 18px 14px; } .changes h4 { margin: 8px 0 4px; } .changes code { color: var(--soft); overflow-wrap: anywhere; max-width: 40%; text-align: right; } .changes .check > span { flex: none; } .changes .check > span:nth-last-of-type(1) { flex: 1; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 14px; font-size: 13px; color: var(--soft); margin: 0 0 14px; }
`;
