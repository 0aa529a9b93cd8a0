import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, mock, test } from 'node:test';
import authorization from '../../src/contract/generated/authorization.json' with { type: 'json' };
import control from '../../src/contract/generated/control.json' with { type: 'json' };
import openapi from '../../src/contract/generated/openapi.json' with { type: 'json' };
import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import type { Kit } from '../../src/kit.ts';
import { EXAMPLES_FILE, type RecordedExamples, record, recordEvents, stopClock } from './examples/record.ts';
import { createKitWithReport, otherOperations, recordOther } from './examples/record-others.ts';

let kit: Kit;
before(async () => {
  stopClock();
  kit = await createKitWithReport();
});
after(async () => {
  await kit.close();
  mock.timers.reset();
});

describe("a kit's response to each example equals the documented response (to update the examples: npm run examples)", () => {
  const recorded = JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as RecordedExamples;
  for (const operation of Object.keys(operations) as OperationId[])
    test(operation, async () => assert.deepEqual(await record(operation, kit), recorded[operation]));
  for (const operation of otherOperations)
    test(operation.name, async () =>
      assert.deepEqual(await recordOther(operation, kit), (recorded as Record<string, unknown>)[operation.name]),
    );
  test('events', async () => assert.deepEqual(await recordEvents(kit), recorded.events));
});

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly examples?: object }[];
  readonly requestBody?: WithContent;
  readonly responses: Readonly<Record<string, WithContent>>;
}
interface WithContent {
  readonly content?: Readonly<Record<string, { readonly examples?: object }>>;
}

test('every parameter, request body and response has an example, but only the service has examples of refusals', () => {
  const lacking: string[] = [];
  for (const item of [openapi, control, authorization].flatMap(({ paths }) => Object.values(paths) as Record<string, Described>[]))
    for (const { operationId, parameters = [], requestBody = {}, responses } of Object.values(item)) {
      for (const { name, examples } of parameters) if (!examples) lacking.push(`${operationId} ${name}`);
      // The `default` response stands for undocumented refusals, so it has no example.
      const documented = Object.entries(responses).filter(([status]) => Number(status) < (operationId in operations ? 600 : 400));
      for (const [place, { content = {} }] of [['body', requestBody] as const, ...documented])
        for (const { examples } of Object.values(content)) if (!examples) lacking.push(`${operationId} ${place}`);
    }
  assert.deepEqual(lacking, []);
});
