import { type OperationId, operations, type PathForm } from '../../src/contract/generated/operations.ts';
import type { Answer } from '../target/exchange.ts';
import { type Content, send } from '../target/send.ts';

/** One call of an operation. */
export interface Call extends Content {
  readonly path?: Readonly<Record<string, string>>;
  /** An array sends the parameter once for each of its values. */
  readonly query?: Readonly<Record<string, string | number | undefined | readonly (string | number)[]>>;
  /** The path form, if not the one of the check. */
  readonly form?: PathForm;
}

export interface ClientSettings {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly form: PathForm;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Waits until the next request may be sent, where the target may be sent only so many. */
  readonly pace?: (() => Promise<void>) | undefined;
  /** Told of every exchange: what a failed check shows. */
  readonly record: (operationId: OperationId, answer: Answer) => void;
}

/** Calls operations of the target under one path form. Redirects are not followed. A stray 429 is waited out and the call repeated, unless told otherwise. */
export interface Client {
  readonly form: PathForm;
  call(operationId: OperationId, call?: Call): Promise<Answer>;
  /** Exactly once, whatever comes back. */
  once(operationId: OperationId, call?: Call): Promise<Answer>;
  urlOf(operationId: OperationId, call?: Call): string;
  /** Refuses further calls, and waits until those under way are answered and whoever made them has seen the answer. */
  finish(): Promise<void>;
}

const PATIENCE = [300, 600, 1100, 2100];

export function createClient(settings: ClientSettings): Client {
  const { baseUrl, form, record } = settings;
  const underWay = new Set<Promise<unknown>>();
  let finished = false;

  function urlOf(operationId: OperationId, { path = {}, query = {}, form: asked = form }: Call = {}): string {
    const template = operations[operationId].forms[asked];
    const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
    const search = Object.entries(query)
      .flatMap(([name, value = []]) => [value].flat().map((each) => `${encodeURIComponent(name)}=${encodeURIComponent(each)}`))
      .join('&');
    return `${baseUrl}${filled}${search && `?${search}`}`;
  }

  async function once(operationId: OperationId, call: Call = {}): Promise<Answer> {
    await settings.pace?.();
    if (finished) throw new Error(`the check has ended: ${operationId} is not called any more`);
    const answering = send(operations[operationId].method.toUpperCase(), urlOf(operationId, call), call, settings);
    underWay.add(answering);
    try {
      const answer = await answering;
      record(operationId, answer);
      return answer;
    } finally {
      underWay.delete(answering);
    }
  }

  return {
    form,
    urlOf,
    once,
    async finish() {
      finished = true;
      await Promise.allSettled(underWay);
      await new Promise((resolve) => setImmediate(resolve));
    },
    async call(operationId, call) {
      for (const wait of PATIENCE) {
        const answer = await once(operationId, call);
        if (answer.status !== 429) return answer;
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
      return once(operationId, call);
    },
  };
}
