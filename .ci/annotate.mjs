// Prints a GitHub Actions workflow command for each failed rule in a JUnit report from xpk, so that the run shows the failed rules as
// annotations.
//
//   node annotate.mjs conformance-report/junit.xml
import { readFileSync } from 'node:fs';

/** GitHub shows at most ten annotations for each step. */
const MAX_ANNOTATIONS = 10;
const FAILED_CASE_PATTERN = /<testcase name="([^"]*)" classname="([^".]*)[^>]*><(?:failure|error) message="([^"]*)"/g;

const failures = new Map();
for (const [, name, column, message] of readFileSync(process.argv[2], 'utf8').matchAll(FAILED_CASE_PATTERN)) {
  const failure = failures.get(name) ?? { columns: [], message };
  failure.columns.push(column);
  failures.set(name, failure);
}
const lines = [...failures].map(([name, { columns, message }]) => [`${name} (${columns.join(', ')})`, message]);
const remaining = lines.length > MAX_ANNOTATIONS ? lines.splice(MAX_ANNOTATIONS - 1) : [];
if (remaining.length > 0) lines.push(['More rules failed', `${remaining.length} more rules failed. The report shows all of them.`]);
for (const [title, message] of lines)
  console.log(`::error title=${escapeForCommand(title, /[%\r\n:,]/g)}::${escapeForCommand(message, /[%\r\n]/g)}`);

/** Decodes XML entities, and then escapes the characters that have a special meaning in a workflow command. */
function escapeForCommand(xml, characters) {
  const entities = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  const text = xml.replace(/&(?:#(\d+)|(\w+));/g, (entity, code, name) => (code ? String.fromCodePoint(code) : (entities[name] ?? entity)));
  return text.replace(characters, encodeURIComponent);
}
