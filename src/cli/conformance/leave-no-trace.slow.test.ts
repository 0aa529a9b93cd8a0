import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createArrangement } from '../../../conformance/target/arrangement.ts';
import { createCleanup } from '../../../conformance/target/cleanup.ts';
import { createControl } from '../../../conformance/target/control.ts';
import { createKitCapabilities } from '../../../conformance/target/kit-capabilities.ts';
import { createKit } from '../../kit.ts';
import { runXpk } from './testing/run-xpk.ts';

// The checks of these rules create faults and entities.
const CREATING_RULES = [
  'connections.list.default-page-size',
  'connections.update.same-state',
  'assignments.create.echo',
  'users.list.internal',
];
const RUN_ARGUMENTS = ['--form', 'flat', '--rule', ...CREATING_RULES];

for (const [description, isInterrupted, ...options] of [
  ['that ends', false, '--no-own-world'],
  ['that Ctrl-C interrupts', true, '--no-own-world'],
  ['in a world of its own', false],
  ['in a world of its own that Ctrl-C interrupts', true],
] as const) {
  test(`a run ${description} leaves a running kit's state unchanged`, async () => {
    let hasSucceeded = false;
    let interrupt: (() => void) | undefined;
    // Interrupts the run after the first successful response, because a check has created entities by then.
    const observe = ({ status }: { status: number }) => {
      if (status >= 300) return;
      if (!hasSucceeded && isInterrupted) interrupt?.();
      hasSucceeded = true;
    };
    const kit = await createKit({ port: 0 }, { observe });
    const readState = async () =>
      Promise.all(['state', 'faults', 'worlds'].map(async (path) => (await fetch(`${kit.url}/_control/${path}`)).json()));
    try {
      const before = await readState();
      const { status, results, stdout, stderr } = await runXpk(['--base-url', kit.url, ...RUN_ARGUMENTS, ...options], {}, (end) => {
        interrupt = end;
      });
      assert.ok(hasSucceeded, stderr);
      assert.equal(status, isInterrupted ? 130 : 0, stdout + stderr);
      assert.deepEqual(results.leftovers ?? [], []);
      assert.deepEqual(await readState(), before);
    } finally {
      await kit.close();
    }
  });
}

test("a fault that one run adds does not affect another run's requests to the same kit", async () => {
  const kit = await createKit({ port: 0 });
  try {
    const control = createControl(kit.url);
    const prepareRun = async (name: string) => {
      const { need } = createArrangement(
        await createKitCapabilities({ control, name, cleanup: createCleanup(), disposable: false, canReceive: true }),
      );
      const [accountId, token, fail] = [await need('account'), await need('token'), await need('fault.users')];
      const listUsers = async () =>
        (await fetch(`${kit.url}/users?accountId=${accountId}`, { headers: { authorization: `Bearer ${token}` } })).status;
      return { listUsers, fail: () => fail('getUsers', 500, { accountId }) };
    };
    const [first, second] = [await prepareRun('first'), await prepareRun('second')];
    await first.fail();
    assert.deepEqual([await second.listUsers(), await first.listUsers(), await first.listUsers()], [200, 500, 200]);
  } finally {
    await kit.close();
  }
});
