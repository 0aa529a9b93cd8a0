import { findControl } from '../../../conformance/target/control.ts';
import type { HookSettings } from '../../../conformance/target/hooks.ts';
import { isLoopback } from '../../../conformance/target/loopback.ts';
import type { TargetSettings } from '../../../conformance/target/target-settings.ts';
import type { PathForm } from '../../contract/generated/operations.ts';
import type { RuleId } from '../../contract/generated/rules.ts';
import { createKit } from '../../kit.ts';
import type { NotApplicable } from '../../report/aggregate.ts';
import type { Results } from '../../report/results.ts';
import { UsageError } from '../usage-error.ts';
import { resolveHooks } from './hooks-module.ts';
import { type Profile, readProfile } from './profile-file.ts';
import { listeningAt, receiverAt, receiverOf, unreached } from './receiver.ts';

export interface Asked {
  readonly baseUrl?: string;
  readonly profile?: string;
  readonly controlToken?: string;
  /** How a kit reaches this machine, where it is on another. */
  readonly receiver?: string;
  /** Whether a person is there to be asked. */
  readonly interactive?: boolean;
}

/** What is judged, and how it is reached. */
export interface OpenTarget {
  readonly settings: TargetSettings;
  readonly shown: Results['target'];
  /** Those that the profile names, or undefined. */
  readonly forms: readonly PathForm[] | undefined;
  readonly notApplicable: readonly NotApplicable[];
  /** Said before the run. */
  readonly notice?: string;
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;

/** Where the one token is that a server without a profile is judged by. No option: other processes see the command line. */
export const TOKEN_VARIABLE = 'XPK_TOKEN';

/**
 * The kit in this process where nothing is asked for; a kit elsewhere through its control API; any other server through what its profile gives, or
 * else through the one token of the environment. A profile, where there is one, is all that is used.
 * @throws UsageError, FixtureError
 */
export async function openTarget(
  { baseUrl, profile: file, controlToken, receiver, interactive = false }: Asked,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<OpenTarget> {
  if (receiver !== undefined && (file !== undefined || baseUrl === undefined))
    throw new UsageError('--receiver is for a kit that runs elsewhere, with --base-url; a profile says it in events.receiver.');
  if (baseUrl === undefined && file === undefined) return ownKit();
  const profile = file === undefined ? undefined : await readProfile(file, environment);
  const hooks = file !== undefined && profile?.hooks ? await resolveHooks(profile.hooks, file) : undefined;
  const url = addressOf(baseUrl ?? profile?.baseUrl);
  await mustAnswer(url, profile?.headers ?? {});
  return profile === undefined
    ? withoutProfile(url, controlToken, oneToken(environment[TOKEN_VARIABLE]), receiver)
    : await withProfile(url, profile, hooks, interactive);
}

async function ownKit(): Promise<OpenTarget> {
  // What is not acknowledged comes again soon.
  const kit = await createKit({ port: 0, retries: 'fast' });
  return {
    settings: { baseUrl: kit.url, headers: {}, timeoutMs: TIMEOUT_MS, control: { url: kit.url, disposable: true }, profile: {} },
    shown: { baseUrl: kit.url, kind: 'kit', name: 'the kit itself' },
    forms: undefined,
    notApplicable: [],
    close: () => kit.close(),
  };
}

async function withoutProfile(
  url: string,
  controlToken: string | undefined,
  token: string | undefined,
  receiverUrl: string | undefined,
): Promise<OpenTarget> {
  const wanted = receiverUrl === undefined ? undefined : receiverAt(receiverUrl);
  const found = await findControl(url, controlToken);
  if (found === 'locked' && (controlToken || !token)) {
    throw new UsageError(
      `The kit at ${url} asks for ${controlToken ? 'another' : 'its'} control token: give it with --control-token, or a --profile.`,
    );
  }
  if (found !== 'found' && wanted) throw new UsageError(`--receiver is for a kit with a control API, and there is none to use at ${url}.`);
  if (found !== 'found') return withOneToken(url, token);
  const receiver = wanted && (await listeningAt(wanted, `--receiver: nothing can be received on port ${wanted.port}`));
  const control = { url, ...(controlToken && { token: controlToken }) };
  return {
    settings: {
      baseUrl: url,
      headers: {},
      timeoutMs: TIMEOUT_MS,
      control,
      receiver,
      profile: {},
      secrets: controlToken ? [controlToken] : [],
    },
    shown: { baseUrl: url, kind: 'kit' },
    forms: undefined,
    notApplicable: [],
    close: async () => {},
  };
}

function withOneToken(url: string, token: string | undefined): OpenTarget {
  const known = token === undefined ? `no token either: nothing can be tested. Set ${TOKEN_VARIABLE} to an access token` : 'one token only';
  return {
    settings: {
      baseUrl: url,
      headers: {},
      timeoutMs: TIMEOUT_MS,
      profile: token === undefined ? {} : { tokens: { full: token } },
      secrets: token === undefined ? [] : [token],
    },
    shown: { baseUrl: url, kind: 'foreign' },
    forms: undefined,
    notApplicable: [],
    notice: `No control API to use at ${url}, no profile, and ${known}. For more, write a profile: xpk conformance init`,
    close: async () => {},
  };
}

/** @throws UsageError */
function oneToken(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (/\s/.test(text)) throw new UsageError(`${TOKEN_VARIABLE} in the environment is no access token: there is a space in it.`);
  return text;
}

async function withProfile(url: string, profile: Profile, hooks: HookSettings | undefined, interactive: boolean): Promise<OpenTarget> {
  const { name, headers = {}, timeoutSeconds, requestsPerSecond, forms, notApplicable = [], resources, secrets } = profile;
  const timeoutMs = timeoutSeconds === undefined ? TIMEOUT_MS : timeoutSeconds * 1000;
  if (interactive) mustBeLoopback(resources.authorization);
  const receiver = await receiverOf(resources.events, hooks);
  const notice = receiver && (await unreached(receiver));
  return {
    settings: { baseUrl: url, headers, timeoutMs, requestsPerSecond, profile: resources, hooks, receiver, secrets, interactive },
    shown: { baseUrl: url, kind: 'foreign', ...(name && { name }) },
    forms,
    notApplicable: [...notApplicable, ...withoutOtherForm(forms)],
    ...(notice !== undefined && { notice }),
    close: async () => {},
  };
}

/** The redirect of a person's browser has to come here. @throws UsageError */
function mustBeLoopback({ secretClient, keyClient }: NonNullable<Profile['resources']['authorization']> = {}): void {
  for (const uri of [secretClient?.redirectUri, keyClient?.redirectUri]) {
    if (uri !== undefined && !isLoopback(uri))
      throw new UsageError(
        `With --interactive, the redirectUri of a client is an http address of this machine, such as http://127.0.0.1:3000/callback, not ${uri}.`,
      );
  }
}

/** Rules whose checks call the other form, too, wherever they run. */
const BOTH_FORMS: readonly RuleId[] = ['http.path-forms.same-operation', 'limits.assignability.forms-share'];
const PREFIXED_FORM: readonly RuleId[] = ['assignments.list.updated-at-prefixed'];

/** What is not judged at a target of which the profile names one path form. */
function withoutOtherForm(forms: readonly PathForm[] | undefined): NotApplicable[] {
  if (forms?.length !== 1) return [];
  const rules = forms.includes('flat') ? [...BOTH_FORMS, ...PREFIXED_FORM] : BOTH_FORMS;
  return rules.map((rule) => ({ rule, reason: `the profile names the ${forms[0]} form only` }));
}

function addressOf(text: string | undefined): string {
  if (text === undefined) throw new UsageError('The profile has no baseUrl: give one there, or with --base-url.');
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol) || /[?#\s]/.test(text)) {
    throw new UsageError(`The base URL is an http or https address such as https://api.example.com, not ${text}.`);
  }
  return text.replace(/\/+$/, '');
}

/** Better one line now than the same error from every check. Any answer will do. */
async function mustAnswer(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  try {
    await fetch(`${url}/experience/connections`, { headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    const cause = (error as Error).cause as Error | undefined;
    throw new UsageError(
      `Nothing answers at ${url} (${cause?.message || (cause as NodeJS.ErrnoException | undefined)?.code || (error as Error).message}).`,
    );
  }
}
