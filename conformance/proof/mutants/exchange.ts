import type { EventType } from '../../../src/contract/generated/events.ts';
import { type OperationId, operations, type PathForm } from '../../../src/contract/generated/operations.ts';

export interface Request {
  /** The method in upper case, such as GET. */
  readonly method: string;
  /** The path and query, exactly as the client sent them. */
  readonly url: string;
  /** The called operation, if the contract has one. */
  readonly operation: OperationId | undefined;
  /** Whether the path is prefixed or flat. If the operation has only one path: `prefixed`. */
  readonly form: PathForm | undefined;
  /** The path parameters, decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** The first path parameter; '' if the path has none. */
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
  /** The headers by name, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, or '' if the request has no body. */
  readonly text: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The request in one delivery attempt. */
export type Delivery = Pick<Request, 'method' | 'headers' | 'text'>;

// biome-ignore lint/suspicious/noExplicitAny: mutants change bodies of any shape
export type Json = Record<string, any>;

export const OPERATION_IDS = Object.keys(operations) as readonly OperationId[];

const ROUTES = OPERATION_IDS.flatMap((operation) =>
  (['prefixed', 'flat'] as const).map((form) => {
    const { method, routeForms } = operations[operation];
    return { operation, form, method: method.toUpperCase(), pattern: new URLPattern({ pathname: routeForms[form] }) };
  }),
);

/** @param url the path and query */
export function parseRequest(method: string, url: string, headers: Request['headers'], text: string): Request {
  const { pathname, searchParams } = new URL(url, 'http://target');
  const route = ROUTES.find((each) => each.method === method && each.pattern.test({ pathname }));
  const groups = Object.entries(route?.pattern.exec({ pathname })?.pathname.groups ?? {});
  const path = Object.fromEntries(groups.map(([name, value = '']) => [name, decodeURIComponent(value)]));
  const [id = ''] = Object.values(path);
  return { method, url, operation: route?.operation, form: route?.form, path, id, query: Object.fromEntries(searchParams), headers, text };
}

/** Texts by name. Undefined removes a text. */
export type TextChange = Readonly<Record<string, string | undefined>>;

export function changeTexts(texts: TextChange, change: TextChange): Record<string, string> {
  return Object.fromEntries(Object.entries({ ...texts, ...change }).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

export function changeQuery(request: Request, change: TextChange): Request {
  const query = changeTexts(request.query, change);
  return { ...request, query, url: `${request.url.split('?', 1)[0]}?${new URLSearchParams(query)}` };
}

export function changeHeaders<Message extends Pick<Reply, 'headers'>>(message: Message, change: TextChange): Message {
  return { ...message, headers: changeTexts(message.headers, change) };
}

export const setContentType = <Message extends Pick<Reply, 'headers'>>(message: Message, type: string | undefined): Message =>
  changeHeaders(message, { 'content-type': type });

export function parseBody({ text }: { readonly text: string }): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {};
  }
}

export function changeBody<Message extends { readonly text: string }>(message: Message, change: (body: Json) => Json): Message {
  return { ...message, text: JSON.stringify(change(parseBody(message))) };
}

/** Removes members whose new value is undefined. */
export function changeMembers<Message extends { readonly text: string }>(message: Message, change: Json): Message {
  return changeBody(message, (body) => ({ ...body, ...change }));
}

/** The reply must be a list page. */
export function changeEntities(reply: Reply, change: (entities: Json[]) => Json[]): Reply {
  return changeMembers(reply, { entities: change((parseBody(reply).entities as Json[] | undefined) ?? []) });
}

export function createProblemReply(status: number, members: Json = {}): Reply {
  const body = { type: 'about:blank', title: 'Refused', status, detail: 'The request was refused.', traceId: 'mutant', ...members };
  return { status, headers: { 'content-type': 'application/problem+json' }, text: JSON.stringify(body) };
}

export function createSuccessReply(status: number, body?: unknown): Reply {
  return body === undefined
    ? { status, headers: {}, text: '' }
    : { status, headers: { 'content-type': 'application/json' }, text: JSON.stringify(body) };
}

export const SUCCESS: Reply = createSuccessReply(200, {});

export const isSuccess = ({ status }: Reply): boolean => status >= 200 && status < 300;

/** Returns the id of the rule that a refused request broke; undefined for a success. */
export function readRefusal(reply: Reply): string | undefined {
  return isSuccess(reply) ? undefined : String(parseBody(reply).type).replace('/problems/', '');
}

export function readData(delivery: Delivery): Json {
  const { data } = parseBody(delivery);
  return typeof data === 'object' && data !== null ? (data as Json) : {};
}

export function isType(delivery: Delivery, ...types: readonly EventType[]): boolean {
  return types.includes(parseBody(delivery).type as EventType);
}

/** Undefined removes a member. */
export function changeData(delivery: Delivery, change: Json): Delivery {
  return changeMembers(delivery, { data: { ...readData(delivery), ...change } });
}
