import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decisions } from '../../src/contract/generated/decisions-table.ts';
import { rules } from '../../src/contract/generated/rules-table.ts';
import { findIds, readCoverage } from './generate/coverage.ts';

const { text, rows } = readCoverage('.');

test('every id in the coverage document is a rule or a decision', () => {
  const unknown = findIds(text).filter((id) => !Object.hasOwn({ ...rules, ...decisions }, id));
  assert.deepEqual(unknown, []);
});

test('the coverage document lists every decision under its section', () => {
  const parts = text.split(/^## /m).slice(1);
  const listed = new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), findIds(part)]));
  const missing = Object.entries(decisions).filter(([id, { section }]) => !listed.get(section)?.includes(id));
  assert.deepEqual(missing, []);
});

test('every row in the coverage document has rules, decisions, or a reason for having neither', () => {
  const bare = rows.filter(({ cells: [, inRules = '', inDecisions = '', ...more] }) => {
    const isReason = findIds(inRules + inDecisions).length > 0 || inDecisions.trim() !== '';
    return more.length > 0 || inRules.trim() === '' || !isReason;
  });
  assert.deepEqual(bare, []);
});

test('the code uses every decision that can be set', () => {
  const files = globSync('src/**/*.ts').filter((file) => !/\.test\.ts$|\/generated\/|\/testing\//.test(file));
  const sources = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  const requests = readFileSync('openapi/schemas/requests.yaml', 'utf8');
  const choosable = Object.entries(decisions).filter(([, { alternatives = [], values }]) => values || alternatives.length > 0);
  const unused = choosable.map(([id]) => id).filter((id) => !sources.includes(`'${id}'`) && !requests.includes(id));
  assert.deepEqual(unused, []);
});
