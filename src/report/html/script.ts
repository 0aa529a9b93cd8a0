/** Filters, copy buttons, and the switch between light and dark. */
export const SCRIPT = `
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
    // Some browsers refuse the clipboard to pages from a file: select the text instead.
    catch { getSelection().selectAllChildren(pre); button.textContent = 'Selected'; }
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
}
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
