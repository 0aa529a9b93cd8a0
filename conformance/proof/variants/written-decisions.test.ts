import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createKit } from '../../../src/kit.ts';
import { decisionsFile } from '../../../src/report/decisions-file.ts';
import { smallResults } from '../../../src/report/testing/small-results.ts';
import { observable, planVariants } from './plan.ts';

for (const [index, set] of planVariants(() => true).entries()) {
  test(`a kit that starts with the decisions observed of variant ${index + 1} decides the same`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'written-decisions-'));
    try {
      const taken = observable.flatMap((decision) => (set[decision] === undefined ? [] : [{ decision, value: set[decision] }]));
      const decisions = join(folder, 'observed.yaml');
      const observations = taken.map((each) => ({ ...each, forms: ['prefixed'] as const }));
      writeFileSync(decisions, decisionsFile(smallResults([], { observations })));
      const kit = await createKit({ port: 0, decisions });
      await kit.close();
      for (const { decision, value } of taken) assert.equal(kit.decisions[decision], value, decision);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
