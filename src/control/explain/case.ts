import type { Evidence, Judgement } from '../../contract/evidence.ts';
import type { Decisions } from '../../contract/generated/decisions.ts';
import { type OperationId, operations } from '../../contract/generated/operations.ts';
import { schemaReferences } from '../../contract/generated/schema-references.ts';
import { schemas } from '../../contract/generated/schemas.ts';
import { isNestedDeeper } from '../../contract/validators.ts';
import type { JournalEntry } from '../../journal/journal.ts';
import { REDACTED } from '../../journal/secrets.ts';
import { DEFAULT_SCOPES, type World } from '../../world/world.ts';
import type { SentRequest } from './trial.ts';
import { aliasOf, own, type View, viewOf, type Who } from './view.ts';

type Token = NonNullable<SentRequest['token']>;

/** A request that is to be explained, in the present world. */
export interface Case {
  readonly entry: JournalEntry;
  readonly evidence: Evidence | undefined;
  /** The rule, open point or reason that the answer names. */
  readonly id: string | undefined;
  readonly operationId: OperationId | undefined;
  /** The request as it can be sent again. */
  readonly request: SentRequest;
  readonly world: World;
  readonly decisions: Decisions;
  readonly who: Who;
  readonly view: View;
  /** A good token where the one that was sent cannot be had again. */
  readonly standIn: boolean;
}

export const isOperation = (id: string | undefined): id is OperationId => id !== undefined && Object.hasOwn(operations, id);

/** What the entry and the judgement say, seen in a world. */
export function caseOf(entry: JournalEntry, judgement: Judgement | undefined, world: World, decisions: Decisions): Case {
  const evidence = judgement?.evidence;
  const operationId = isOperation(entry.operationId) ? entry.operationId : undefined;
  const known = tokenOf(judgement, world);
  const token = known ?? (sentToken(entry) ? standIn(world, operationId) : undefined);
  const who = whoIs(world, token ?? standIn(world, operationId));
  return {
    entry,
    evidence,
    id: problemId(entry, judgement),
    operationId,
    request: { ...replayOf(entry), token },
    world,
    decisions,
    who,
    view: viewOf(world, who),
    standIn: known === undefined && token !== undefined,
  };
}

/** What decided the answer. The judgement goes first: the body of an injected response may say anything. */
export function problemId({ problem }: JournalEntry, judgement: Judgement | undefined): string | undefined {
  return judgement?.problem ?? problem?.type?.replace(/^\/problems\//, '');
}

/** The same client, principal and scopes, as far as they are known and still there. */
function tokenOf(judgement: Judgement | undefined, world: World): Token | undefined {
  const { asker, evidence } = judgement ?? {};
  const facts = asker ?? (evidence?.cause === 'token' ? evidence.token : undefined);
  if (facts?.clientId === undefined) return undefined;
  const client = aliasOf(world.clients, facts.clientId);
  const principal = facts.principalId === undefined ? undefined : aliasOf(world.principals, facts.principalId);
  if (!own(world.clients, client) || (principal !== undefined && !own(world.principals, principal))) return undefined;
  return { client, ...(principal !== undefined && { principal }), scopes: [...new Set(facts.scopes ?? [])] };
}

/** Refusals before the service read the headers have none of them in the journal. */
const sentToken = ({ request }: JournalEntry): boolean =>
  request?.headers.authorization !== undefined || Object.keys(request?.headers ?? {}).length === 0;

/** A token of the world that can do as much as any: of a principal with many accounts, with the scope that is needed. */
export function standIn(world: World, operationId: OperationId | undefined): Token | undefined {
  return standIns(world, operationId)[0];
}

export function standIns(world: World, operationId: OperationId | undefined): readonly Token[] {
  const needed = operationId && operations[operationId].scope;
  const reach = (principal: string | undefined) =>
    Object.values((principal !== undefined && own(world.principals, principal)?.accounts) || {}).filter((level) => level === 'manage')
      .length;
  const ready = Object.values(world.tokens ?? {})
    .map(({ client, principal, scopes = [...DEFAULT_SCOPES] }) => ({
      client,
      ...(principal !== undefined && { principal }),
      scopes: [...scopes],
    }))
    .filter(({ scopes }) => needed === undefined || (scopes as string[]).includes(needed));
  const some = Object.keys(world.clients ?? {}).flatMap((client) =>
    Object.keys(world.principals ?? {}).map((principal) => ({ client, principal, scopes: [...DEFAULT_SCOPES] })),
  );
  return [...ready, ...some.slice(0, 20)].toSorted((a, b) => reach(b.principal) - reach(a.principal));
}

export function whoIs(world: World, token: Token | undefined): Who {
  return { provider: token && own(world.clients, token.client)?.provider, principal: token?.principal };
}

/** What of the headers decides: the rest describes a connection that is over, or was not kept. */
const REPLAYED = ['content-type', 'accept'];

function replayOf({ method, path, request }: JournalEntry): Omit<SentRequest, 'token'> {
  const headers = Object.fromEntries(Object.entries(request?.headers ?? {}).filter(([name]) => REPLAYED.includes(name)));
  // The answer to a HEAD shows nothing.
  return { method: method === 'HEAD' ? 'GET' : method, path, headers, body: bodyText(request) };
}

/** The body as it was sent: the journal shows JSON as its value, and a JSON text looks like any other. */
function bodyText(request: JournalEntry['request']): string | undefined {
  const { body, bodyBytes } = request ?? {};
  if (body === undefined) return undefined;
  if (typeof body !== 'string') return JSON.stringify(body);
  return Buffer.byteLength(body) === bodyBytes ? body : JSON.stringify(body);
}

/** Why the request cannot be sent again as it was, if so. */
export function lost({ request, method, path }: JournalEntry): string | undefined {
  if (request?.truncated) return 'Of a body this long only the beginning is kept.';
  if (typeof request?.body === 'string' && request.body.startsWith('[not kept')) return 'Its body was not kept.';
  if (typeof request?.body === 'string' && request.body.includes(REDACTED)) return 'What may be a secret in its body was not kept.';
  const withBody = ['POST', 'PUT', 'PATCH'].includes(method);
  if (withBody && Object.keys(request?.headers ?? {}).length === 0) return 'It was refused before its headers and body were read.';
  return path.includes(REDACTED) ? 'A part of its query is a secret and was not kept.' : undefined;
}

/** The values of the path's parameters. */
export function pathValues(operationId: OperationId, path: string): Readonly<Record<string, string>> {
  const segments = path.split('?', 1)[0]!.split('/');
  for (const form of operations[operationId].paths) {
    const names = form.split('/');
    if (names.length !== segments.length || !names.every((name, i) => name.startsWith('{') || name === segments[i])) continue;
    return Object.fromEntries(names.flatMap((name, i) => (name.startsWith('{') ? [[name.slice(1, -1), decoded(segments[i]!)]] : [])));
  }
  return {};
}

/** A segment of a path as it is meant; as it is where it cannot be decoded. */
export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export function queryOf(path: string): URLSearchParams {
  const at = path.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : path.slice(at + 1));
}

/** The members that the body of an operation has; none where it has no body. */
export function bodyMembers(operationId: OperationId): readonly string[] {
  if (!(operationId in schemaReferences.requests)) return [];
  const name = schemaReferences.requests[operationId as keyof typeof schemaReferences.requests].slice('openapi#/$defs/'.length);
  return Object.keys((schemas.openapi.$defs[name] as { properties: object }).properties);
}

/** Whether a body was said to be JSON. */
export const isSentAsJson = (headers: Readonly<Record<string, string>> = {}): boolean =>
  /^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '');

/** The members of a JSON object. Undefined if the body is none, or if it has too many levels to be written out again. */
export function membersOf(body: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(body ?? '') as unknown;
    if (isNestedDeeper(value)) return undefined;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
