import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

interface CommandResult {
  /** The exit status, or as in shells: 128 plus the number of the signal that ended the command; 127 or 126 if it cannot be started. */
  readonly status: number;
  /** The first signal that this process received while the command ran. */
  readonly signal?: NodeJS.Signals | undefined;
  /** Why the command cannot be started. */
  readonly error?: string;
}

/** On Windows, adds quotes and uses a shell, because only a shell can start scripts such as npm.cmd. */
export function createInvocation([file = '', ...args]: readonly string[], platform: string = process.platform) {
  if (platform !== 'win32') return { file, args, shell: false };
  const quoted = [file, ...args].map((word) => (/^[\w./\\:=@-]+$/.test(word) ? word : `"${word.replaceAll('"', '""')}"`));
  return { file: quoted.join(' '), args: [], shell: true };
}

interface CommandOptions {
  readonly printsToStderr?: boolean;
  /** Ends the command. Without a terminal, also ends the processes that it has started. */
  readonly limit?: AbortSignal;
}

/** The time, in milliseconds, that a command has to clean up before SIGKILL. */
const END_MS = 5000;

/** Passes a SIGINT or SIGTERM on to the command. */
export async function runCommand(
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
  { printsToStderr = false, limit }: CommandOptions = {},
): Promise<CommandResult> {
  const { file, args, shell } = createInvocation(words);
  const stdout = printsToStderr ? process.stderr : 'inherit';
  // In a terminal, a command in a group of its own could not read the terminal, and would not get Ctrl-C.
  const detached = limit !== undefined && process.platform !== 'win32' && !process.stdin.isTTY;
  const child = spawn(file, args, { shell, stdio: ['inherit', stdout, 'inherit'], env: environment, detached });
  const send = (signal: NodeJS.Signals) => {
    try {
      if (detached && child.pid !== undefined) process.kill(-child.pid, signal);
      else child.kill(signal);
    } catch {
      // The group has just ended.
    }
  };
  let received: NodeJS.Signals | undefined;
  const passOn = (signal: NodeJS.Signals) => {
    // A command may ignore the first signal, but not SIGKILL.
    if (received !== undefined) send('SIGKILL');
    // A terminal sends Ctrl-C to the command, too. A second SIGINT would stop some programs before they have cleaned up.
    else if (signal !== 'SIGINT' || !process.stdin.isTTY) send(signal);
    received ??= signal;
  };
  let killing: NodeJS.Timeout | undefined;
  const end = () => {
    send('SIGTERM');
    killing = setTimeout(send, END_MS, 'SIGKILL');
  };
  limit?.addEventListener('abort', end);
  process.on('SIGINT', passOn);
  process.on('SIGTERM', passOn);
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    return { status: code ?? 128 + constants.signals[signal!], signal: received };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { status: code === 'ENOENT' ? 127 : 126, error: `The command ${words[0]} cannot be started: ${message}` };
  } finally {
    clearTimeout(killing);
    limit?.removeEventListener('abort', end);
    // A shell ends at once, and may leave the program that it runs.
    if (limit?.aborted) send('SIGKILL');
    process.off('SIGINT', passOn);
    process.off('SIGTERM', passOn);
  }
}
