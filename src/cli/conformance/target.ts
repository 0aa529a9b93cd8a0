import { findControl } from '../../../conformance/support/control.ts';
import type { TargetSettings } from '../../../conformance/support/target-settings.ts';
import type { PathForm } from '../../contract/generated/operations.ts';
import { createKit } from '../../kit.ts';
import type { NotApplicable } from '../../report/aggregate.ts';
import type { Results } from '../../report/results.ts';
import { type Profile, readProfile } from './profile-file.ts';
import { UsageError } from './usage-error.ts';

export interface Asked {
  readonly baseUrl?: string;
  readonly profile?: string;
  readonly controlToken?: string;
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

/**
 * The kit in this process where nothing is asked for; a kit elsewhere through its control API; any other server through what its profile gives. A
 * profile, where there is one, is all that is used.
 * @throws UsageError, FixtureError
 */
export async function openTarget({ baseUrl, profile: file, controlToken }: Asked): Promise<OpenTarget> {
  if (baseUrl === undefined && file === undefined) return ownKit();
  const profile = file === undefined ? undefined : await readProfile(file);
  const url = addressOf(baseUrl ?? profile?.baseUrl);
  await mustAnswer(url, profile?.headers ?? {});
  return profile === undefined ? withoutProfile(url, controlToken) : withProfile(url, profile);
}

async function ownKit(): Promise<OpenTarget> {
  const kit = await createKit({ port: 0 });
  return {
    settings: { baseUrl: kit.url, headers: {}, timeoutMs: TIMEOUT_MS, control: { url: kit.url }, profile: {} },
    shown: { baseUrl: kit.url, kind: 'kit', name: 'the kit itself' },
    forms: undefined,
    notApplicable: [],
    close: () => kit.close(),
  };
}

async function withoutProfile(url: string, controlToken: string | undefined): Promise<OpenTarget> {
  const found = await findControl(url, controlToken);
  if (found === 'locked')
    throw new UsageError(
      `The kit at ${url} asks for ${controlToken ? 'another' : 'its'} control token: give it with --control-token, or a --profile.`,
    );
  const control = found === 'found' ? { url, ...(controlToken && { token: controlToken }) } : undefined;
  return {
    settings: { baseUrl: url, headers: {}, timeoutMs: TIMEOUT_MS, control, profile: {}, secrets: controlToken ? [controlToken] : [] },
    shown: { baseUrl: url, kind: control ? 'kit' : 'foreign' },
    forms: undefined,
    notApplicable: [],
    ...(!control && {
      notice: `${url} is not a kit with a control API, and there is no profile: little can be tested. Write one with: xpk conformance init`,
    }),
    close: async () => {},
  };
}

function withProfile(url: string, profile: Profile): OpenTarget {
  const { name, headers = {}, timeoutSeconds, requestsPerSecond, forms, notApplicable = [], resources, secrets } = profile;
  const timeoutMs = timeoutSeconds === undefined ? TIMEOUT_MS : timeoutSeconds * 1000;
  return {
    settings: { baseUrl: url, headers, timeoutMs, requestsPerSecond, profile: resources, secrets },
    shown: { baseUrl: url, kind: 'foreign', ...(name && { name }) },
    forms,
    notApplicable,
    close: async () => {},
  };
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
