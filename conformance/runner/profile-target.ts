import type { PathForm } from '../../src/contract/generated/operations.ts';
import type { Profile } from '../../src/contract/generated/profile.ts';
import type { Results } from '../../src/contract/generated/results.ts';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import type { ExcludedRule } from '../../src/report/aggregate.ts';
import { isLoopback } from '../target/loopback.ts';
import type { TargetSettings } from '../target/target-settings.ts';
import { resolveReceiver } from './receiver-address.ts';
import { resolveHooks } from './resolve-hooks.ts';
import { TargetError } from './target-error.ts';

export interface SuiteTarget {
  readonly settings: TargetSettings;
  readonly shown: Results['target'];
  /** Whether to test prefixed or flat paths. If undefined, both are tested. */
  readonly forms: readonly PathForm[] | undefined;
  readonly notApplicable: readonly ExcludedRule[];
  /** A warning that is printed before the run. */
  readonly notice?: string;
}

export const DEFAULT_TIMEOUT_MS = 10_000;

export function collectSecrets(profile: Profile, environmentValues: readonly { pointer: string; value: string }[] = []): string[] {
  const { tokens: { withoutScope, ...tokens } = {}, authorization: { secretClient, keyClient } = {}, headers = {}, hooks } = profile;
  const { d, p, q, dp, dq, qi, k } = keyClient?.privateKey ?? {};
  const allHeaders = [...Object.entries(headers), ...Object.entries(hooks?.headers ?? {})];
  return [
    ...Object.values({ ...tokens, ...withoutScope }),
    ...[secretClient?.secret, keyClient?.secret, d, p, q, dp, dq, qi, k].filter((secret) => typeof secret === 'string'),
    ...environmentValues.filter(({ pointer }) => /^\/(headers|bodies|hooks\/(urls|headers))\//.test(pointer)).map(({ value }) => value),
    ...allHeaders.filter(([name]) => /auth|cookie|key|secret|token|signature/i.test(name)).map(([, value]) => value),
  ];
}

interface ProfileOptions {
  /** The target's base URL, without a trailing slash. */
  readonly baseUrl: string;
  /** The path of the profile's file, if any. The hooks module's path is relative to the file's folder. */
  readonly file?: string;
  /** Whether a person can be asked to log in. */
  readonly interactive?: boolean;
  readonly secrets?: readonly string[];
}

/** @throws TargetError if the profile's hooks or receiver cannot be used */
export async function resolveProfileTarget(
  profile: Profile,
  { baseUrl, file = '', interactive = false, secrets = collectSecrets(profile) }: ProfileOptions,
): Promise<SuiteTarget> {
  const { name, headers = {}, timeoutSeconds, requestsPerSecond, forms, notApplicable = [] } = profile;
  const timeoutMs = timeoutSeconds === undefined ? DEFAULT_TIMEOUT_MS : timeoutSeconds * 1000;
  const hooks = profile.hooks && resolveHooks(profile.hooks, file);
  if (interactive) requireLoopbackRedirects(profile.authorization);
  const receiver = await resolveReceiver(profile.events, hooks);
  return {
    settings: { baseUrl, headers, timeoutMs, requestsPerSecond, profile, hooks, receiver, secrets, interactive },
    shown: { baseUrl, kind: 'foreign', ...(name && { name }) },
    forms,
    notApplicable: [...(notApplicable as ExcludedRule[]), ...excludeRulesOfOtherPathForm(forms)],
  };
}

function requireLoopbackRedirects({ secretClient, keyClient }: NonNullable<Profile['authorization']> = {}): void {
  for (const uri of [secretClient?.redirectUri, keyClient?.redirectUri]) {
    if (uri !== undefined && !isLoopback(uri))
      throw new TargetError(
        `With --interactive, the redirectUri of a client must be an http URL on this machine, such as http://127.0.0.1:3000/callback, not ${uri}.`,
      );
  }
}

const RULES_OF_BOTH_FORMS: readonly RuleId[] = ['http.path-forms.same-operation', 'limits.assignability.forms-share'];
const RULES_OF_PREFIXED_FORM: readonly RuleId[] = ['assignments.list.updated-at-prefixed'];

function excludeRulesOfOtherPathForm(forms: readonly PathForm[] | undefined): ExcludedRule[] {
  if (forms?.length !== 1) return [];
  const rules = forms.includes('flat') ? [...RULES_OF_BOTH_FORMS, ...RULES_OF_PREFIXED_FORM] : RULES_OF_BOTH_FORMS;
  return rules.map((rule) => ({ rule, reason: `the profile contains only the ${forms[0]} form` }));
}
