import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKit } from '../kit.ts';
import { runXpk } from './conformance/testing/run-xpk.ts';

test('output to a pipe has colours only if FORCE_COLOR is set', async () => {
  await using kit = await createKit({ port: 0 });
  const isColoured = async (environment: Record<string, string>) => {
    const { stdout } = await runXpk(['--url', kit.url], environment, () => {}, ['check', 'client']);
    assert.match(stdout, /Nothing was tested/);
    return stdout.includes('\x1b[');
  };
  delete process.env.FORCE_COLOR;
  assert.deepEqual(
    [await isColoured({}), await isColoured({ FORCE_COLOR: '1' }), await isColoured({ FORCE_COLOR: '0' })],
    [false, true, false],
  );
});
