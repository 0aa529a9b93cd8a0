import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { WorldRows } from './compile.ts';
import { resolvePackageFile } from './package-files.ts';

export interface WorldFile {
  readonly text: string;
  /** The file's name in messages. */
  readonly name: string;
}

export type WorldFileResult =
  | { readonly world: string; readonly rows: WorldRows; readonly problems?: never }
  | { readonly world?: never; readonly rows?: never; readonly problems: readonly string[] };

/** `tools/scripts/build/bundle.ts` bundles the worker as a separate file. */
const WORKER = resolvePackageFile(import.meta.url.endsWith('.ts') ? 'src/world/compile-worker.ts' : 'dist/src/world/compile-worker.js');

let last: Promise<unknown> = Promise.resolve();

/** Parses and compiles a world file in another thread, so that requests do not wait. Compiles one file at a time, to save memory. */
export function compileFile(file: WorldFile): Promise<WorldFileResult> {
  const result = last.then(() => runWorker(file));
  last = result.catch(() => {});
  return result;
}

async function runWorker(file: WorldFile): Promise<WorldFileResult> {
  const worker = new Worker(WORKER, { workerData: file, execArgv: [] });
  try {
    const [result] = (await once(worker, 'message')) as [WorldFileResult];
    return result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    return { problems: [`${file.name}: The file is too large to be parsed. Use JSON, which takes less memory, or \`generate\`.`] };
  }
}
