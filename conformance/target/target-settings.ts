import type { Profile } from '../../src/contract/generated/profile.ts';
import type { HookSettings } from './hooks.ts';

export interface ReceiverSettings {
  readonly host: string;
  /** The port at which the suite listens; 0 for any free port. */
  readonly port: number;
  /** The URL at which the target reaches the suite, without a trailing slash. Default: the listening URL. */
  readonly publicUrl?: string | undefined;
  /** Whether the suite listens with https and a self-signed certificate. */
  readonly tls?: boolean;
}

/** A target's settings. Playwright's workers read them from an environment variable. */
export interface TargetSettings {
  /** The target's base URL, without a trailing slash. */
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** The maximum number of requests per second. A run with a maximum uses only one worker. */
  readonly requestsPerSecond?: number | undefined;
  /** Values that must not appear in any report. */
  readonly secrets?: readonly string[];
  /** The control API, if the target is a kit. If `disposable` is true, the kit stops after the run, so no cleanup is needed. */
  readonly control?: { readonly url: string; readonly token?: string; readonly disposable?: true } | undefined;
  /** The URL of a `BoundaryModule`, which puts a proxy in front of the target. */
  readonly boundary?: string | undefined;
  /** Whether a person can be asked to log in. */
  readonly interactive?: boolean | undefined;
  /** The suite's address for deliveries. Default: any free port on this machine. */
  readonly receiver?: ReceiverSettings | undefined;
  /** The target's profile; an empty object for a kit. */
  readonly profile: Profile;
  readonly hooks?: HookSettings | undefined;
}

const VARIABLE_NAME = 'XPK_CONFORMANCE_TARGET';

export function createTargetEnvironment(settings: TargetSettings): Record<string, string> {
  return { [VARIABLE_NAME]: JSON.stringify(settings) };
}

/** @throws Error if the checks were not started by `xpk conformance` */
export function readTargetSettings(environment: Readonly<Record<string, string | undefined>>): TargetSettings {
  const settings = findTargetSettings(environment);
  if (settings === undefined) throw new Error('There is no target: start the checks with xpk conformance.');
  return settings;
}

/** Returns undefined outside `xpk conformance`. */
export function findTargetSettings(environment: Readonly<Record<string, string | undefined>>): TargetSettings | undefined {
  const text = environment[VARIABLE_NAME];
  return text === undefined ? undefined : (JSON.parse(text) as TargetSettings);
}
