import { mock } from 'node:test';
import { reportFailure } from '../failure.ts';
import { createProgram, listWithSubcommands } from '../program.ts';

export interface CommandResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export async function run(...args: string[]): Promise<CommandResult> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const log = mock.method(console, 'log', (text: string) => void stdout.push(text));
  const error = mock.method(console, 'error', (text: string) => void stderr.push(text));
  const progress = mock.method(process.stderr, 'write', (text: string) => stderr.push(text.trimEnd()) > 0);
  const program = await createProgram(args);
  const output = { writeOut: (text: string) => void stdout.push(text), writeErr: (text: string) => void stderr.push(text) };
  for (const command of listWithSubcommands(program)) command.configureOutput(output);
  try {
    process.exitCode = 0;
    await program.parseAsync(args, { from: 'user' });
  } catch (failure) {
    reportFailure(failure);
  } finally {
    log.mock.restore();
    error.mock.restore();
    progress.mock.restore();
  }
  const status = Number(process.exitCode);
  process.exitCode = undefined;
  return { status, stdout: stdout.join('\n'), stderr: stderr.join('\n') };
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
