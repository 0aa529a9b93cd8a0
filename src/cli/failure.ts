import { CommanderError } from 'commander';

/** The errors that mean invalid input. Their names are compared, so that their classes need not be imported. */
const INVALID_INPUT_ERRORS: readonly string[] = ['UsageError', 'SettingsError', 'FixtureError', 'ResultsError'];

const LISTEN_HINTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another program is already listening there. Give another --port, or --port 0 for any free port.',
  EACCES: 'You do not have permission to listen there. Ports below 1024 require special privileges.',
  EADDRNOTAVAIL: 'This machine does not have that address. Give another --host.',
  ENOTFOUND: 'This host name is unknown. Give another --host.',
  EAI_AGAIN: 'This host name cannot be resolved at the moment. Give another --host.',
};

/** Only an invalid command line can cause a response with this problem type. */
const INVALID_REQUEST_TYPE = '/problems/control.invalid';

/** `hostname` is set if a host name could not be resolved. */
type SystemError = NodeJS.ErrnoException & { address?: string; hostname?: string; port?: number };

export function reportFailure(error: unknown): void {
  if (error instanceof CommanderError) {
    // Commander has already printed the message. For --help and --version, the error's exit code is 0.
    process.exitCode = error.exitCode === 0 ? 0 : 2;
    return;
  }
  if (!(error instanceof Error)) throw error;
  const isInvalid = INVALID_INPUT_ERRORS.includes(error.name) || (error as { type?: unknown }).type === INVALID_REQUEST_TYPE;
  process.exitCode = isInvalid ? 2 : 1;
  console.error(formatMessage(error));
  if (process.env.XPK_DEBUG) console.error(error.stack);
}

function formatMessage(error: Error): string {
  const { code = '', address, hostname, port } = error as SystemError;
  const hint = LISTEN_HINTS[code];
  if (hint !== undefined) return `xpk: Cannot listen on ${hostname ?? `${address ?? 'that address'}:${port ?? ''}`}. ${hint}`;
  // These messages begin with the name of the file or setting instead of `xpk:`.
  return ['SettingsError', 'FixtureError', 'ResultsError'].includes(error.name) ? error.message : `xpk: ${error.message}`;
}
