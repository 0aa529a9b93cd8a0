import { getSystemErrorMessage } from 'node:util';
import { CommanderError } from 'commander';

/** The errors that mean invalid input. Their names are compared, so that their classes need not be imported. */
const INVALID_INPUT_ERRORS: readonly string[] = ['UsageError', 'SettingsError', 'FixtureError', 'ResultsError', 'HarError'];

/** The messages name no option, because commands have different options for ports and addresses. */
const LISTEN_HINTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another program is already listening there. Choose another port, or 0 for any free port.',
  EACCES: 'You do not have permission to listen there. Ports below 1024 require special privileges.',
  EADDRNOTAVAIL: 'This machine does not have that address. Choose another address.',
};

const HOST_NAME_PROBLEMS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'is unknown. Check its spelling.',
  EAI_AGAIN: 'cannot be resolved at the moment. Try again later, or use an IP address.',
};

const FILE_HINTS: Readonly<Record<string, string>> = {
  EACCES: 'Choose another path, or change the permissions.',
  EPERM: 'Choose another path, or change the permissions.',
  EROFS: 'Choose a path on another file system.',
  ENOENT: 'Check the path.',
  ENOTDIR: 'A part of the path is a file. Choose a path in a folder.',
  EISDIR: 'The path is a folder. Choose the path of a file.',
  EEXIST: 'Choose another path.',
  ENOSPC: 'Free some space, or choose another path.',
  EDQUOT: 'Free some space, or choose another path.',
};

/** Only an invalid command line can cause a response with this problem type. */
const INVALID_REQUEST_TYPE = '/problems/control.invalid';

/** `hostname` is set if a host name could not be resolved. */
type SystemError = NodeJS.ErrnoException & { address?: string; hostname?: string; port?: number };

/** Arguments after `--` belong to another command. */
export function printsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? undefined : end).includes('--json');
}

/** @param args the command line. With `--json`, the error is printed as JSON (docs/command-line.md) */
export function reportFailure(error: unknown, args: readonly string[] = process.argv.slice(2)): void {
  if (!(error instanceof Error)) throw error;
  const { type, problem } = error as { type?: unknown; problem?: unknown };
  const isUsage = error instanceof CommanderError;
  const isInvalid = isUsage || INVALID_INPUT_ERRORS.includes(error.name) || type === INVALID_REQUEST_TYPE;
  // For --help and --version, the exit code of Commander's error is 0.
  const exitStatus = isUsage && error.exitCode === 0 ? 0 : isInvalid ? 2 : 1;
  process.exitCode = exitStatus;
  if (exitStatus === 0) return;
  if (process.env.XPK_DEBUG && !isUsage) console.error(error.stack);
  if (printsJson(args)) console.error(JSON.stringify({ error: { message: getMessage(error), exitStatus, problem } }));
  // Commander has already printed its message.
  else if (!isUsage) console.error(formatMessage(error));
}

/** These messages begin with the name of the file or setting instead of `xpk:`. */
function formatMessage(error: Error): string {
  const message = getMessage(error);
  return ['SettingsError', 'FixtureError', 'ResultsError', 'HarError'].includes(error.name) ? message : `xpk: ${message}`;
}

function getMessage(error: Error): string {
  return error instanceof CommanderError ? error.message.replace(/^error: /, '') : (describeSystemError(error) ?? error.message);
}

function describeSystemError({ code = '', syscall, errno, path, address, hostname, port }: SystemError): string | undefined {
  const listenHint = syscall === 'listen' ? LISTEN_HINTS[code] : undefined;
  if (listenHint !== undefined)
    return `Cannot listen on ${address ?? 'that address'}${port === undefined ? '' : `:${port}`}. ${listenHint}`;
  const hostNameProblem = hostname === undefined ? undefined : HOST_NAME_PROBLEMS[code];
  if (hostNameProblem !== undefined) return `The host name ${hostname} ${hostNameProblem}`;
  if (path === undefined || errno === undefined || syscall?.startsWith('spawn')) return undefined;
  const action = syscall === 'write' ? 'write to' : 'access';
  return [`Cannot ${action} ${path}: ${getSystemErrorMessage(errno)}.`, FILE_HINTS[code] ?? []].flat().join(' ');
}
