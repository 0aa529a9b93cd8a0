import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decisions } from '../src/contract/generated/decisions-table.ts';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('generated') && !file.includes('testing'))
  .map((file) => readFileSync(`src/${file}`, 'utf8'))
  .join('\n');

test('every decision that can be set is used by the code', () => {
  const choosable = Object.entries(decisions).filter(([, { alternatives = [], values }]) => values || alternatives.length > 0);
  const contract = readFileSync('openapi/schemas/requests.yaml', 'utf8');
  const unused = choosable.map(([id]) => id).filter((id) => !sources.includes(`'${id}'`) && !contract.includes(id));
  assert.deepEqual(unused, []);
});

test('a decision without an alternative has a reason', () => {
  const unexplained = Object.entries(decisions).filter(
    ([, { alternatives = [], values, observable }]) => !values && alternatives.length === 0 && observable === true,
  );
  assert.deepEqual(unexplained, []);
});
