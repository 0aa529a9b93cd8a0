import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { RuleId } from '../contract/generated/rules.ts';
import { rules } from '../contract/generated/rules-table.ts';

/** Rules of the service that no test here names, and why not. */
const ELSEWHERE: { readonly [Id in RuleId]?: string } = {};

const files = ['./', './testing/suites/'].flatMap((path) => {
  const folder = new URL(path, import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith(path === './' ? '.test.ts' : '.ts'));
  return names.map((name) => new URL(name, folder));
});
const named = files.flatMap((file) => {
  const titles = readFileSync(file, 'utf8').matchAll(/\btest\(\s*rule\(([^)]+)\)/g);
  return [...titles].flatMap(([, ids]) => [...ids!.matchAll(/'([^']+)'/g)].map(([, id]) => id as RuleId));
});

test('Every rule of openapi.yaml that the service keeps has a test, or a reason why not', () => {
  const kept = (Object.keys(rules) as RuleId[]).filter((id) => {
    const { document, actor, level } = rules[id];
    return document === 'openapi' && actor === 'service' && level !== 'advice';
  });
  assert.deepEqual(
    kept.filter((id) => !named.includes(id) && !(id in ELSEWHERE)),
    [],
  );
  assert.deepEqual(
    Object.keys(ELSEWHERE).filter((id) => named.includes(id as RuleId) || !kept.includes(id as RuleId)),
    [],
  );
});
