// Sends the examples of the API to a kit, causes an event of each type, and writes the answers into openapi/examples.json, which `npm run generate` puts into the published
// document. scripts/examples.test.ts proves them.
import { writeFileSync } from 'node:fs';
import { type OperationId, operations } from '../src/contract/generated/operations.ts';
import { createKit } from '../src/kit.ts';
import { EXAMPLES, record, recordEvents, stopClock } from './examples/record.ts';

stopClock();
await using kit = await createKit({ port: 0, logLevel: 'silent' });
const recorded: Record<string, unknown> = {};
for (const operation of Object.keys(operations) as OperationId[]) recorded[operation] = await record(operation, kit);
recorded.events = await recordEvents(kit);
writeFileSync(EXAMPLES, `${JSON.stringify(recorded, undefined, 2)}\n`);
