import { milliseconds } from './clock/duration.ts';
import { type Decisions, defaultDecisions } from './contract/generated/decisions.ts';
import { DESTINATION_MODES, type DestinationMode } from './events/destination-mode.ts';
import { RETRY_PROFILES, type RetryProfile } from './events/schedule.ts';
import { isThisMachine } from './events/this-machine.ts';
import { LOG_LEVELS, type LogLevel } from './http/log.ts';
import { LOGIN_MODES, type LoginMode } from './oauth/login-mode.ts';
import { checkedDecisions, readDecisionsFile } from './world/decisions-file.ts';
import type { Seed, SeedSettings } from './world/seed.ts';

/** How a kit is started. Everything has a default; `xpk start --help` explains the same in words. */
export interface KitSettings extends SeedSettings {
  /** 0 takes a free one. Default 4010. */
  readonly port?: number;
  /** Address to listen on. Default 127.0.0.1. Beyond loopback, `controlToken` (or `control: false`) is needed. */
  readonly host?: string;
  /** Further names that the Host header may have, such as `kit.test` or `*.kit.test`. */
  readonly allowHost?: readonly string[];
  /** Origins of pages that may use the control API from a browser, such as `http://localhost:5173`. */
  readonly allowOrigin?: readonly string[];
  /** Path of a SQLite file that keeps the world. By default the world is in memory, about 1.5 KB for each user, and gone after `close`. */
  readonly data?: string | undefined;
  /** `postgres://user:password@host:port/name`; several kits may share it. */
  readonly database?: string | undefined;
  /** Where clients reach the kit, if not at its own address. */
  readonly publicUrl?: string | undefined;
  /** A YAML file of decisions. */
  readonly decisions?: string | undefined;
  /** Single decisions; they win over the file's, and both over a scenario's. */
  readonly set?: Partial<Decisions>;
  /** False removes the control API. */
  readonly control?: boolean;
  /** Asked of everyone who uses the control API. */
  readonly controlToken?: string | undefined;
  /**
   * Who answers authorization requests: a person at the login page (`page`), the principals as their fixtures say (`auto`), or always no (`deny`).
   * Default `auto`, as a program has nobody at a page; `xpk start` has `page`.
   */
  readonly login?: LoginMode;
  readonly logLevel?: LogLevel;
  /** When deliveries of events are repeated, if not as the decision `events.delivery.retry-schedule` says: `off` for local comfort only. */
  readonly retries?: RetryProfile;
  /** Where events may be delivered to: `local` (also http, loopback and private addresses), or `strict` (https on port 443 at public addresses). Default `local`. */
  readonly destinations?: DestinationMode;
  /**
   * How long an attempt of a delivery may take, from 1 ms to 60 s of wall time: milliseconds, or a duration such as `2s`. Default `15s`, as Events ›
   * Subscription says. A shorter time makes `clock advance` faster if an endpoint never answers.
   */
  readonly deliveryTimeout?: number | string;
  /** Milliseconds; for tests of slow clients. */
  readonly timeouts?: { readonly headersTimeoutMs?: number; readonly requestTimeoutMs?: number; readonly checkIntervalMs?: number };
}

/** A setting that cannot be: which, and what would be right. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

export type Settings = Required<
  Pick<KitSettings, 'port' | 'host' | 'allowHost' | 'allowOrigin' | 'control' | 'login' | 'logLevel' | 'destinations'>
> &
  KitSettings & {
    /** Milliseconds. */
    readonly deliveryTimeout: number;
  };

/** Fills in the defaults and refuses what cannot be. @throws SettingsError */
export function checkSettings(given: KitSettings): Settings {
  for (const name of ['host', 'allowHost', 'data', 'database', 'publicUrl', 'decisions', 'scenario', 'fixtures', 'controlToken'] as const) {
    // An unset shell variable must not look like a choice.
    if ([given[name]].flat().includes('')) throw new SettingsError(`The setting ${name} is empty. Give it a value, or leave it out.`);
  }
  const settings: Settings = {
    ...given,
    port: given.port ?? 4010,
    host: given.host ?? '127.0.0.1',
    allowHost: given.allowHost ?? [],
    allowOrigin: (given.allowOrigin ?? []).map(checkedOrigin),
    ...(given.publicUrl !== undefined && { publicUrl: checkedPublicUrl(given.publicUrl) }),
    control: given.control ?? true,
    login: given.login ?? 'auto',
    logLevel: given.logLevel ?? 'error',
    destinations: given.destinations ?? 'local',
    deliveryTimeout: checkedTimeout(given.deliveryTimeout ?? '15s'),
  };
  const { data, database } = settings;
  if (data !== undefined && database !== undefined)
    throw new SettingsError('The settings data and database are two places to keep the state in. Give one of them.');
  if (database !== undefined && !/^postgres(ql)?:$/.test(URL.parse(database)?.protocol ?? '')) {
    throw new SettingsError(
      'The database is the URL of a PostgreSQL database, such as postgres://user:password@localhost:5432/name, with special characters percent-encoded.',
    );
  }
  const { port, host, control, controlToken, login, logLevel, destinations, retries } = settings;
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new SettingsError(`The port is a whole number from 0 to 65535, not ${port}.`);
  if (!LOGIN_MODES.includes(login)) throw new SettingsError(`The login is one of ${LOGIN_MODES.join(', ')}, not ${login}.`);
  if (!LOG_LEVELS.includes(logLevel)) throw new SettingsError(`The log level is one of ${LOG_LEVELS.join(', ')}, not ${logLevel}.`);
  if (!DESTINATION_MODES.includes(destinations))
    throw new SettingsError(`The destinations are one of ${DESTINATION_MODES.join(', ')}, not ${destinations}.`);
  if (retries !== undefined && !RETRY_PROFILES.includes(retries))
    throw new SettingsError(`The retries are one of ${RETRY_PROFILES.join(', ')}, not ${retries}.`);
  if (controlToken !== undefined && controlToken.length < 16) throw new SettingsError('The control token needs at least 16 characters.');
  if (!control && settings.allowOrigin.length > 0) {
    throw new SettingsError(
      'The allowed origins may use the control API, which is removed. Leave out --allow-origin (the setting allowOrigin), or keep the control API.',
    );
  }
  if (control && controlToken === undefined && !isThisMachine(host)) {
    throw new SettingsError(
      `On ${host} others than this machine could use the control API. Give a --control-token, remove the control API with --no-control, or listen on 127.0.0.1.`,
    );
  }
  return settings;
}

/** The public URL as URL parsers write it. The issuer begins with it and has no query or fragment (RFC 8414, section 2). @throws SettingsError */
function checkedPublicUrl(text: string): string {
  const url = URL.parse(text);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === '' && !/[?#]|\/$/.test(text);
  if (isPlain) return url.href.replace(/\/$/, '');
  throw new SettingsError(
    `The public URL is an http or https address without a slash at its end, a user, a query or a fragment, such as https://kit.test, not ${text}.`,
  );
}

function checkedTimeout(given: number | string): number {
  try {
    const ms = milliseconds(given);
    if (ms >= 1 && ms <= 60_000) return ms;
  } catch {
    // Not a duration.
  }
  throw new SettingsError(`The deliveryTimeout is a duration from 1ms to 60s, such as 2s, or milliseconds as a number, not ${given}.`);
}

/** An origin as browsers send it. @throws SettingsError */
function checkedOrigin(text: string): string {
  const url = URL.parse(text);
  const isOrigin = url !== null && /^https?:\/\/[^*]+$/i.test(text) && url.href === `${url.origin}/`;
  if (isOrigin) return url.origin;
  throw new SettingsError(
    `An allowed origin is the scheme, host and port of a page, such as http://localhost:5173, without a path or wildcards, not ${JSON.stringify(text)}.`,
  );
}

/** The decisions in force: a single one wins over the file, the file over the scenario, the scenario over the defaults. @throws FixtureError */
export async function decisionsOf(settings: KitSettings, seed: Seed): Promise<Decisions> {
  const file = settings.decisions === undefined ? {} : await readDecisionsFile(settings.decisions);
  const single = checkedDecisions(settings.set ?? {}, 'set');
  return { ...defaultDecisions, ...seed.decisions, ...file, ...single };
}

/** The settings as the control API tells them: nothing secret. */
export function shownSettings({
  port,
  host,
  allowHost,
  allowOrigin,
  data,
  database,
  publicUrl,
  fixtures,
  scenario,
  control,
  login,
  logLevel,
  destinations,
  deliveryTimeout,
  retries,
}: Settings): Record<string, unknown> {
  const world = typeof fixtures === 'object' ? fixtures.world : fixtures;
  return {
    port,
    host,
    allowHost,
    allowOrigin,
    data,
    database: database === undefined ? undefined : 'postgres',
    publicUrl,
    fixtures: world,
    scenario,
    control,
    login,
    logLevel,
    destinations,
    deliveryTimeout,
    retries,
  };
}
