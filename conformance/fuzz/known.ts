import { tokenKinds } from '../../src/authorization/mint.ts';
import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import type { FuzzRequest } from './request.ts';
import type { FuzzResponse } from './send.ts';

/** A page that has a next one: what was asked for without a cursor, and the cursor that leads on. */
export interface KnownPage {
  readonly operationId: OperationId;
  readonly query: string;
  readonly cursor: string;
}

const KINDS = ['experiences', 'accounts', 'telephoneNumbers', 'users', 'nativeIds', 'assignments', 'connections', 'gone'] as const;
export type KnownKind = (typeof KINDS)[number];

/** What is known of the world under test at this moment. Requests are generated without it and resolved against it when they are sent. */
export interface Known {
  readonly values: Readonly<Record<KnownKind, string[]>>;
  readonly pages: KnownPage[];
  readonly tokens: { readonly manager: readonly string[]; readonly weak: readonly string[]; readonly bad: readonly string[] };
}

/** A part of a request that depends on the world: the same generated request fits any kit, whatever ids it gave. */
export type Late<T> = (known: Known) => T;

const MAX_REMEMBERED = 400;

/** Never empty: where nothing is known, a UUID that nothing has. */
export function pick(list: readonly string[], index: number): string {
  return list[index % list.length] ?? '01900000-0000-7000-8000-000000000000';
}

function remember<T>(list: T[], value: T): void {
  list.push(value);
  if (list.length > MAX_REMEMBERED) list.shift();
}

/** Takes over what an answer tells: what was made, what is gone, where a list goes on. */
export function learn(known: Known, operationId: OperationId | undefined, request: FuzzRequest, response: FuzzResponse): void {
  if (response.status >= 300 || operationId === undefined || request.method === 'HEAD') return;
  const { values, pages } = known;
  switch (operationId) {
    case 'createExperienceAssignment':
      remember(values.assignments, idOf(response));
      break;
    case 'createExperienceConnection':
      remember(values.connections, idOf(response));
      break;
    case 'deleteExperienceAssignment':
      forget(values.assignments, request, values.gone);
      break;
    case 'deleteExperienceConnection':
      forget(values.connections, request, values.gone);
      break;
    case 'getExperienceAssignments':
    case 'getExperienceConnections':
    case 'getUsers': {
      const cursor = /"cursor":"([^"]+)"/.exec(response.text)?.[1];
      const query = (request.target.split('?')[1] ?? '').replace(/(^|&)cursor=[^&]*/g, '');
      if (cursor !== undefined) remember(pages, { operationId, query, cursor });
    }
  }
}

function idOf({ text }: FuzzResponse): string {
  return (JSON.parse(text) as { id: string }).id;
}

function forget(list: string[], { target }: FuzzRequest, gone: string[]): void {
  const id = target.split('?')[0]!.split('/').at(-1)!.toLowerCase();
  const at = list.indexOf(id);
  if (at < 0) return;
  list.splice(at, 1);
  remember(gone, id);
}

const BAD_KINDS = tokenKinds.filter((kind) => kind !== 'good' && kind !== 'no-principal');
const TEN_YEARS = 315_360_000;

/** Asks a fresh kit what there is in it, through its control API. */
export async function readKnown(url: string): Promise<Known> {
  const values = Object.fromEntries(KINDS.map((kind) => [kind, [] as string[]])) as Record<KnownKind, string[]>;
  for (const kind of KINDS) {
    if (kind === 'nativeIds' || kind === 'gone') continue;
    const entities = await control<Record<string, { id?: string; number?: string; nativeIds?: { id: string }[] }>>(url, `/state/${kind}`);
    for (const [alias, entity] of Object.entries(entities)) {
      values[kind].push(kind === 'telephoneNumbers' ? alias : (entity.id ?? alias));
      for (const native of entity.nativeIds ?? []) values.nativeIds.push(native.id);
    }
  }
  const { tokens } = await control<{ tokens: Record<string, string> }>(url, '/info');
  const bad = await Promise.all(
    BAD_KINDS.map(async (kind) => {
      const request = { client: 'acme-web', principal: 'manager', kind, expiresIn: kind === 'expired' ? 60 : TEN_YEARS };
      return (await control<{ accessToken: string }>(url, '/tokens', request)).accessToken;
    }),
  );
  const names = Object.keys(tokens);
  const strong = names.filter((name) => /^(full|worker-\d+|no-principal|globex)$/.test(name));
  return {
    values,
    pages: [],
    tokens: {
      manager: strong.map((name) => tokens[name]!),
      weak: names.filter((name) => !strong.includes(name)).map((name) => tokens[name]!),
      bad,
    },
  };
}

/** One call of the control API. @throws when it refuses. */
export async function control<Body>(url: string, path: string, body?: object): Promise<Body> {
  const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`${url}/_control${path}`, init);
  if (!response.ok) throw new Error(`the control API refuses ${path}: ${await response.text()}`);
  return (await response.json()) as Body;
}

const matchers = (Object.keys(operations) as OperationId[]).flatMap((operationId) =>
  operations[operationId].paths.map((path) => ({
    operationId,
    method: operations[operationId].method.toUpperCase(),
    path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  })),
);

/** The operation that a request comes to; undefined where the contract has none. */
export function operationOf({ method, target }: FuzzRequest): OperationId | undefined {
  const path = target.split('?')[0]!.replace(/^http:\/\/[^/]*/, '');
  const asked = method === 'HEAD' ? 'GET' : method;
  return matchers.find((matcher) => matcher.method === asked && matcher.path.test(path))?.operationId;
}
