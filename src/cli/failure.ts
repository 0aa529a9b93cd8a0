import { CommanderError } from 'commander';
import { ResultsError } from '../report/read-results.ts';
import { SettingsError } from '../settings.ts';
import { FixtureError } from '../world/fixture-error.ts';
import { UsageError } from './usage-error.ts';

const SYSTEM: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Something else listens there already. Give another --port, or --port 0 for a free one.',
  EACCES: 'This user may not listen there. Ports below 1024 need rights of their own.',
  EADDRNOTAVAIL: 'This machine has no such address. Give another --host.',
  ENOTFOUND: 'This host name is not known. Give another --host.',
  EAI_AGAIN: 'This host name cannot be looked up now. Give another --host.',
};

/** `hostname` is what could not be looked up. */
type SystemError = NodeJS.ErrnoException & { address?: string; hostname?: string; port?: number };

/** Prints why a command failed, without a stack, and sets the exit status: 2 if its command line or a file that it names is not valid, else 1. */
export function reportFailure(error: unknown): void {
  if (error instanceof CommanderError) {
    // Commander has printed the message already. Its 0 stands for --help and --version.
    process.exitCode = error.exitCode === 0 ? 0 : 2;
    return;
  }
  if (error instanceof FixtureError || error instanceof SettingsError || error instanceof ResultsError) {
    console.error(error.message);
    process.exitCode = 2;
    return;
  }
  process.exitCode = error instanceof UsageError ? 2 : 1;
  if (!(error instanceof Error)) throw error;
  const { code = '', address, hostname, port } = error as SystemError;
  const hint = SYSTEM[code];
  const place = hostname ?? `${address ?? 'that address'}:${port ?? ''}`;
  console.error(hint === undefined ? `xpk: ${error.message}` : `xpk: cannot listen on ${place}. ${hint}`);
  if (process.env.XPK_DEBUG) console.error(error.stack);
}
