import { AsyncLocalStorage } from 'node:async_hooks';
import { channel } from 'node:diagnostics_channel';
import { pathToFileURL } from 'node:url';
import { MAIN_FILE } from '../../testing/tested-package.ts';

export interface CommandResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The output of a run. Other output, such as the test runner's, does not belong to a run. */
const outputs = new AsyncLocalStorage<Record<'stdout' | 'stderr', string[]>>();
for (const name of ['stdout', 'stderr'] as const) {
  const stream = process[name];
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = (...args: unknown[]) => {
    const output = outputs.getStore();
    return output ? output[name].push(String(args[0]).trimEnd()) > 0 : write(...args);
  };
  // Each run adds a listener for errors.
  stream.setMaxListeners(0);
}

let runs = 0;

/** Runs `xpk` in this process, because starting a process takes long. */
export async function run(...args: string[]): Promise<CommandResult> {
  const output = { stdout: [], stderr: [] };
  process.argv.splice(2, process.argv.length, ...args);
  process.exitCode = 0;
  runs += 1;
  // With a different query, Node evaluates the module again.
  await outputs.run(output, () => import(`${pathToFileURL(MAIN_FILE)}?run=${runs}`));
  const status = Number(process.exitCode);
  process.exitCode = undefined;
  if (status === 0) channel('xpk:run').publish(args);
  return { status, stdout: output.stdout.join('\n'), stderr: output.stderr.join('\n') };
}

/** Returns functions that run `xpk`. They split `line` into arguments at spaces, and pass `rest` unchanged. */
export function createXpk(flags: () => readonly string[]) {
  const runLine = (line: string, ...rest: string[]) => run(...line.split(' '), ...rest, ...flags());
  /** Rejects with the exit status and the message if the command fails. */
  async function xpk(line: string, ...rest: string[]): Promise<string> {
    const { status, stdout, stderr } = await runLine(line, ...rest);
    if (status !== 0) throw new Error(`[${status}] ${stderr}`);
    return stdout;
  }
  return { run: runLine, xpk, json: async (line: string, ...rest: string[]) => JSON.parse(await xpk(line, ...rest, '--json')) };
}
