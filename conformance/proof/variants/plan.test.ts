import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { alternatives, observable, planVariants } from './plan.ts';

const rules = new URL('../../rules/', import.meta.url);
const observing = readdirSync(rules)
  .filter((file) => file.startsWith('observed-'))
  .map((file) => readFileSync(new URL(file, rules), 'utf8'))
  .join('\n');

test('every observable decision has a check that observes it', () => {
  assert.deepEqual(
    observable.filter((id) => !observing.includes(`'${id}'`)),
    [],
  );
});

test('the variants together take every alternative of every decision', () => {
  const variants = planVariants(() => true);
  for (const [id, values] of alternatives) assert.deepEqual(new Set(variants.map((variant) => variant[id])), new Set(values), id);
  assert.equal(variants.length, Math.max(...[...alternatives.values()].map(({ length }) => length)));
});
