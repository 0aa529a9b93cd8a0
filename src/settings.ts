import { toMilliseconds } from './clock/duration.ts';
import { type Decisions, defaultDecisions } from './contract/generated/decisions.ts';
import { DESTINATION_MODES, type DestinationMode, isLoopbackHost } from './events/destination.ts';
import { RETRY_PROFILES, type RetryProfile } from './events/schedule.ts';
import { createHostMatcher } from './http/host-guard.ts';
import { LOG_LEVELS, type LogLevel } from './http/log.ts';
import { LOGIN_MODES, type LoginMode } from './oauth/server/context.ts';
import { parseUpstream, type UpstreamSettings } from './proxy/upstream.ts';
import { readDecisionsFile, validateDecisions } from './world/decisions-file.ts';
import type { Seed, SeedSettings } from './world/seed.ts';

/** The settings of `createKit`, all optional. */
export interface KitSettings extends SeedSettings {
  /** The port to listen on. Port 0 selects a free port. The default is 4010. */
  readonly port?: number;
  /** The address to listen on. Default 127.0.0.1. Any address but loopback requires `controlToken` or `control: false`. */
  readonly host?: string;
  /** Accepted hosts in the Host header, such as `kit.test` or `*.kit.test`. Loopback names are always accepted. */
  readonly allowHost?: readonly string[];
  /** Origins of web pages that may use the control API, such as `http://localhost:5173`. */
  readonly allowOrigin?: readonly string[];
  /**
   * The path to a SQLite file for the state. By default, the state is lost after `close`: it is in memory, or if the world has more than
   * 100,000 users, in a temporary file.
   */
  readonly data?: string | undefined;
  /** The PostgreSQL database for the state: `postgres://user:password@host:port/name`. Several kits may share it. */
  readonly database?: string | undefined;
  /** The address that clients use, such as a proxy's. Default: the kit's own address. */
  readonly publicUrl?: string | undefined;
  /** The path to a YAML file with decisions. */
  readonly decisions?: string | undefined;
  /** Values for single decisions. They take precedence over the decisions file and the scenario. */
  readonly set?: Partial<Decisions>;
  /** Whether the kit has a control API. The default is true. */
  readonly control?: boolean;
  /** The secret of at least 16 characters that control API requests must contain. */
  readonly controlToken?: string | undefined;
  /**
   * How authorization requests are answered: by a person (`page`), according to the principal's `consent` (`auto`), or always with a
   * refusal (`deny`). Default: `auto` for `createKit`, `page` for `xpk start`.
   */
  readonly login?: LoginMode;
  readonly logLevel?: LogLevel;
  /** The retry schedule for failed deliveries. `off` never retries, which does not conform to the specification. */
  readonly retries?: RetryProfile;
  /** `strict` allows only https on port 443 at public addresses. `local` (default) also allows http, other ports and private addresses. */
  readonly destinations?: DestinationMode;
  /** The maximum wall time of a delivery attempt, up to 60 s (Events › Subscription). Default `15s`. Numbers are milliseconds. */
  readonly deliveryTimeout?: number | string;
  /**
   * How long a stopping kit still accepts requests: up to 10 minutes of wall time, default 0. Meanwhile, `GET /_control/health` returns 503
   * for load balancers.
   */
  readonly drain?: number | string;
  /** The maximum number of connections to PostgreSQL, from 2 to 1000. Default 10. Notifications need one more connection. */
  readonly databaseConnections?: number;
  /** The maximum number of worlds besides the first one (POST /_control/worlds). Default 1000. */
  readonly maxWorlds?: number;
  /** The folder with the console's reports, each in a subfolder. Default: the current folder. */
  readonly reports?: string;
  /** Makes the kit a proxy, which forwards requests instead of answering them. Its world is empty unless `fixtures` is set. */
  readonly upstream?: UpstreamSettings | undefined;
  /** HTTP server timeouts, in milliseconds. Tests with slow clients set short timeouts. */
  readonly timeouts?: { readonly headersTimeoutMs?: number; readonly requestTimeoutMs?: number; readonly checkIntervalMs?: number };
}

export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

export type Settings = Required<
  Pick<
    KitSettings,
    'port' | 'host' | 'allowHost' | 'allowOrigin' | 'control' | 'login' | 'logLevel' | 'destinations' | 'reports' | 'maxWorlds'
  >
> &
  KitSettings & {
    /** Durations in milliseconds. */
    readonly deliveryTimeout: number;
    readonly drain: number;
  };

/** An unset shell variable in a command line becomes an empty string. */
const NON_EMPTY_SETTINGS = [
  'host',
  'allowHost',
  'data',
  'database',
  'publicUrl',
  'decisions',
  'scenario',
  'fixtures',
  'controlToken',
  'reports',
] as const;
const CHOICES = { login: LOGIN_MODES, logLevel: LOG_LEVELS, destinations: DESTINATION_MODES, retries: RETRY_PROFILES } as const;

/** @throws SettingsError */
export function checkSettings(given: KitSettings): Settings {
  for (const name of NON_EMPTY_SETTINGS)
    if ([given[name]].flat().includes('')) throw new SettingsError(`The setting "${name}" is empty. Set a value, or omit the setting.`);
  const settings: Settings = {
    ...given,
    port: given.port ?? 4010,
    host: given.host ?? '127.0.0.1',
    allowHost: (given.allowHost ?? []).map(checkHost),
    allowOrigin: (given.allowOrigin ?? []).map(checkOrigin),
    ...(given.publicUrl !== undefined && { publicUrl: checkPublicUrl(given.publicUrl) }),
    control: given.control ?? true,
    login: given.login ?? 'auto',
    logLevel: given.logLevel ?? 'error',
    destinations: given.destinations ?? 'local',
    reports: given.reports ?? '.',
    maxWorlds: given.maxWorlds ?? 1000,
    ...(given.upstream && { fixtures: given.fixtures ?? 'empty' }),
    deliveryTimeout: checkDuration('deliveryTimeout', given.deliveryTimeout ?? '15s', '1ms', '60s'),
    drain: checkDuration('drain', given.drain ?? 0, '0ms', '10m'),
  };
  const { port, host, control, controlToken, data, database, databaseConnections } = settings;
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new SettingsError(`The setting "port" must be a whole number from 0 to 65535, not ${port}.`);
  for (const [name, choices] of Object.entries(CHOICES)) {
    const value = settings[name as keyof typeof CHOICES];
    if (value !== undefined && !(choices as readonly string[]).includes(value))
      throw new SettingsError(`The setting "${name}" must be one of ${choices.join(', ')}, not ${value}.`);
  }
  if (!Number.isInteger(settings.maxWorlds) || settings.maxWorlds < 0)
    throw new SettingsError(`The setting "maxWorlds" must be a whole number, not ${settings.maxWorlds}.`);
  if (settings.upstream) toSettingsError(() => parseUpstream(settings.upstream!));
  if (data !== undefined && database !== undefined)
    throw new SettingsError('The settings "data" and "database" both determine where the state is stored. Set only one of them.');
  if (
    databaseConnections !== undefined &&
    !(Number.isInteger(databaseConnections) && databaseConnections >= 2 && databaseConnections <= 1000)
  )
    throw new SettingsError(`The setting "databaseConnections" must be a whole number from 2 to 1000, not ${databaseConnections}.`);
  if (databaseConnections !== undefined && database === undefined)
    throw new SettingsError('The setting "databaseConnections" has no effect without the setting "database".');
  // The URL may contain a password.
  if (database !== undefined && !/^postgres(ql)?:$/.test(URL.parse(database)?.protocol ?? ''))
    throw new SettingsError(
      'The setting "database" must be a PostgreSQL URL, such as postgres://user:password@localhost:5432/name, with special characters percent-encoded.',
    );
  if (controlToken !== undefined && controlToken.length < 16)
    throw new SettingsError('The setting "controlToken" must have at least 16 characters.');
  if (!control && settings.allowOrigin.length > 0)
    throw new SettingsError(
      'The setting "allowOrigin" (--allow-origin) has no effect without the control API. Omit the setting, or keep the control API.',
    );
  if (control && controlToken === undefined && !isLoopbackHost(host))
    throw new SettingsError(
      `With the host ${host}, other machines could use the control API. Set a --control-token, remove the control API with --no-control, or listen on 127.0.0.1.`,
    );
  return settings;
}

/** Returns the normalized URL, without query and fragment, for use in the issuer (RFC 8414, section 2). */
function checkPublicUrl(text: string): string {
  const url = URL.parse(text);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === '' && !/[?#]|\/$/.test(text);
  if (isPlain) return url.href.replace(/\/$/, '');
  throw new SettingsError(
    `The public URL must be an http or https URL without a trailing slash, user, query or fragment, such as https://kit.test, not ${text}.`,
  );
}

function checkDuration(name: string, given: number | string, min: string, max: string): number {
  try {
    const ms = toMilliseconds(given);
    if (ms >= toMilliseconds(min) && ms <= toMilliseconds(max)) return ms;
  } catch {
    // The string is not a duration, so the function throws the error below.
  }
  throw new SettingsError(
    `The setting "${name}" must be a duration such as 2s, or a number of milliseconds, from ${min} to ${max}, not ${given}.`,
  );
}

function checkHost(entry: string): string {
  toSettingsError(() => createHostMatcher(entry));
  return entry;
}

function toSettingsError(check: () => unknown): void {
  try {
    check();
  } catch (error) {
    throw new SettingsError((error as Error).message);
  }
}

function checkOrigin(text: string): string {
  const url = URL.parse(text);
  const isOrigin = url !== null && /^https?:\/\/[^*]+$/i.test(text) && url.href === `${url.origin}/`;
  if (isOrigin) return url.origin;
  throw new SettingsError(
    `An allowed origin must be the scheme, host and port of a page, such as http://localhost:5173, without a path or wildcards, not ${JSON.stringify(text)}.`,
  );
}

/** Returns all decisions. The order of precedence is: `set`, the decisions file, the scenario, the defaults. @throws FixtureError */
export async function resolveDecisions(settings: KitSettings, seed: Seed): Promise<Decisions> {
  const file = settings.decisions === undefined ? {} : await readDecisionsFile(settings.decisions);
  const single = validateDecisions(settings.set ?? {}, 'set');
  return { ...defaultDecisions, ...seed.decisions, ...file, ...single };
}

const PUBLIC_SETTINGS = [
  'port',
  'host',
  'allowHost',
  'allowOrigin',
  'data',
  'database',
  'publicUrl',
  'fixtures',
  'scenario',
  'control',
  'login',
  'logLevel',
  'destinations',
  'deliveryTimeout',
  'drain',
  'databaseConnections',
  'retries',
  'reports',
  'maxWorlds',
] as const;

/** Returns the settings that the control API reports, without secrets. */
export function getPublicSettings(settings: Settings): Record<string, unknown> {
  const { fixtures, database } = settings;
  return {
    ...Object.fromEntries(PUBLIC_SETTINGS.map((name) => [name, settings[name]])),
    database: database === undefined ? undefined : 'postgres',
    fixtures: typeof fixtures === 'object' ? fixtures.world : fixtures,
  };
}
