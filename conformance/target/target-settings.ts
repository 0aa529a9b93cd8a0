import type { HookSettings } from './hooks.ts';
import type { ProfileResources } from './profile.ts';

/** Where the suite receives deliveries. */
export interface ReceiverSettings {
  /** Where it listens. */
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** How the target reaches it, without a slash at the end; absent: where it listens. */
  readonly publicUrl?: string | undefined;
  /** By https, with a certificate of its own. */
  readonly tls?: boolean;
}

/** What a run is started with, resolved: passed to Playwright's workers in the environment. */
export interface TargetSettings {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** No worker sends more than this in a second. */
  readonly requestsPerSecond?: number | undefined;
  /** What no report may show: tokens, and what else came from the environment. */
  readonly secrets?: readonly string[];
  /** The control API of a kit, which gives every capability. One that is thrown away after the run need not be left as it was. */
  readonly control?: { readonly url: string; readonly token?: string; readonly disposable?: true } | undefined;
  /** The address of a module that stands between the checks and the target (`BoundaryModule`). */
  readonly boundary?: string | undefined;
  /** Whether a person is there to be asked. */
  readonly interactive?: boolean | undefined;
  /** Where deliveries are received, and how the target reaches that. Absent: on this machine, under an address that the suite says. */
  readonly receiver?: ReceiverSettings | undefined;
  /** What the profile of any other server gives. */
  readonly profile: ProfileResources;
  /** What an operator does there for the suite. */
  readonly hooks?: HookSettings | undefined;
}

const NAME = 'XPK_CONFORMANCE_TARGET';

export function targetEnvironment(settings: TargetSettings): Record<string, string> {
  return { [NAME]: JSON.stringify(settings) };
}

/** @throws Error where no run was started: the checks are run by `xpk conformance`. */
export function readTargetSettings(environment: Readonly<Record<string, string | undefined>>): TargetSettings {
  const settings = findTargetSettings(environment);
  if (settings === undefined) throw new Error('There is no target: start the checks with xpk conformance.');
  return settings;
}

/** Undefined where no run was started. */
export function findTargetSettings(environment: Readonly<Record<string, string | undefined>>): TargetSettings | undefined {
  const text = environment[NAME];
  return text === undefined ? undefined : (JSON.parse(text) as TargetSettings);
}
