import { milliseconds } from './clock/duration.ts';
import { type Decisions, defaultDecisions } from './contract/generated/decisions.ts';
import { DESTINATION_MODES, type DestinationMode, isLoopbackHost } from './events/destination.ts';
import { RETRY_PROFILES, type RetryProfile } from './events/schedule.ts';
import { hostMatcher } from './http/host-guard.ts';
import { LOG_LEVELS, type LogLevel } from './http/log.ts';
import { LOGIN_MODES, type LoginMode } from './oauth/server/context.ts';
import { checkedDecisions, readDecisionsFile } from './world/decisions-file.ts';
import type { Seed, SeedSettings } from './world/seed.ts';

/** The settings of `createKit`. All are optional. `xpk start` has an option for each setting. */
export interface KitSettings extends SeedSettings {
  /** The port to listen on; 0 selects a free port. Default 4010. */
  readonly port?: number;
  /** The address to listen on. Default 127.0.0.1. An address other than loopback requires `controlToken` or `control: false`. */
  readonly host?: string;
  /** Host names to accept in the Host header in addition to loopback names, such as `kit.test` or `*.kit.test`. */
  readonly allowHost?: readonly string[];
  /** Origins of pages that may use the control API from a browser, such as `http://localhost:5173`. */
  readonly allowOrigin?: readonly string[];
  /** The path of a SQLite file that stores the state. By default the state is in memory, about 1.5 KB for each user, and lost after `close`. */
  readonly data?: string | undefined;
  /** The URL of a PostgreSQL database, `postgres://user:password@host:port/name`. Several kits may share the database. */
  readonly database?: string | undefined;
  /** The address that clients use for the kit, if they do not use the address it listens on, such as that of a proxy. */
  readonly publicUrl?: string | undefined;
  /** The path of a YAML file of decisions. */
  readonly decisions?: string | undefined;
  /** Single decisions. They take precedence over the file of decisions, and the file takes precedence over a scenario. */
  readonly set?: Partial<Decisions>;
  /** False removes the control API. */
  readonly control?: boolean;
  /** The secret that every request to the control API must contain. At least 16 characters. */
  readonly controlToken?: string | undefined;
  /**
   * How authorization requests are answered: by a person at the login page (`page`), by the `consent` of the principal in the fixtures (`auto`), or
   * always with a denial (`deny`). The default of `createKit` is `auto`, the default of `xpk start` is `page`.
   */
  readonly login?: LoginMode;
  readonly logLevel?: LogLevel;
  /**
   * When failed deliveries are repeated. `off`, which is for local use only, never repeats them. Default: the decision
   * `events.delivery.retry-schedule`.
   */
  readonly retries?: RetryProfile;
  /** Allowed destinations of events: `strict` (only https on port 443 at public addresses) or `local` (the default: also http, loopback and private addresses). */
  readonly destinations?: DestinationMode;
  /**
   * How long a delivery attempt may take, from 1 ms to 60 s of wall time: milliseconds, or a duration such as `2s`. Default `15s` (Events ›
   * Subscription). A shorter time makes `clock advance` faster if an endpoint never answers.
   */
  readonly deliveryTimeout?: number | string;
  /** Timeouts of the HTTP server in milliseconds, so that tests of slow clients need not wait for the defaults. */
  readonly timeouts?: { readonly headersTimeoutMs?: number; readonly requestTimeoutMs?: number; readonly checkIntervalMs?: number };
}

/** Thrown if a setting is not valid. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

export type Settings = Required<
  Pick<KitSettings, 'port' | 'host' | 'allowHost' | 'allowOrigin' | 'control' | 'login' | 'logLevel' | 'destinations'>
> &
  KitSettings & {
    /** In milliseconds. */
    readonly deliveryTimeout: number;
  };

/** Settings that must not be the empty string, because an unset shell variable in a command line becomes an empty string. */
const NOT_EMPTY = ['host', 'allowHost', 'data', 'database', 'publicUrl', 'decisions', 'scenario', 'fixtures', 'controlToken'] as const;
const CHOICES = { login: LOGIN_MODES, logLevel: LOG_LEVELS, destinations: DESTINATION_MODES, retries: RETRY_PROFILES } as const;

/** Validates the settings and adds the defaults. @throws SettingsError */
export function checkSettings(given: KitSettings): Settings {
  for (const name of NOT_EMPTY)
    if ([given[name]].flat().includes('')) throw new SettingsError(`The setting ${name} is empty. Give it a value, or leave it out.`);
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
    deliveryTimeout: checkTimeout(given.deliveryTimeout ?? '15s'),
  };
  const { port, host, control, controlToken, data, database } = settings;
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new SettingsError(`The setting port must be a whole number from 0 to 65535, not ${port}.`);
  for (const [name, choices] of Object.entries(CHOICES)) {
    const value = settings[name as keyof typeof CHOICES];
    if (value !== undefined && !(choices as readonly string[]).includes(value))
      throw new SettingsError(`The setting ${name} must be one of ${choices.join(', ')}, not ${value}.`);
  }
  if (data !== undefined && database !== undefined)
    throw new SettingsError('The settings data and database both say where to store the state. Give only one of them.');
  // The message does not repeat the URL, because the URL may contain a password.
  if (database !== undefined && !/^postgres(ql)?:$/.test(URL.parse(database)?.protocol ?? ''))
    throw new SettingsError(
      'The setting database must be the URL of a PostgreSQL database, such as postgres://user:password@localhost:5432/name, with special characters percent-encoded.',
    );
  if (controlToken !== undefined && controlToken.length < 16)
    throw new SettingsError('The setting controlToken must have at least 16 characters.');
  if (!control && settings.allowOrigin.length > 0)
    throw new SettingsError(
      '--allow-origin (the setting allowOrigin) is for the control API, which is removed. Leave it out, or keep the control API.',
    );
  if (control && controlToken === undefined && !isLoopbackHost(host))
    throw new SettingsError(
      `On ${host} other machines could use the control API. Give a --control-token, remove the control API with --no-control, or listen on 127.0.0.1.`,
    );
  return settings;
}

/** Returns the normalized URL. It must have no query or fragment, because the issuer begins with it (RFC 8414, section 2). */
function checkPublicUrl(text: string): string {
  const url = URL.parse(text);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === '' && !/[?#]|\/$/.test(text);
  if (isPlain) return url.href.replace(/\/$/, '');
  throw new SettingsError(
    `The public URL must be an http or https URL without a slash at its end, a user, a query or a fragment, such as https://kit.test, not ${text}.`,
  );
}

function checkTimeout(given: number | string): number {
  try {
    const ms = milliseconds(given);
    if (ms >= 1 && ms <= 60_000) return ms;
  } catch {
    // The string is not a duration, so the error below is thrown.
  }
  throw new SettingsError(
    `The setting deliveryTimeout must be a duration from 1ms to 60s, such as 2s, or milliseconds as a number, not ${given}.`,
  );
}

function checkHost(entry: string): string {
  try {
    hostMatcher(entry);
    return entry;
  } catch (error) {
    throw new SettingsError((error as Error).message);
  }
}

/** Returns the origin in the spelling in which browsers send it. */
function checkOrigin(text: string): string {
  const url = URL.parse(text);
  const isOrigin = url !== null && /^https?:\/\/[^*]+$/i.test(text) && url.href === `${url.origin}/`;
  if (isOrigin) return url.origin;
  throw new SettingsError(
    `An allowed origin must be the scheme, host and port of a page, such as http://localhost:5173, without a path or wildcards, not ${JSON.stringify(text)}.`,
  );
}

/** The decisions in force: single decisions take precedence over the file, the file over the scenario, the scenario over the defaults. @throws FixtureError */
export async function decisionsOf(settings: KitSettings, seed: Seed): Promise<Decisions> {
  const file = settings.decisions === undefined ? {} : await readDecisionsFile(settings.decisions);
  const single = checkedDecisions(settings.set ?? {}, 'set');
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
  'retries',
] as const;

/** The settings that the control API returns. They contain no secrets. */
export function publicSettings(settings: Settings): Record<string, unknown> {
  const { fixtures, database } = settings;
  return {
    ...Object.fromEntries(PUBLIC_SETTINGS.map((name) => [name, settings[name]])),
    database: database === undefined ? undefined : 'postgres',
    fixtures: typeof fixtures === 'object' ? fixtures.world : fixtures,
  };
}
