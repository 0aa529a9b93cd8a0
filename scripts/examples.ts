// Sends the API's example requests to a kit, and writes the results to openapi/examples.json.
import { writeFileSync } from 'node:fs';
import { type OperationId, operations } from '../src/contract/generated/operations.ts';
import { createKit } from '../src/kit.ts';
import { EXAMPLES_FILE, record, recordEvents, stopClock } from './examples/record.ts';

stopClock();
await using kit = await createKit({ port: 0, logLevel: 'silent' });
const recorded: Record<string, unknown> = {};
for (const operation of Object.keys(operations) as OperationId[]) recorded[operation] = await record(operation, kit);
recorded.events = await recordEvents(kit);
writeFileSync(EXAMPLES_FILE, `${JSON.stringify(recorded, undefined, 2)}\n`);
