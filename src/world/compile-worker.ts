import { parentPort, workerData } from 'node:worker_threads';
import type { WorldFile, WorldFileResult } from './compile-file.ts';
import { parseSource } from './parse-source.ts';
import { FixtureError } from './problem.ts';
import { compileSource } from './yaml.ts';

function compile({ text, name }: WorldFile): WorldFileResult {
  try {
    const { world, rows } = compileSource(parseSource(text, name));
    return { world: world.world, rows };
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    return { problems: error.problems };
  }
}

parentPort!.postMessage(compile(workerData as WorldFile));
