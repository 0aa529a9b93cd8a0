// Starts a kit with the world in the first argument. Responds to every message with the number of bytes on the heap. Run this program with
// a young generation that is large enough to avoid garbage collection. The difference between two responses is then the allocated memory.
import { createKit, type World } from '../kit.ts';

export interface MeasuredKit {
  readonly url: string;
  readonly tokens: readonly string[];
}

const kit = await createKit({ port: 0, fixtures: JSON.parse(process.argv[2]!) as World });
process.on('message', () => process.send!(process.memoryUsage().heapUsed));
process.on('disconnect', () => process.exit());
process.send!({ url: kit.url, tokens: Object.values(await kit.tokens()) } satisfies MeasuredKit);
