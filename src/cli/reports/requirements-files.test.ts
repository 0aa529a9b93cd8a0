import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listCurrentRules } from '../../report/requirements.ts';
import { listRequirements, readReasons, readRequirements } from './requirements-files.ts';

const current = listCurrentRules();

for (const name of await listRequirements())
  test(`the kit still has every rule of ${name}, or openapi/requirements/changes.yaml says why not`, async () => {
    const { rules } = await readRequirements(name, '--requirements');
    const reasons = await readReasons();
    assert.ok(Object.keys(rules).length > 300);
    assert.deepEqual(
      Object.keys(rules).filter((id) => current[id] === undefined && !reasons[id]?.trim()),
      [],
      'Add the reason to openapi/requirements/changes.yaml.',
    );
  });

test('each reason is about a rule that the kit or a frozen set has', async () => {
  const sets = await Promise.all((await listRequirements()).map((name) => readRequirements(name, '--requirements')));
  const known = new Set([current, ...sets.map(({ rules }) => rules)].flatMap((rules) => Object.keys(rules)));
  assert.deepEqual(
    Object.keys(await readReasons()).filter((id) => !known.has(id)),
    [],
  );
});
