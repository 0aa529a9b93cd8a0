import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import type { Profile } from '../../src/contract/generated/profile.ts';
import type { Answer } from '../../src/expect/answer.ts';
import { type CallOptions, createClient } from '../actors/api-client.ts';
import { createPacer } from '../target/pacer.ts';
import { hideSecrets } from '../target/secrets.ts';
import type { SuiteTarget } from './profile-target.ts';
import { TargetError } from './target-error.ts';
import { tryHooks } from './try-hooks.ts';

type Tokens = NonNullable<Profile['tokens']>;

/** The operations that test a token. They can be called with an unknown account, because only the token can cause a 401. */
const LIST_OPERATIONS = ['getExperienceAssignments', 'getExperienceConnections', 'getUsers'] as const satisfies readonly OperationId[];

const UNKNOWN_ACCOUNT = 'a5c1f0f4-6c0e-4d5b-9d5c-3f1f3a0c7e21';

/**
 * Sends a request, by default with the full token. If there is no response, returns undefined instead of throwing, because checks report
 * that later.
 */
type SendRequest = (operation: OperationId, call: CallOptions) => Promise<Answer | undefined>;

/**
 * Validates a profile's tokens, accounts, free resources and hooks before the checks run.
 * @param fullToken the name of the full token in error messages: `tokens.full` or an environment variable
 * @throws TargetError for a mistake in the profile
 */
export async function preflight({ settings, forms }: Pick<SuiteTarget, 'settings' | 'forms'>, fullToken = 'tokens.full'): Promise<void> {
  const { profile, control, requestsPerSecond, secrets = [] } = settings;
  if (control !== undefined) return;
  const { tokens = {}, accounts = {}, authorization } = profile;
  if (tokens.full === undefined && authorization?.url === undefined)
    throw new TargetError(
      'The profile has neither tokens.full nor authorization, so nothing can be tested. Add an access token: tokens.full.',
    );
  const pace = requestsPerSecond === undefined ? undefined : createPacer(requestsPerSecond, () => performance.now());
  const api = createClient({ ...settings, pace, form: forms?.[0] ?? 'prefixed', recordExchange: () => {} });
  const sendRequest: SendRequest = (operation, call) => api.call(operation, { token: tokens.full, ...call }).catch(() => undefined);
  try {
    await requireTokens(tokens, accounts.main ?? UNKNOWN_ACCOUNT, sendRequest, fullToken);
    for (const name of ['main', 'second'] as const) {
      const accountId = accounts[name];
      if (accountId !== undefined && tokens.full !== undefined) await requireAccount(name, accountId, profile, sendRequest);
    }
    const consumeFault = () => sendRequest('getUsers', { query: { accountId: accounts.main } });
    if (settings.hooks !== undefined) await tryHooks(settings.hooks, settings, consumeFault);
  } catch (error) {
    // The message quotes responses, and a response may contain a token.
    throw error instanceof TargetError ? new TargetError(hideSecrets(error.message, secrets)) : error;
  }
}

/** @throws TargetError if the server refuses a token. It must refuse the expired one. */
async function requireTokens(
  { withoutScope, expired: _, ...others }: Tokens,
  accountId: string,
  sendRequest: SendRequest,
  fullToken: string,
): Promise<void> {
  // The users list requires the principal claim.
  const named = [
    ...Object.entries(others).map(
      ([name, token]) =>
        [name === 'full' ? fullToken : `tokens.${name}`, token, name.startsWith('withoutClaim') ? 'users:manage' : undefined] as const,
    ),
    ...Object.entries(withoutScope ?? {}).map(([scope, token]) => [`tokens.withoutScope.${scope}`, token, scope] as const),
  ];
  const refused = await Promise.all(
    named.map(async ([name, token, missingScope]) => {
      let last: Answer | undefined;
      // Report a token only if all operations that it allows refuse it, because a single refusal may be the server's mistake.
      for (const operation of LIST_OPERATIONS.filter((list) => operations[list].scope !== missingScope)) {
        last = await sendRequest(operation, { token, query: { accountId } });
        if (last?.status !== 401) return [];
      }
      return last === undefined ? [] : [`${name}: the server refuses this token. ${describe(last)}`];
    }),
  );
  const reasons = refused.flat();
  if (reasons.length === 0) return;
  const advice =
    'Replace or remove the token in the profile or XPK_TOKEN. With a refused token, some checks would fail, and others would pass only because of the refusal.';
  throw new TargetError(`${reasons.join('\n')}\n${advice}`);
}

interface Entity {
  readonly id?: unknown;
  readonly experienceId?: unknown;
  readonly targetValue?: unknown;
}

const readEntities = (answer: Answer | undefined): readonly Entity[] => {
  const { entities } = Object(answer?.json) as { entities?: unknown };
  return answer?.status === 200 && Array.isArray(entities) ? entities.map((each) => Object(each) as Entity) : [];
};

/** @throws TargetError if the account seems not to exist, or uses a resource that the profile lists as free */
async function requireAccount(name: 'main' | 'second', accountId: string, profile: Profile, sendRequest: SendRequest): Promise<void> {
  const [assignments, connections, users] = await Promise.all(LIST_OPERATIONS.map((list) => sendRequest(list, { query: { accountId } })));
  const readAllPages = (operation: OperationId, first: Answer | undefined) =>
    readPages(first, (cursor) => sendRequest(operation, { query: { accountId, cursor } }));
  if (profile.allow?.write) {
    const allAssignments = await readAllPages('getExperienceAssignments', assignments);
    await requireFree(profile, allAssignments, await readAllPages('getExperienceConnections', connections), sendRequest);
  }
  // Empty lists alone are no mistake, because an existing account may have no users, assignments or connections.
  if (users?.status !== 200 || [users, assignments, connections].some((answer) => readEntities(answer).length > 0)) return;
  const refused = [assignments, connections].find((answer) => answer?.status === 403 || answer?.status === 404);
  if (refused === undefined) return;
  throw new TargetError(
    `accounts.${name}: ${accountId} does not exist, or tokens.full may not view it: its lists are empty or refused. ${describe(refused)}`,
  );
}

/** The maximum number of pages to read, so that a list without an end does not delay the run forever. */
const MAX_PAGES = 100;

async function readPages(
  first: Answer | undefined,
  requestPage: (cursor: string) => Promise<Answer | undefined>,
): Promise<readonly Entity[]> {
  const entities: Entity[] = [];
  let answer = first;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    entities.push(...readEntities(answer));
    const { cursor } = Object(answer?.json) as { cursor?: unknown };
    if (typeof cursor !== 'string') break;
    answer = await requestPage(cursor);
  }
  return entities;
}

async function requireFree(
  { freeNumbers = [], freeUsers = [], experiences }: Profile,
  assignments: readonly Entity[],
  connections: readonly Entity[],
  sendRequest: SendRequest,
): Promise<void> {
  const includesValue = (ids: readonly string[], value: unknown) => ids.some((id) => id.toLowerCase() === String(value).toLowerCase());
  const uses = [
    ...assignments
      .filter(({ targetValue }) => includesValue([...freeNumbers, ...freeUsers], targetValue))
      .map(({ id, targetValue }) => [`${targetValue} is assigned`, 'getExperienceAssignment', 'assignmentId', id] as const),
    ...connections
      .filter(({ experienceId }) => includesValue(experiences?.unconnected ?? [], experienceId))
      .map(({ id, experienceId }) => [`${experienceId} is connected`, 'getExperienceConnection', 'experienceConnectionId', id] as const),
  ];
  for (const [what, operation, parameter, id] of uses) {
    // A list may still contain an entity that was just deleted.
    const answer = await sendRequest(operation, { path: { [parameter]: String(id) } });
    if (answer?.status === 200)
      throw new TargetError(
        `${what}, but the profile says that it is free. ${describe(answer)}\nAnother run may be using it, or an earlier run may have left it behind. Wait for the other run, delete the entity, or name a different resource in the profile.`,
      );
  }
}

function describe({ method, url, status, text }: Answer): string {
  return `${method} ${url} was answered with ${status}: ${text.slice(0, 200)}`;
}
