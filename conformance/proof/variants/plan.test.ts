import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { alternatives, observable, planServers } from './plan.ts';

const rules = new URL('../../rules/', import.meta.url);
const observing = readdirSync(rules)
  .filter((file) => file.startsWith('observed-'))
  .map((file) => readFileSync(new URL(file, rules), 'utf8'))
  .join('\n');

test('every decision that can be seen has a check that observes it', () => {
  const observed = new Set(
    [...observing.matchAll(/\bobserved(?:Status)?\(\s*'([^']+)'|\brefusedWith\(\s*'([^']+)'/g)].map(([, id, other]) => id ?? other),
  );
  assert.deepEqual(
    observable.filter((id) => !observed.has(id)),
    [],
  );
});

test('the servers together take every alternative of every decision', () => {
  const servers = planServers(() => true);
  for (const [id, values] of alternatives) assert.deepEqual(new Set(servers.map((server) => server[id])), new Set(values), id);
  assert.equal(servers.length, Math.max(...[...alternatives.values()].map(({ length }) => length)));
});
