// A kit in a child process that reports the bytes on its heap. Start the process with a young generation large enough to avoid garbage
// collection.
import { createKit, type World } from '../kit.ts';

export interface MeasuredKit {
  readonly url: string;
  readonly tokens: readonly string[];
}

const kit = await createKit({ port: 0, fixtures: JSON.parse(process.argv[2]!) as World });
process.on('message', () => process.send!(process.memoryUsage().heapUsed));
process.on('disconnect', () => process.exit());
process.send!({ url: kit.url, tokens: Object.values(await kit.tokens()) } satisfies MeasuredKit);
