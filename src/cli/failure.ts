import { FixtureError } from '../fixtures/fixture-error.ts';
import { SettingsError } from '../settings.ts';

const SYSTEM: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Something else listens there already. Give another --port, or --port 0 for a free one.',
  EACCES: 'This user may not listen there. Ports below 1024 need rights of their own.',
  EADDRNOTAVAIL: 'This machine has no such address. Give another --host.',
  ENOTFOUND: 'This host name is not known. Give another --host.',
  EAI_AGAIN: 'This host name cannot be looked up now. Give another --host.',
};

/** `hostname` is what could not be looked up. */
type SystemError = NodeJS.ErrnoException & { address?: string; hostname?: string; port?: number };

/** Ends the command with what went wrong, in words: never a stack for what its user did. */
export function reportFailure(error: unknown): void {
  process.exitCode = 1;
  if (error instanceof FixtureError || error instanceof SettingsError) {
    console.error(error.message);
    return;
  }
  if (!(error instanceof Error)) throw error;
  const { code = '', address, hostname, port } = error as SystemError;
  const hint = SYSTEM[code];
  const place = hostname ?? `${address ?? 'that address'}:${port ?? ''}`;
  console.error(hint === undefined ? `xpk: ${error.message}` : `xpk: cannot listen on ${place}. ${hint}`);
  if (process.env.XPK_DEBUG) console.error(error.stack);
}
