import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { decisionRefusals } from '../../../src/refusals/table.ts';
import { formatDecisionsFile } from '../../../src/report/decisions-file.ts';
import { createSmallResults } from '../../../src/report/testing/small-results.ts';
import { readDecisionsFile } from '../../../src/world/decisions-file.ts';
import { alternatives, observable, planVariants } from './plan.ts';

const rules = new URL('../../rules/', import.meta.url);
const observed = new Set<string>(decisionRefusals.map(({ id }) => id));
const observing = readdirSync(rules, { encoding: 'utf8', recursive: true })
  .filter((file) => basename(file).startsWith('observed-'))
  .map((file) => readFileSync(new URL(file, rules), 'utf8'))
  .join('\n');

test('every observable decision has a check that observes it', () => {
  assert.deepEqual(
    observable.filter((id) => !observed.has(id) && !observing.includes(`'${id}'`)),
    [],
  );
});

test('the variants contain every alternative of every decision', () => {
  const variants = planVariants(() => true);
  for (const [id, values] of alternatives) assert.deepEqual(new Set(variants.map((variant) => variant[id])), new Set(values), id);
  assert.equal(variants.length, Math.max(...[...alternatives.values()].map(({ length }) => length)));
});

test('readDecisionsFile reads every observable alternative that formatDecisionsFile wrote', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'written-decisions-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const set of planVariants((id) => observable.includes(id))) {
    const file = join(folder, 'observed.yaml');
    const observations = Object.entries(set).map(([decision, value]) => ({ decision, value, forms: ['prefixed'] as const }));
    writeFileSync(file, formatDecisionsFile(createSmallResults([], { observations })));
    assert.deepEqual({ ...(await readDecisionsFile(file)) }, set);
  }
});
