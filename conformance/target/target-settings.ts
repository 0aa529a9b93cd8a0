import type { Profile } from '../../src/contract/generated/profile.ts';
import type { HookSettings } from './hooks.ts';

/** Where the suite receives deliveries. */
export interface ReceiverSettings {
  /** Where it listens. */
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** How the target reaches it, without a trailing slash. Absent: where it listens. */
  readonly publicUrl?: string | undefined;
  /** Listens with https, with a self-signed certificate. */
  readonly tls?: boolean;
}

/** What the suite knows of a target. Playwright's workers get it in the environment. */
export interface TargetSettings {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** A limit for each worker. */
  readonly requestsPerSecond?: number | undefined;
  /** What no report may show. */
  readonly secrets?: readonly string[];
  /** The control API of a kit, instead of a profile. `disposable`: the kit ends with the run, so nothing has to be removed from it. */
  readonly control?: { readonly url: string; readonly token?: string; readonly disposable?: true } | undefined;
  /** The URL of a `BoundaryModule`, which puts a proxy in front of the target. */
  readonly boundary?: string | undefined;
  /** Whether a person can be asked to log in. */
  readonly interactive?: boolean | undefined;
  /** Where deliveries are received. Absent: at any free port of this machine. */
  readonly receiver?: ReceiverSettings | undefined;
  /** Empty for a kit. */
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
