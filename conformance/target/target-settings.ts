import type { Profile } from '../../src/contract/generated/profile.ts';
import type { HookSettings } from './hooks.ts';

/** Where the suite receives deliveries. */
export interface ReceiverSettings {
  /** The address at which the suite listens. */
  readonly host: string;
  /** The port at which the suite listens; 0 for any free port. */
  readonly port: number;
  /** The URL at which the target reaches the suite, without a trailing slash. Default: the address at which the suite listens. */
  readonly publicUrl?: string | undefined;
  /** Whether the suite listens with https and a self-signed certificate. */
  readonly tls?: boolean;
}

/** The settings of a target. Playwright's workers read them from an environment variable. */
export interface TargetSettings {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Headers that are sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** The limit applies to each worker, so runs with a limit use one worker. */
  readonly requestsPerSecond?: number | undefined;
  /** Values that no report may contain. */
  readonly secrets?: readonly string[];
  /** The control API, if the target is a kit. `disposable`: the kit ends with the run, so nothing has to be removed from it. */
  readonly control?: { readonly url: string; readonly token?: string; readonly disposable?: true } | undefined;
  /** The URL of a `BoundaryModule`, which puts a proxy in front of the target. */
  readonly boundary?: string | undefined;
  /** Whether a person can be asked to log in. */
  readonly interactive?: boolean | undefined;
  /** Where deliveries are received. Default: at any free port of this machine. */
  readonly receiver?: ReceiverSettings | undefined;
  /** The profile of the target; an empty object for a kit. */
  readonly profile: Profile;
  readonly hooks?: HookSettings | undefined;
}

const NAME = 'XPK_CONFORMANCE_TARGET';

export function targetEnvironment(settings: TargetSettings): Record<string, string> {
  return { [NAME]: JSON.stringify(settings) };
}

/** @throws Error if the checks were not started by `xpk conformance`. */
export function readTargetSettings(environment: Readonly<Record<string, string | undefined>>): TargetSettings {
  const settings = findTargetSettings(environment);
  if (settings === undefined) throw new Error('There is no target: start the checks with xpk conformance.');
  return settings;
}

/** Undefined if the checks were not started by `xpk conformance`. */
export function findTargetSettings(environment: Readonly<Record<string, string | undefined>>): TargetSettings | undefined {
  const text = environment[NAME];
  return text === undefined ? undefined : (JSON.parse(text) as TargetSettings);
}
