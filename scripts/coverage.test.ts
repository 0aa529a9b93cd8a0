import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decisions } from '../src/contract/generated/decisions-table.ts';
import { rules } from '../src/contract/generated/rules-table.ts';

const text = readFileSync(new URL('../docs/specification-coverage.md', import.meta.url), 'utf8');
const contract: Readonly<Record<string, { readonly section: string }>> = { ...rules, ...decisions };

/** The parts of the document by heading. */
const parts = new Map(
  text
    .split(/^## /m)
    .slice(1)
    .map((part): [string, string] => [part.slice(0, part.indexOf('\n')), part]),
);
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| “'))
  .map((line) => line.split('|').slice(1, -1));

/** Everything in code type, which the document uses for ids only. */
const idsIn = (part: string): string[] => [...part.matchAll(/`([^`]*)`/g)].map(([, id]) => id as string);
const named = new Set(idsIn(text));

test('the coverage document names every rule and every decision of the contract', () => {
  assert.deepEqual(
    Object.keys(contract).filter((id) => !named.has(id)),
    [],
  );
});

test('every id in the coverage document is a rule or a decision', () => {
  assert.deepEqual(
    [...named].filter((id) => !Object.hasOwn(contract, id)),
    [],
  );
});

test('every id is in code type, so that it is checked', () => {
  const prose = text.replace(/`[^`]*`/g, '');
  const words = new Set(prose.match(/[a-z][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)+/g));
  assert.deepEqual(
    [...words].filter((word) => Object.hasOwn(contract, word)),
    [],
  );
});

test('every rule and decision is listed under its section', () => {
  const misplaced = Object.entries(contract).filter(([id, { section }]) => !idsIn(parts.get(section) ?? '').includes(id));
  assert.deepEqual(
    misplaced.map(([id, { section }]) => `${id}: ${section}`),
    [],
  );
});

test('every row has rules, decisions, or a reason why it has neither', () => {
  assert.deepEqual(
    rows.filter((row) => row.length !== 3 || (row[1] ?? '').trim() === ''),
    [],
  );
  const bare = rows.filter(([, inRules = '', inDecisions = '']) => idsIn(inRules + inDecisions).length === 0);
  assert.deepEqual(
    bare.filter(([, , reason = '']) => reason.trim() === ''),
    [],
  );
});

test('the counts at the top of the coverage document are correct', () => {
  const counts = `${rows.length} rows name ${Object.keys(rules).length} rules and ${Object.keys(decisions).length} decisions`;
  assert.ok(text.includes(counts), `expected: ${counts}`);
});
