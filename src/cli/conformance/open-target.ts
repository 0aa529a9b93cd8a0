import { createHash } from 'node:crypto';
import { testReceiver } from '../../../conformance/actors/receiver.ts';
import { preflight } from '../../../conformance/runner/preflight.ts';
import { DEFAULT_TIMEOUT_MS, resolveProfileTarget, type SuiteTarget } from '../../../conformance/runner/profile-target.ts';
import { startReceiverAt } from '../../../conformance/runner/receiver-address.ts';
import { reserveAccounts } from '../../../conformance/runner/reservation.ts';
import { TargetError } from '../../../conformance/runner/target-error.ts';
import { createArrangement } from '../../../conformance/target/arrangement.ts';
import { createCleanup } from '../../../conformance/target/cleanup.ts';
import { createControl } from '../../../conformance/target/control.ts';
import { createKitCapabilities } from '../../../conformance/target/kit-capabilities.ts';
import { hideSecrets } from '../../../conformance/target/secrets.ts';
import type { ReceiverSettings } from '../../../conformance/target/target-settings.ts';
import { getKitOfWorld } from '../../contract/world-url.ts';
import { RefusedError } from '../../control-client/errors.ts';
import { createKit } from '../../kit.ts';
import { connectKit } from '../../sdk/connect.ts';
import { version } from '../../version.ts';
import { UsageError } from '../usage-error.ts';
import { findKit } from './find-kit.ts';
import { readProfile } from './profile-file.ts';

export interface TargetFlags {
  readonly baseUrl?: string;
  readonly profile?: string;
  readonly controlToken?: string;
  /** The URL at which a kit on another machine can reach the suite's receiver. */
  readonly receiver?: string;
  /** Whether the suite may ask a person to log in. */
  readonly interactive?: boolean;
  /** Whether a kit is tested in a new world. Default: true. */
  readonly ownWorld?: boolean;
  /** The file for the decisions that the run observes. */
  readonly writeDecisions?: string;
  /** The version of the target, for reports. */
  readonly targetVersion?: string;
}

export interface OpenTarget extends SuiteTarget {
  close(): Promise<void>;
}

const QUICK_REPEATS = { 'events.delivery.retry-schedule': 'fast' } as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** A command-line option would show the token to other processes. */
const TOKEN_VARIABLE = 'XPK_TOKEN';

/** Closes what a target has opened. (Node.js 22 has no AsyncDisposableStack.) */
type Closer = () => unknown;

/**
 * Opens a run's target: a profile's server, the server at --base-url, or a new kit. If the server at --base-url has no usable control API,
 * the environment must contain an access token.
 * @throws UsageError, FixtureError
 */
export async function openTarget(flags: TargetFlags, environment: Environment = process.env): Promise<OpenTarget> {
  const { baseUrl, profile, receiver } = flags;
  if (receiver !== undefined && (profile !== undefined || baseUrl === undefined))
    throw new UsageError('--receiver requires --base-url, and is for a kit on another machine. In a profile, set events.receiver instead.');
  if (baseUrl === undefined && profile === undefined) return startOwnKit(flags, environment);
  const opened: Closer[] = [];
  const close = async () => {
    for (const closeOne of opened.toReversed()) await closeOne();
  };
  try {
    const target = await (profile === undefined
      ? createTargetWithoutProfile(flags, environment, opened)
      : createProfileTarget(profile, flags, environment));
    opened.push(await reserveAccounts(target.settings));
    await preflight(target, profile === undefined ? TOKEN_VARIABLE : undefined);
    const known = flags.targetVersion ?? (await readKitVersion(target.settings));
    const shown = { ...target.shown, ...(known !== undefined && { version: known }) };
    return { ...target, shown, close };
  } catch (error) {
    await close();
    throw error instanceof TargetError ? new UsageError(error.message) : error;
  }
}

async function startOwnKit({ targetVersion = version }: TargetFlags, { XPK_URL }: Environment): Promise<OpenTarget> {
  const kit = await createKit({ port: 0, retries: 'fast' });
  return {
    settings: { baseUrl: kit.url, headers: {}, timeoutMs: DEFAULT_TIMEOUT_MS, control: { url: kit.url, disposable: true }, profile: {} },
    shown: { baseUrl: kit.url, kind: 'kit', name: 'the kit itself', version: targetVersion },
    forms: undefined,
    notApplicable: [],
    ...(XPK_URL && { notice: `XPK_URL is not used. To test the server at ${XPK_URL}, add --base-url ${XPK_URL}.` }),
    close: () => kit.close(),
  };
}

async function readKitVersion({ control }: SuiteTarget['settings']): Promise<string | undefined> {
  return control && (await createControl(control.url, control.token).info()).version;
}

async function createProfileTarget(
  file: string,
  { baseUrl, interactive = false }: TargetFlags,
  environment: Environment,
): Promise<SuiteTarget> {
  const { profile, secrets } = await readProfile(file, environment);
  const url = checkBaseUrl(baseUrl ?? profile.baseUrl);
  await checkServerResponds(url, profile.headers ?? {});
  const target = await resolveProfileTarget(profile, { baseUrl: url, file, interactive, secrets });
  const digest = createHash('sha256')
    .update(JSON.stringify(hideSecrets(profile, secrets)))
    .digest('hex');
  return { ...target, shown: { ...target.shown, profile: digest } };
}

async function createTargetWithoutProfile(flags: TargetFlags, environment: Environment, opened: Closer[]): Promise<SuiteTarget> {
  const { controlToken, ownWorld = true } = flags;
  const url = checkBaseUrl(flags.baseUrl);
  await checkServerResponds(url, {});
  const token = readToken(environment);
  const receiver = flags.receiver === undefined ? undefined : parseReceiver(flags.receiver);
  const kit = await findKit(url, controlToken);
  const isProxied = kit.url !== url;
  if (kit.state === 'locked' && (controlToken || !token)) {
    throw new UsageError(
      `The kit at ${kit.url} requires ${controlToken ? 'a different' : 'its'} control token. Give the token with --control-token, or give a --profile.`,
    );
  }
  if (kit.state !== 'found' && receiver)
    throw new UsageError(`--receiver requires a kit with a control API, but ${kit.url} has no usable control API.`);
  if (kit.state !== 'found') return createTokenTarget(url, token, kit.url);
  // A proxy forwards to one world only.
  const world = ownWorld && !isProxied ? await createOwnWorld(url, flags, opened) : {};
  const { baseUrl = url } = world;
  const controlUrl = isProxied ? kit.url : baseUrl;
  if (receiver) await checkReceiverReachable(controlUrl, controlToken, receiver);
  const notices = [
    ...(isProxied ? [`The suite tests the kit at ${kit.url} through the proxy at ${url}, and removes what it creates.`] : []),
    ...(world.notice === undefined ? [] : [world.notice]),
    ...(token
      ? [
          `${TOKEN_VARIABLE} is not used, because the suite gets its tokens from the kit's control API. To test with this token, write a profile.`,
        ]
      : []),
  ];
  return {
    settings: {
      baseUrl,
      headers: {},
      timeoutMs: DEFAULT_TIMEOUT_MS,
      control: { url: controlUrl, ...(controlToken && { token: controlToken }), ...(world.baseUrl && { disposable: true }) },
      receiver,
      profile: {},
      secrets: controlToken ? [controlToken] : [],
    },
    shown: { baseUrl: url, kind: 'kit' },
    forms: undefined,
    notApplicable: [],
    ...(notices.length > 0 && { notice: notices.join('\n') }),
  };
}

/**
 * Creates a world in which the run disturbs nobody. It ends with the run.
 * @returns no URL if the kit cannot create a world, or if the user has chosen one
 */
async function createOwnWorld(
  url: string,
  { controlToken, writeDecisions }: TargetFlags,
  opened: Closer[],
): Promise<{ readonly baseUrl?: string; readonly notice?: string }> {
  if (getKitOfWorld(url) !== url) return {};
  try {
    const kit = connectKit(url, controlToken ? { controlToken } : {});
    // A quick schedule saves time. It must not be in a file with the kit's decisions.
    const decisions = writeDecisions === undefined ? QUICK_REPEATS : {};
    const world = await kit.createWorld({ label: 'xpk conformance', decisions });
    // A kit that has stopped has no worlds.
    opened.push(() => world.close().catch(() => {}));
    return { baseUrl: world.url };
  } catch (error) {
    const reason = error instanceof RefusedError ? error.detail : (error as Error).message;
    return {
      notice: `The suite tests the first world of the kit, and removes what it creates, because it cannot create a world: ${reason}`,
    };
  }
}

async function checkReceiverReachable(url: string, controlToken: string | undefined, receiver: ReceiverSettings): Promise<void> {
  const started = await startReceiverAt(receiver, `--receiver: cannot listen on port ${receiver.port}`);
  const cleanup = createCleanup();
  try {
    const control = createControl(url, controlToken);
    const { need } = createArrangement(
      await createKitCapabilities({ control, name: 'preflight', cleanup, disposable: false, canReceive: true }),
    );
    const why = await testReceiver(started, await need('events.reach')).catch(({ message }: Error) => message);
    if (why !== undefined) throw new UsageError(`--receiver: the kit's deliveries do not arrive at the receiver: ${why}.`);
  } finally {
    await cleanup.run();
    await started.close();
  }
}

/** @param server the URL of the server that handles the requests */
function createTokenTarget(url: string, token: string | undefined, server: string): SuiteTarget {
  if (token === undefined) {
    throw new UsageError(
      `${server} cannot be tested without a token, because it has no usable control API. Set ${TOKEN_VARIABLE} to an access token with all four scopes and the principal claim, or describe the server in a profile (xpk conformance init).`,
    );
  }
  return {
    settings: {
      baseUrl: url,
      headers: {},
      timeoutMs: DEFAULT_TIMEOUT_MS,
      profile: { tokens: { full: token } },
      secrets: [token],
    },
    shown: { baseUrl: url, kind: 'foreign' },
    forms: undefined,
    notApplicable: [],
    notice: `Only some rules can be tested, because ${server} has no usable control API and there is no profile. To test more rules, write a profile: xpk conformance init`,
  };
}

function readToken(environment: Environment): string | undefined {
  const token = environment[TOKEN_VARIABLE];
  if (token === undefined || token === '') return undefined;
  if (/\s/.test(token)) throw new UsageError(`${TOKEN_VARIABLE} in the environment is not an access token: it contains a space.`);
  return token;
}

/** The suite listens on all addresses, because the URL may contain any address. */
function parseReceiver(text: string): ReceiverSettings {
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'http:' || url.port === '' || url.pathname !== '/' || url.search + url.hash !== '')
    throw new UsageError(`--receiver must be an http URL with a port and no path, such as http://192.0.2.7:9000, not ${text}.`);
  return { host: '::', port: Number(url.port), publicUrl: url.origin };
}

function checkBaseUrl(text: string | undefined): string {
  if (text === undefined) throw new UsageError('The profile has no baseUrl: add it to the profile, or give --base-url.');
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol) || /[?#\s]/.test(text)) {
    throw new UsageError(`The base URL must be an http or https URL such as https://api.example.com, not ${text}.`);
  }
  return text.replace(/\/+$/, '');
}

/** Checks that the server responds, with any status, because otherwise every check would end in an error. */
async function checkServerResponds(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  try {
    await fetch(`${url}/experience/connections`, { headers, redirect: 'manual', signal: AbortSignal.timeout(DEFAULT_TIMEOUT_MS) }).then(
      ({ body }) => body?.cancel(),
    );
  } catch (error) {
    const { message } = error as Error;
    const { message: cause, code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    throw new UsageError(`There is no answer from ${url} (${cause || code || message}).`);
  }
}
