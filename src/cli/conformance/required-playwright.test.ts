import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { requirePlaywright } from './required-playwright.ts';

const folder = mkdtempSync(join(tmpdir(), 'xpk-playwright-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'file.js');

test('the suite runs if Playwright is installed', () => {
  requirePlaywright();
});

test('if Playwright is missing or has the wrong version, xpk conformance prints the needed version and how to install it', () => {
  const needed = /^xpk conformance needs @playwright\/test \d+\.\d+\.\d+, /;
  const install = /npm install --include=optional$/;
  for (const state of [/which is not installed/, /but finds 1\.2\.3/]) {
    for (const message of [needed, state, install]) assert.throws(() => requirePlaywright(file), { name: 'UsageError', message });
    const other = join(folder, 'node_modules/@playwright/test');
    mkdirSync(other, { recursive: true });
    writeFileSync(join(other, 'package.json'), '{ "version": "1.2.3" }');
  }
});
