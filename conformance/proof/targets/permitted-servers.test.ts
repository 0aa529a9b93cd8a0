import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUIRKS } from '../mutants/quirks.ts';
import { PERMITTED_SERVERS } from './permitted-servers.ts';

test('every quirk occurs, and every quirk or decision of a server that is tested with many rules occurs at least twice', () => {
  const listDecisions = (decisions: object) =>
    Object.entries(decisions)
      .filter(([id]) => !id.endsWith('lag'))
      .map(String);
  const counts = Map.groupBy(
    PERMITTED_SERVERS.flatMap(({ quirks, decisions, rules }) => (rules ? [] : [...quirks, ...listDecisions(decisions)])),
    String,
  );
  for (const [name, { length }] of counts) assert.ok(length >= 2, name);
  const used = PERMITTED_SERVERS.flatMap(({ quirks }) => quirks);
  assert.deepEqual(new Set<string>(used), new Set(Object.keys(QUIRKS)));
});
