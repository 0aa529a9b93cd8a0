// Starts a kit with the world in the first argument. Each message gets the number of bytes on the heap. Garbage collection would falsify
// the measurement, so run this program with a large young generation.
import { createKit, type World } from '../kit.ts';

export interface MeasuredKit {
  readonly url: string;
  readonly tokens: readonly string[];
}

const kit = await createKit({ port: 0, fixtures: JSON.parse(process.argv[2]!) as World });
process.on('message', () => process.send!(process.memoryUsage().heapUsed));
process.on('disconnect', () => process.exit());
process.send!({ url: kit.url, tokens: Object.values(await kit.tokens()) } satisfies MeasuredKit);
