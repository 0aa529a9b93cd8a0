import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findReleaseNotes } from './release-notes.ts';

const CHANGELOG =
  '# Changelog\n\n## 0.2.0 - unreleased\n\n- Later.\n\n## 0.1.0 - 2026-03-01\n\n### Added\n\n- Something.\n\n## 0.0.1 - 2026-01-01\n';

test('the notes of a release are the section with its version and date', () =>
  assert.equal(findReleaseNotes(CHANGELOG, '0.1.0'), '### Added\n\n- Something.'));

test('a version that is missing, unreleased or described by no text has no notes', () =>
  assert.deepEqual(
    ['0.3.0', '0.2.0', '0.0.1'].map((version) => findReleaseNotes(CHANGELOG, version)),
    [undefined, undefined, ''],
  ));
