import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKit } from '../../kit.ts';
import { runXpk } from './testing/run-xpk.ts';

// Together they need providers, clients, principals, accounts, numbers, users, Experiences, connections and faults, created through the control
// API and through the service.
const RULES = ['connections.list.default-page-size', 'connections.update.same-state', 'assignments.create.echo', 'users.list.internal'];
const ARGS = ['--form', 'flat', '--rule', ...RULES];

for (const [what, interrupted] of [
  ['is left as it was', false],
  ['is left as it was after Ctrl-C', true],
] as const) {
  test(`a running kit ${what}`, async () => {
    let asked = false;
    let interrupt: (() => void) | undefined;
    // The first successful response is to a check: a part of its world exists by then.
    const observe = ({ status }: { status: number }) => {
      if (status >= 300) return;
      if (!asked && interrupted) interrupt?.();
      asked = true;
    };
    const kit = await createKit({ port: 0 }, { observe });
    const stateOf = async () => Promise.all(['state', 'faults'].map(async (path) => (await fetch(`${kit.url}/_control/${path}`)).json()));
    try {
      const before = await stateOf();
      const { status, results, stdout, stderr } = await runXpk(['--base-url', kit.url, ...ARGS], {}, (end) => {
        interrupt = end;
      });
      assert.ok(asked, stderr);
      assert.equal(status, interrupted ? 130 : 0, stdout + stderr);
      assert.deepEqual(results.leftovers ?? [], []);
      assert.deepEqual(await stateOf(), before);
    } finally {
      await kit.close();
    }
  });
}
