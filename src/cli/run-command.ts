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

/** Passes a SIGINT or SIGTERM on to the command. */
export async function runCommand(words: readonly string[], environment: NodeJS.ProcessEnv, printsToStderr = false): Promise<CommandResult> {
  const { file, args, shell } = createInvocation(words);
  const child = spawn(file, args, { shell, stdio: ['inherit', printsToStderr ? process.stderr : 'inherit', 'inherit'], env: environment });
  let received: NodeJS.Signals | undefined;
  const passOn = (signal: NodeJS.Signals) => {
    // A command may ignore the first signal, but not SIGKILL.
    if (received !== undefined) child.kill('SIGKILL');
    // A terminal sends Ctrl-C to the command, too. A second SIGINT would stop some programs before they have cleaned up.
    else if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    received ??= signal;
  };
  process.on('SIGINT', passOn);
  process.on('SIGTERM', passOn);
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    return { status: code ?? 128 + constants.signals[signal!], signal: received };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { status: code === 'ENOENT' ? 127 : 126, error: `The command ${words[0]} cannot be started: ${message}` };
  } finally {
    process.off('SIGINT', passOn);
    process.off('SIGTERM', passOn);
  }
}
