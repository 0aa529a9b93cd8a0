import type { components } from '../contract/generated/control.ts';
import { kitAddress, withoutControl } from './kit-address.ts';
import { kitAnswer } from './kit-answer.ts';
import { noAnswer, noKit } from './no-answer.ts';
import { refusalInWords } from './refusal-in-words.ts';
import { UsageError } from './usage-error.ts';

/** The server has no such thing (404). */
export class NotFoundError extends Error {
  /** The reason alone, without the address of the server. */
  readonly reason: string;

  constructor(message: string, reason: string) {
    super(message);
    this.reason = reason;
  }
}

type Problem = Partial<components['schemas']['Problem']>;

/** Calls of the control API of a running kit. A refusal becomes an Error with the kit's own words, and so does what no kit says. */
export function controlClient(url: string, controlToken?: string) {
  async function call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const address = kitAddress(url);
    const headers = headersWith(controlToken);
    const init = { method, headers, redirect: 'error', ...(body !== undefined && { body: JSON.stringify(body) }) } as const;
    const { response, text } = await answerOf(fetch(`${address}/_control${path}`, init)).catch((error: Error) => {
      throw new Error(noAnswer(url, error));
    });
    if (!response.ok)
      throw refusalOf(url, text) ?? new Error(noKit(url, `it answers with ${response.status} ${response.statusText}`.trim()));
    const answer = kitAnswer(method, path, response, text);
    if ('why' in answer) throw new Error(noKit(url, answer.why));
    return answer.body as Body;
  }
  return {
    get: <Body>(path: string) => call<Body>('GET', path),
    post: <Body>(path: string, body: unknown) => call<Body>('POST', path, body),
    put: <Body>(path: string, body?: unknown) => call<Body>('PUT', path, body),
    patch: <Body>(path: string, body: unknown) => call<Body>('PATCH', path, body),
    delete: (path: string) => call<void>('DELETE', path),
  };
}

async function answerOf(asked: Promise<Response>) {
  const response = await asked;
  return { response, text: await response.text() };
}

function headersWith(controlToken: string | undefined): Headers {
  try {
    return new Headers({ 'content-type': 'application/json', ...(controlToken && { 'x-control-token': controlToken }) });
  } catch {
    throw new UsageError('The control token cannot be sent: it is a line of Latin characters. See --control-token and XPK_CONTROL_TOKEN.');
  }
}

/** The kit's problem document as an error; undefined if the body is not one. */
function refusalOf(url: string, text: string): Error | undefined {
  const { type, title, detail = title, errors } = problemIn(text);
  // No path that is asked for here is unknown to a control API that is there.
  if (type === '/problems/http.unknown-route') return new Error(withoutControl(url));
  const hint = type === '/problems/http.control-token-required' ? ' Give it with --control-token or XPK_CONTROL_TOKEN.' : '';
  if (typeof detail !== 'string') return undefined;
  const reason = refusalInWords({ detail, errors });
  const message = `${url} refused: ${reason}${hint}`;
  if (type === '/problems/control.not-found') return new NotFoundError(message, reason);
  return type === '/problems/control.invalid' ? new UsageError(message) : new Error(message);
}

function problemIn(text: string): Problem {
  try {
    return Object(JSON.parse(text)) as Problem;
  } catch {
    return {};
  }
}
