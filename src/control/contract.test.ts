import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import control from '../contract/generated/control.json' with { type: 'json' };
import type { components } from '../contract/generated/control.ts';
import { schemaReferences } from '../contract/generated/schema-references.ts';
import { getValidator } from '../contract/validators.ts';
import { createKit } from '../kit.ts';
import { callControl } from './testing/call.ts';

type Schemas = components['schemas'];

const kit = await createKit({ port: 0, set: { 'connections.create.status': 200 } });
after(() => kit.close());

test('every refusal that an operation documents can be injected as a fault', async () => {
  const { body: operations } = await callControl<Schemas['ServiceOperation'][]>(kit.url, 'GET', '/operations');
  assert.deepEqual(getValidator(schemaReferences.responses.listOperations[200])(operations), []);
  const { method, path, refusals } = operations.find(({ operationId }) => operationId === 'deleteExperienceConnection')!;
  assert.deepEqual([method, path], ['DELETE', '/experience/connections/{experienceConnectionId}']);
  assert.ok(refusals.some(({ rule, status }) => rule === 'connections.delete.numbers-assigned' && status === 409));
  for (const { operationId, refusals } of operations)
    for (const { rule } of refusals) {
      const { status, body } = await callControl(kit.url, 'POST', '/faults', { fault: 'problem', operation: operationId, rule });
      assert.equal(status, 201, JSON.stringify(body));
    }
});

test('a decision is listed with its current value, its alternatives, and an explanation of each value', async () => {
  const { body: decisions } = await callControl<Schemas['DecisionInForce'][]>(kit.url, 'GET', '/decisions');
  assert.deepEqual(getValidator(schemaReferences.responses.listDecisions[200])(decisions), []);
  assert.deepEqual(Object.fromEntries(decisions.map(({ id, inForce }) => [id, inForce])), kit.decisions);
  const changed = decisions.find(({ id }) => id === 'connections.create.status')!;
  assert.equal(changed.inForce, 200);
  assert.ok(changed.alternatives.includes(changed.default) && !changed.alternatives.includes(200));
  for (const { id, alternatives, means } of decisions) for (const value of alternatives) assert.ok(means[String(value)], `${id}: ${value}`);
});

test('no operation waits for longer than the five minutes that fetch in Node.js waits for a response', () => {
  const waits = [...JSON.stringify(control).matchAll(/"(maxWaitMs|timeoutMs)":\{[^{}]*?"maximum":(\d+)/g)];
  assert.deepEqual([...new Set(waits.map(([, name]) => name))].sort(), ['maxWaitMs', 'timeoutMs']);
  for (const [, name, maximum] of waits) assert.ok(Number(maximum) <= 240_000, `${name}: ${maximum}`);
});
