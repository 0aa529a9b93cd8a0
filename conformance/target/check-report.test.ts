import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addReport, createReport } from './check-report.ts';

test('the report of a check that ran together with others loses nothing', () => {
  const report = Object.fromEntries(Object.keys(createReport()).map((name) => [name, [`of ${name}`]]));
  const to = createReport();
  addReport(to, { ...createReport(), ...report });
  assert.deepEqual(to, report);
});
