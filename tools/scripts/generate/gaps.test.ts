import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rule } from '../../../src/contract/generated/rules.ts';
import { findGaps } from './gaps.ts';

const RULE: Rule = { text: 'A user has a name.', level: 'documented', section: 'Users', actor: 'service', document: 'openapi' };
const QUOTING_ROW = { section: 'Users', words: 'has a name', cells: ['“has a name”', '`users.name`', ''] };
const checks = new Map([['users.name', new Map([['users.spec.ts', [RULE.text]]])]]);
const coverage = { text: '## Users\n| `users.name` |', rows: [QUOTING_ROW] };

const CASES: readonly [title: string, rule: Partial<Rule>, sources: Partial<Parameters<typeof findGaps>[1]>, gap: RegExp | undefined][] = [
  ['a rule with a check and quoted words lacks nothing', {}, {}, undefined],
  ['a rule of the service needs a check', {}, { checks: new Map() }, /has no check\. Add one to a file in conformance\/rules\.$/],
  ['a rule that no check can test needs no check', { untestable: 'Nobody can see it.' }, { checks: new Map() }, undefined],
  ["a consumer's rule needs no check of the suite", { actor: 'consumer' }, { checks: new Map() }, undefined],
  ['a rule is in the coverage document, under its section', { section: 'Accounts' }, {}, /row under "Accounts"\.$/],
  ['a documented rule needs quoted words', {}, { coverage: { ...coverage, rows: [] } }, /has no quoted words/],
  ['an implied rule needs no quoted words', { level: 'implied' }, { coverage: { ...coverage, rows: [] } }, undefined],
];

for (const [title, rule, sources, gap] of CASES) {
  test(title, () => {
    const [found] = findGaps({ 'users.name': { ...RULE, ...rule } }, { checks, coverage, ...sources });
    if (gap) assert.match(found ?? '', gap);
    else assert.equal(found, undefined);
  });
}
