import { sql } from 'kysely';
import type { AccessLevels, LevelName } from '../../contract/evidence.ts';
import { operations } from '../../contract/generated/operations.ts';
import type { Executor } from '../../store/engine.ts';
import { findNames } from '../../world/names.ts';
import type { ControlDeps } from '../handler.ts';
import { findSucceedingValues, type Suggestion, suggestCorrectFields, suggestNearestPath, suggestValues } from './corrections.ts';
import type { CompleteEvidence } from './empty-list.ts';
import { listValues, type SentRequest } from './sent-request.ts';

type EvidenceOf<Cause extends CompleteEvidence['cause']> = Extract<CompleteEvidence, { cause: Cause }>;
type ControlCall = NonNullable<Suggestion['control']>[number];

export async function suggestChange(
  sent: SentRequest,
  evidence: CompleteEvidence | undefined,
  { store: { db }, faults }: Pick<ControlDeps, 'store' | 'faults'>,
): Promise<Suggestion | undefined> {
  if (sent.entry.door === 'authorization') return undefined;
  switch (evidence?.cause) {
    case undefined:
      return suggestCorrectRequest(sent, db);
    case 'token':
      return suggestValidToken(db, sent, evidence);
    case 'unknown':
    case 'id style unsupported':
      return suggestKnownValue(db, sent, evidence.value);
    case 'levels':
      return suggestGrants(db, sent, evidence, evidence.needed);
    case 'already assigned':
      return suggestDeletion('assignments', [evidence.assignmentId]);
    case 'AGENT assignment':
    case 'numbers assigned':
      return suggestDeletion(
        'assignments',
        evidence.assignments.map(({ assignmentId }) => assignmentId),
      );
    case 'connection exists':
      // Only the platform may delete a connection while telephone numbers are assigned.
      return suggestDeletion('connections', [evidence.connectionId], '?as=platform');
    case 'no connection': {
      const body = { account: evidence.accountId, experience: evidence.experienceId };
      return { text: 'Connect the account to the Experience first.', control: [createCall('POST', '/state/connections', body)] };
    }
    case 'present state':
      return suggestValues(sent, { state: evidence.state === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE' });
    case 'cursor':
      return suggestValues(sent, { cursor: null });
    case 'empty list':
      return suggestForEmptyList(db, sent, evidence);
    case 'not shown yet':
      return suggestWait(evidence.lagMs);
    case 'rate':
      // The next request is accepted after `waitMs` if the window is sliding, otherwise within one second.
      return suggestWait(evidence.window === 'sliding' ? evidence.waitMs : 1000);
    case 'preference':
      return { text: 'Send the request without the Prefer header.' };
    case 'fault': {
      const { id } = evidence.fault;
      const fault = (await faults.list()).find((each) => each.id === id);
      const end = !fault ? 'was removed' : fault.hits >= (fault.times ?? Infinity) ? 'is used up' : undefined;
      if (end !== undefined) return { text: `Send the request again: the fault ${id} ${end}.` };
      return { text: `Remove the fault ${id}.`, control: [createCall('DELETE', `/faults/${id}`)] };
    }
  }
}

const ADVICE_BY_PROBLEM: Readonly<Record<string, string>> = {
  'http.unknown-host': 'Send a Host header that the kit allows, or start the kit with --allow-host.',
  'http.body-too-large': 'Send a smaller body.',
  'http.malformed-path': 'Encode the path as UTF-8.',
  'proxy.no-login': 'Request tokens from the real authorization server, or start xpk proxy with --auth-to.',
  'proxy.unknown-hook': 'Use the path of a receiver that the proxy has, or start xpk proxy with --events.',
  'proxy.unreachable': 'Check that the target of the proxy runs, and that the URL in --to is right.',
  'proxy.timeout': 'Repeat the request when the target responds faster, or start xpk proxy with a longer --timeout.',
  'proxy.cut': "No change to the request helps: the target's log contains the cause.",
  'http.unavailable': 'Repeat the request when the database is available again.',
  'http.unexpected-error':
    "No change to the request helps, because the kit itself failed. The kit's log contains the cause with the trace id.",
};

/** Suggests a different request after a response that did not depend on the kit's state. */
async function suggestCorrectRequest(sent: SentRequest, db: Executor): Promise<Suggestion | undefined> {
  const { problemId = '', entry } = sent;
  const text = ADVICE_BY_PROBLEM[problemId];
  if (text !== undefined) return { text };
  if (problemId === 'http.unknown-route') return suggestNearestPath(sent);
  if (problemId === 'assignments.list.account-with-target') return suggestValues(sent, { accountId: null });
  if (problemId !== 'http.method-not-allowed') return suggestCorrectFields(db, sent);
  const [path = ''] = entry.path.split('?', 1);
  const isTemplateOfPath = (pathTemplate: string) => new RegExp(`^${pathTemplate.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
  const method = Object.values(operations)
    .find(({ paths }) => paths.some(isTemplateOfPath))
    ?.method.toUpperCase();
  return method === undefined ? undefined : { text: `Use the method ${method}.`, request: { method } };
}

function createCall(method: string, path: string, body?: unknown): ControlCall {
  return { method, path: `/_control${path}`, ...(body !== undefined && { body }) };
}

function suggestDeletion(collection: 'assignments' | 'connections', ids: readonly string[], query = ''): Suggestion {
  const control = ids.map((id) => createCall('DELETE', `/state/${collection}/${id}${query}`));
  return { text: `Delete these ${collection} first: ${ids.join(', ')}.`, control };
}

const suggestWait = (by: number): Suggestion => ({
  text: `Wait ${by} ms of kit time.`,
  control: [createCall('POST', '/clock/advance', { by })],
});

async function suggestKnownValue(db: Executor, sent: SentRequest, value: string): Promise<Suggestion | undefined> {
  const values = listValues(sent);
  const name = Object.keys(values).find((one) => String(values[one]).toLowerCase() === value.toLowerCase());
  if (name === undefined) return undefined;
  const example = (await findSucceedingValues(db, sent, { ...values, [name]: undefined }))?.[name];
  if (example) return suggestValues(sent, { [name]: example });
  return { text: `At present, no existing ${name} makes the request succeed. Create one that does, and send it.` };
}

async function suggestForEmptyList(db: Executor, sent: SentRequest, { total, matching, hidden }: EvidenceOf<'empty list'>) {
  if (hidden[0]) return suggestGrants(db, sent, hidden[0], 'read');
  if (matching > 0) return { text: 'Send the request again: the list has entities now.' };
  const { query } = sent;
  const filters = ['experienceId', 'targetType', 'targetValue'].filter((name) => query.has(name));
  if (total > 0) return suggestValues(sent, Object.fromEntries(filters.map((name) => [name, null])));
  const selector = ['accountId', 'targetValue', 'telephoneNumber', 'tn'].find((name) => query.has(name)) ?? '';
  return suggestKnownValue(db, sent, query.get(selector) ?? '');
}

const LEVEL_RANKS: Readonly<Record<LevelName, number>> = { none: 0, read: 1, manage: 2 };

async function suggestGrants(db: Executor, { sender }: SentRequest, levels: AccessLevels, needed: 'read' | 'manage'): Promise<Suggestion> {
  const { experienceId, providerLevel = 'manage', accountId, principalLevel = 'manage' } = levels;
  const control: ControlCall[] = [];
  const sentences: string[] = [];
  const names = await findNames(db, JSON.stringify([levels, sender]));
  const find = (id: string) => names[id] ?? { alias: id, name: id };
  if (experienceId !== undefined && sender?.providerId !== undefined && LEVEL_RANKS[providerLevel] < LEVEL_RANKS[needed]) {
    const [provider, experience] = [find(sender.providerId), find(experienceId)];
    control.push(
      createCall('PATCH', `/state/experiences/${encodeURIComponent(experience.alias)}`, { levels: { [provider.alias]: needed } }),
    );
    sentences.push(`the provider ${provider.name} the level ${needed} on the Experience ${experience.name}`);
  }
  if (accountId !== undefined && sender?.principalId !== undefined && LEVEL_RANKS[principalLevel] < LEVEL_RANKS[needed]) {
    const [principal, account] = [find(sender.principalId), find(accountId)];
    control.push(
      createCall('PATCH', `/state/principals/${encodeURIComponent(principal.alias)}`, { accounts: { [account.alias]: needed } }),
    );
    sentences.push(`the principal ${principal.name} the level ${needed} on the account ${account.name}`);
  }
  return { text: `Give ${sentences.join(', and ')}.`, control };
}

/** An entity's alias, or its id if the entity was deleted. */
async function findAlias(db: Executor, table: 'clients' | 'principals', id: string): Promise<string> {
  return (await db.selectFrom(table).select('alias').where('id', '=', id).executeTakeFirst())?.alias ?? id;
}

/** If the client or principal is unknown, suggests the client or principal with the most grants. */
async function suggestValidToken(
  db: Executor,
  { operationId }: SentRequest,
  { problem, token: { clientId, principalId, scopes: known = [] } = {} }: EvidenceOf<'token'>,
): Promise<Suggestion | undefined> {
  const isKnown = clientId !== undefined && problem !== 'unknown client';
  const client = isKnown ? await findAlias(db, 'clients', clientId) : await findMostPrivileged(db, 'clients');
  const isPrincipalKnown = principalId !== undefined && problem !== 'unknown principal';
  const principal = isPrincipalKnown ? await findAlias(db, 'principals', principalId) : await findMostPrivileged(db, 'principals');
  if (client === undefined || principal === undefined || operationId === undefined) return undefined;
  const scopes = [...new Set([...known, operations[operationId].scope])] as 'users:manage'[];
  const text = `Send a valid access token for the client ${client} and the principal ${principal} with ${scopes.join(' ')}.`;
  return { text, request: { token: { client, principal, scopes } } };
}

/** Compares clients by the number of their provider's managed Experiences, and principals by the number of their managed accounts. */
async function findMostPrivileged(db: Executor, table: 'clients' | 'principals'): Promise<string | undefined> {
  const [grants, owner, column] =
    table === 'clients'
      ? (['experience_grants', 't.provider_id', 'provider_id'] as const)
      : (['account_grants', 't.id', 'principal_id'] as const);
  const { rows } = await sql<{ alias: string }>`
    select alias from ${sql.table(table)} t order by
      (select count(*) from ${sql.table(grants)} g where ${sql.ref(`g.${column}`)} = ${sql.ref(owner)} and g.level = 2) desc, alias
    limit 1`.execute(db);
  return rows[0]?.alias;
}
