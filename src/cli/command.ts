import { isIPv6 } from 'node:net';
import { Command, InvalidArgumentError, Option } from 'commander';
import { toMilliseconds } from '../clock/duration.ts';
import { type ControlClient, createCliClient, DEFAULT_URL, RefusedError } from './control-client.ts';
import { UsageError } from './usage-error.ts';

export interface ControlFlags {
  readonly url: string;
  readonly controlToken?: string;
  readonly json?: boolean;
}

export const createControlTokenOption = () => new Option('--control-token <secret>', "the kit's control token").env('XPK_CONTROL_TOKEN');

export const createActorOption = () =>
  new Option('--as <actor>', 'the actor of the change; default: portal for assignments and connections, else platform').choices([
    'portal',
    'platform',
  ]);

export const createJsonOption = (description = 'print the result as JSON') => new Option('--json', description);

/**
 * Returns the URL of the kit that `xpk start` starts with the same environment and the same configuration file.
 * @param start the section `start` of the configuration file
 * @returns undefined if nothing sets a port or an address
 */
export function getKitUrl(start: { readonly host?: unknown; readonly port?: unknown } = {}): string | undefined {
  const { XPK_HOST = start.host, XPK_PORT = start.port } = process.env;
  if (!(XPK_HOST || XPK_PORT)) return undefined;
  const url = new URL(DEFAULT_URL);
  // A kit that listens on all addresses also listens on the loopback address. With port 0, only the kit knows its port.
  if (XPK_HOST && !['0.0.0.0', '::'].includes(String(XPK_HOST)))
    url.hostname = isIPv6(String(XPK_HOST)) ? `[${XPK_HOST}]` : String(XPK_HOST);
  const port = String(XPK_PORT ?? '');
  // An invalid port stays in the URL, so that every command refuses it.
  if (!/^\d*$/.test(port) || Number(port) > 65_535) return `${url.protocol}//${url.hostname}:${port}`;
  if (Number(port) !== 0) url.port = port;
  return url.origin;
}

export const createUrlOption = (description = 'the address of the running kit') =>
  new Option('--url <url>', description).env('XPK_URL').default(getKitUrl() ?? DEFAULT_URL);

export function createControlCommand(name: string): Command {
  return new Command(name).addOption(createUrlOption()).addOption(createControlTokenOption()).addOption(createJsonOption());
}

/** @param undoable whether the kit keeps the changes for xpk undo */
export const createClient = ({ url, controlToken }: ControlFlags, undoable = false): ControlClient =>
  createCliClient(url, controlToken, undoable);

export function print<Result>({ json }: Pick<ControlFlags, 'json'>, result: Result, format: (result: Result) => string): void {
  console.log(json ? JSON.stringify(result) : format(result));
}

/** Use this only if the request's path contains a value from the command line. */
export async function convertNotFound<Data>(call: Promise<Data>): Promise<Data> {
  return call.catch((error: Error) => {
    throw error instanceof RefusedError && error.type === '/problems/control.not-found' ? new UsageError(error.message) : error;
  });
}

export function createWholeNumberParser(least: number, most = 999_999_999): (text: string) => number {
  return (text) => {
    const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`The value must be a whole number from ${least} to ${most}.`);
  };
}

/** Returns a parser that converts durations such as `1h30m` to milliseconds. */
export function createDurationParser(least: string, most: string): (text: string) => number {
  return (text) => {
    const ms = parseDuration(text);
    if (ms < toMilliseconds(least)) throw new InvalidArgumentError(`The value must be at least ${least}.`);
    if (ms > toMilliseconds(most)) throw new InvalidArgumentError(`The value must be at most ${most}.`);
    return ms;
  };
}

function parseDuration(text: string): number {
  try {
    return toMilliseconds(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
