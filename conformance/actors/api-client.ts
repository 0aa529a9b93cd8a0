import { type OperationId, operations, type PathForm } from '../../src/contract/generated/operations.ts';
import type { Answer } from '../../src/expect/answer.ts';
import { recordReceived } from '../expect/sent.ts';
import type { ListLag } from '../target/list-lag.ts';
import { type Content, send } from '../target/send.ts';

/** If a value is an array, the parameter is sent once for each element. */
export type Query = Readonly<Record<string, string | number | undefined | readonly (string | number)[]>>;

export interface CallOptions extends Content {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Query;
  readonly form?: PathForm;
}

export interface ClientSettings {
  /** The base URL of the API, without a trailing slash. */
  readonly baseUrl: string;
  readonly form: PathForm;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Waits until the next request may be sent. Undefined if the profile does not limit the rate of requests. */
  readonly pace?: (() => Promise<void>) | undefined;
  readonly lists?: ListLag;
  readonly recordExchange: (operationId: OperationId, answer: Answer) => void;
}

/** Does not follow redirects. */
export interface Client {
  readonly form: PathForm;
  readonly isPaced: boolean;
  /** Sends a request, and repeats it up to four times while the response is 429. */
  call(operationId: OperationId, call?: CallOptions): Promise<Answer>;
  callOnce(operationId: OperationId, call?: CallOptions): Promise<Answer>;
  buildUrl(operationId: OperationId, call?: CallOptions): string;
  /** Refuses further requests, and waits for the responses to pending requests. */
  finish(): Promise<void>;
}

/** Lists that may show a write late, so the client waits before it requests them. For the users list, the checks wait themselves. */
const EVENTUALLY_CONSISTENT_LISTS: readonly OperationId[] = ['getExperienceAssignments', 'getExperienceConnections'];

const RETRY_PAUSES_MS = [300, 600, 1100, 2100];

export function createClient(settings: ClientSettings): Client {
  const { baseUrl, form, recordExchange } = settings;
  const pending = new Set<Promise<unknown>>();
  let finished = false;

  function buildUrl(operationId: OperationId, { path = {}, query = {}, form: requestedForm = form }: CallOptions = {}): string {
    const template = operations[operationId].forms[requestedForm];
    const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
    const search = Object.entries(query)
      .flatMap(([name, value = []]) => [value].flat().map((each) => `${encodeURIComponent(name)}=${encodeURIComponent(each)}`))
      .join('&');
    return `${baseUrl}${filled}${search && `?${search}`}`;
  }

  async function callOnce(operationId: OperationId, call: CallOptions = {}): Promise<Answer> {
    if (EVENTUALLY_CONSISTENT_LISTS.includes(operationId)) await settings.lists?.waitUntilSettled();
    await settings.pace?.();
    if (finished) throw new Error(`${operationId} was called after the check had ended`);
    const answering = send(operations[operationId].method.toUpperCase(), buildUrl(operationId, call), call, settings);
    pending.add(answering);
    try {
      const answer = { ...(await answering), operationId };
      recordReceived(answer.text);
      recordExchange(operationId, answer);
      return answer;
    } finally {
      if (operations[operationId].method !== 'get') settings.lists?.recordWrite();
      pending.delete(answering);
    }
  }

  return {
    form,
    isPaced: settings.pace !== undefined,
    buildUrl,
    callOnce,
    async finish() {
      finished = true;
      await Promise.allSettled(pending);
      await new Promise((resolve) => setImmediate(resolve));
    },
    async call(operationId, call) {
      for (const pause of RETRY_PAUSES_MS) {
        const answer = await callOnce(operationId, call);
        if (answer.status !== 429) return answer;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
      return callOnce(operationId, call);
    },
  };
}
