import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, mock, test } from 'node:test';
import openapi from '../src/contract/generated/openapi.json' with { type: 'json' };
import { type OperationId, operations } from '../src/contract/generated/operations.ts';
import { createKit, type Kit } from '../src/kit.ts';
import { EXAMPLES_FILE, type RecordedExamples, record, recordEvents, stopClock } from './examples/record.ts';

let kit: Kit;
before(async () => {
  stopClock();
  kit = await createKit({ port: 0 });
});
after(async () => {
  await kit.close();
  mock.timers.reset();
});

describe("a kit's response to each example equals the documented response (to update the examples: node scripts/examples.ts)", () => {
  const recorded = JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as RecordedExamples;
  for (const operation of Object.keys(operations) as OperationId[])
    test(operation, async () => assert.deepEqual(await record(operation, kit), recorded[operation]));
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

test('every parameter, request body and response in the document has an example', () => {
  const lacking: string[] = [];
  for (const item of Object.values(openapi.paths) as Record<string, Described>[])
    for (const { operationId, parameters = [], requestBody = {}, responses } of Object.values(item)) {
      for (const { name, examples } of parameters) if (!examples) lacking.push(`${operationId} ${name}`);
      // The `default` response stands for undocumented refusals, so it has no example.
      const { default: _, ...documented } = responses;
      for (const [place, { content = {} }] of Object.entries({ body: requestBody, ...documented }))
        for (const { examples } of Object.values(content)) if (!examples) lacking.push(`${operationId} ${place}`);
    }
  assert.deepEqual(lacking, []);
});
