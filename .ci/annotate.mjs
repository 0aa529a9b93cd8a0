// Prints a workflow command of GitHub Actions for each rule that failed in a JUnit report of xpk, so that the run shows it as an annotation.
//
//   node annotate.mjs conformance-report/junit.xml
import { readFileSync } from 'node:fs';

/** GitHub shows at most ten errors of a step. */
const MAX_SHOWN = 10;
const CASE = /<testcase name="([^"]*)" classname="([^".]*)[^>]*><(?:failure|error) message="([^"]*)"/g;

const failures = new Map();
for (const [, name, column, message] of readFileSync(process.argv[2], 'utf8').matchAll(CASE)) {
  const failure = failures.get(name) ?? { columns: [], message };
  failure.columns.push(column);
  failures.set(name, failure);
}
const lines = [...failures].map(([name, { columns, message }]) => [`${name} (${columns.join(', ')})`, message]);
const rest = lines.length > MAX_SHOWN ? lines.splice(MAX_SHOWN - 1) : [];
if (rest.length > 0) lines.push(['More rules failed', `${rest.length} more rules failed. The report shows all of them.`]);
for (const [title, message] of lines) console.log(`::error title=${escaped(title, /[%\r\n:,]/g)}::${escaped(message, /[%\r\n]/g)}`);

/** Replaces the entities of XML, and then the characters that have a meaning in a workflow command. */
function escaped(xml, characters) {
  const entities = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  const text = xml.replace(/&(?:#(\d+)|(\w+));/g, (entity, code, name) => (code ? String.fromCodePoint(code) : (entities[name] ?? entity)));
  return text.replace(characters, encodeURIComponent);
}
