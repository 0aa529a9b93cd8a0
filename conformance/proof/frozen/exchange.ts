import { type OperationId, operations, type PathForm } from '../../../src/contract/generated/operations.ts';

/** A request on its way to the service. */
export interface Request {
  /** In capitals. */
  readonly method: string;
  /** As it was sent, with the query. */
  readonly url: string;
  /** Undefined: no operation of the contract has this method and path. */
  readonly operation: OperationId | undefined;
  /** The form of the path; 'prefixed' for those operations whose path is the same in both. */
  readonly form: PathForm | undefined;
  /** The path parameters, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; '' for none. */
  readonly text: string;
}

/** An answer on its way back. */
export interface Reply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A JSON object; whoever reads a member says what it takes it for. */
// biome-ignore lint/suspicious/noExplicitAny: saboteurs reach into bodies of any shape
export type Json = Record<string, any>;

const ROUTES = (Object.keys(operations) as OperationId[]).flatMap((operation) =>
  (['prefixed', 'flat'] as const).map((form) => {
    const template = operations[operation].forms[form];
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
    const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '([^/]+)')}$`);
    return { operation, form, names, pattern, method: operations[operation].method.toUpperCase() };
  }),
);

/** What a request asks for, in the words of the contract. @param url path and query */
export function requestOf(method: string, url: string, headers: Request['headers'], text: string): Request {
  const { pathname, searchParams } = new URL(url, 'http://target');
  const query = Object.fromEntries(searchParams);
  for (const route of ROUTES) {
    const found = route.method === method ? route.pattern.exec(pathname) : null;
    if (found === null) continue;
    const path = Object.fromEntries(route.names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]));
    return { method, url, operation: route.operation, form: route.form, path, query, headers, text };
  }
  return { method, url, operation: undefined, form: undefined, path: {}, query, headers, text };
}

/** The same request with another path or query: what is undefined is taken out. */
export function asking(
  request: Request,
  change: { readonly path?: Readonly<Record<string, string>>; readonly query?: Readonly<Record<string, string | undefined>> },
): Request {
  if (request.operation === undefined || request.form === undefined) return request;
  const path = { ...request.path, ...change.path };
  const merged = { ...request.query, ...change.query };
  const query = Object.fromEntries(Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== undefined));
  const filled = operations[request.operation].forms[request.form].replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? ''),
  );
  const search = new URLSearchParams(query).toString();
  return { ...request, path, query, url: search === '' ? filled : `${filled}?${search}` };
}

/** The same request with another body: a text as it is, anything else as JSON. */
export function sending(request: Request, body: unknown): Request {
  return { ...request, text: typeof body === 'string' ? body : JSON.stringify(body) };
}

/** The same request with other headers: what is undefined is taken out. */
export function withHeaders<Message extends { readonly headers: Reply['headers'] }>(
  message: Message,
  change: Readonly<Record<string, string | undefined>>,
): Message {
  const headers = Object.entries({ ...message.headers, ...change }).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...message, headers: Object.fromEntries(headers) };
}

/** The JSON body of a request or a reply; `{}` where there is none. */
export function bodyOf({ text }: { readonly text: string }): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {};
  }
}

/** The same reply with another body, as JSON. */
export function answering(reply: Reply, body: unknown): Reply {
  return { ...reply, text: JSON.stringify(body) };
}

/** The same reply with members of its JSON body changed: what is undefined is taken out. */
export function withMembers(reply: Reply, change: Json): Reply {
  return answering(reply, { ...bodyOf(reply), ...change });
}

/** The same page with its entities changed. */
export function withEntities(reply: Reply, change: (entities: Json[]) => Json[]): Reply {
  return withMembers(reply, { entities: change((bodyOf(reply).entities as Json[] | undefined) ?? []) });
}

/** A problem such as the service gives: perfect in its form. */
export function problem(status: number, members: Json = {}): Reply {
  const body = { type: 'about:blank', title: 'Refused', status, detail: 'It was refused.', traceId: 'sabotage', ...members };
  return { status, headers: { 'content-type': 'application/problem+json' }, text: JSON.stringify(body) };
}

/** A success with a JSON body, or without one. */
export function success(status: number, body?: unknown): Reply {
  return body === undefined
    ? { status, headers: {}, text: '' }
    : { status, headers: { 'content-type': 'application/json' }, text: JSON.stringify(body) };
}

export const isSuccess = ({ status }: Reply): boolean => status >= 200 && status < 300;
