// Sends example requests to a kit, and writes the results to openapi/examples.json.
import { writeFileSync } from 'node:fs';
import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import { EXAMPLES_FILE, record, recordEvents, stopClock } from './examples/record.ts';
import { createKitWithReport, otherOperations, recordOther } from './examples/record-others.ts';

stopClock();
await using kit = await createKitWithReport();
const recorded: Record<string, unknown> = {};
for (const operation of Object.keys(operations) as OperationId[]) recorded[operation] = await record(operation, kit);
for (const operation of otherOperations) recorded[operation.name] = await recordOther(operation, kit);
recorded.events = await recordEvents(kit);
writeFileSync(EXAMPLES_FILE, `${JSON.stringify(recorded, undefined, 2)}\n`);
