import assert from 'node:assert/strict';
import { after, before, describe, mock, test } from 'node:test';
import type { components } from '../../contract/generated/control.ts';
import { type OperationId, operations } from '../../contract/generated/operations.ts';
import { createKit, type Kit } from '../../kit.ts';
import { listScenarios, ruleScenarios } from './list-scenarios.ts';
import { runScenario, ScenarioError } from './run-scenario.ts';

type Schemas = components['schemas'];

// Rate limits must not depend on the machine's speed.
before(() => mock.timers.enable({ apis: ['Date'], now: Date.now() }));
after(() => mock.timers.reset());

let kit: Kit;
let initialWorld: unknown[];
before(async () => {
  kit = await createKit({ port: 0 });
  initialWorld = await readWorld();
});
after(() => kit.close());

const callControl = async <Body>(path: string, method = 'GET', body?: object): Promise<Body> => {
  const init = { method, headers: { 'content-type': 'application/json' }, ...(body && { body: JSON.stringify(body) }) };
  return (await fetch(`${kit.url}/_control${path}`, init)).json() as Promise<Body>;
};
const resetWorld = () => callControl('/reset', 'POST', { to: 'seed' });
const readWorld = async () => [await callControl('/state'), await callControl('/faults')];

/** All scenarios. Each rule's first scenario is repeated for every operation that the rule applies to. */
const allScenarios = [
  ...new Map(
    [listScenarios(), ...(Object.keys(operations) as OperationId[]).map((operation) => listScenarios(operation))]
      .flat()
      .map((named) => [`${named.id} ${named.operation ?? ''}`, named]),
  ),
];

describe('each scenario gets the expected response and restores the world', () => {
  for (const [name, scenario] of allScenarios) {
    test(name, async () => {
      await resetWorld();
      const { met, answer, expected, traceId, notRestored } = await runScenario(scenario, kit);
      assert.ok(met, JSON.stringify({ expected, answer }));
      assert.deepEqual(notRestored, []);
      assert.deepEqual(await readWorld(), initialWorld);
      if (scenario.expected.reason === null) return;
      const { status, reason } = await callControl<Schemas['Explanation']>(`/explain/${traceId}`);
      assert.deepEqual({ status, reason: reason?.id }, expected);
    });
  }
});

test('every `metWith` names a rule that has a scenario', () => {
  const withScenario = ruleScenarios.filter(({ scenarios }) => scenarios.length > 0).map(({ id }) => id);
  for (const { id, metWith } of ruleScenarios) if (metWith !== undefined) assert.ok(withScenario.includes(metWith), id);
});

test('each operation has a scenario for each of its documented refusal statuses', () => {
  const met = allScenarios.map(([, { operation, expected }]) => `${operation} ${expected.status}`);
  const documented = Object.entries(operations).flatMap(([id, { statuses }]) =>
    (statuses as readonly unknown[]).filter((status) => Number(status) >= 400).map((status) => `${id} ${status}`),
  );
  assert.deepEqual(
    documented.filter((each) => !met.includes(each)),
    [],
  );
});

test('if a scenario cannot run, the error names the missing entity or token', async () => {
  const [scenario] = listScenarios().filter(({ id }) => id === 'connections.delete.numbers-assigned');
  await fetch(`${kit.url}/_control/state/accounts/northwind`, { method: 'DELETE', headers: { 'content-type': 'application/json' } });
  await assert.rejects(
    runScenario(scenario!, kit),
    (error) => error instanceof ScenarioError && /no connection "northwind-reception".*demo world/.test(error.message),
  );
  await resetWorld();
});
