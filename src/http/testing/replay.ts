import type { RawCase } from './raw-case.ts';
import { type RawExchange, type RawResponse, sendRaw } from './raw-client.ts';

export interface Replayed {
  readonly name: string;
  readonly exchange: RawExchange;
  /** What is wrong with the answers; empty when all is well. */
  readonly faults: readonly string[];
}

export interface ReplayOptions {
  readonly host?: string;
  /** Milliseconds a case may take; the slow ones take the server's timeouts. Default 5 s. */
  readonly patienceMs?: number;
  /** Connections at a time. Default 8. */
  readonly concurrency?: number;
}

// RFC 3986's characters; a reference that starts with `//` would name another host.
const PATH_REFERENCE = /^(?!\/\/)(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*$/;

function problemFaults({ status, headers, body }: RawResponse): string[] {
  if (!/^application\/problem\+json(;|$)/.test(headers['content-type'] ?? '')) return [`content type ${headers['content-type']}`];
  const problem = (() => {
    try {
      return JSON.parse(body) as Record<string, unknown>;
    } catch {
      return {};
    }
  })();
  const faults: string[] = [];
  if (problem.status !== status) faults.push(`status ${problem.status} in the body of a ${status}`);
  if (typeof problem.title !== 'string') faults.push('no title');
  if (!/^[0-9a-f]{32}$/.test(String(problem.traceId))) faults.push(`traceId ${problem.traceId}`);
  if (!PATH_REFERENCE.test(String(problem.instance ?? ''))) faults.push(`instance ${problem.instance}`);
  if (/\bat .+:\d+:\d+|node_modules/.test(body)) faults.push('a stack trace');
  return faults;
}

function responseFaults(response: RawResponse, allowed: readonly number[], kind: RawCase['body']): string[] {
  const faults = allowed.includes(response.status) ? [] : [`status ${response.status}, not ${allowed.join(' or ')}`];
  if (/text\/html/.test(response.headers['content-type'] ?? '')) faults.push('HTML');
  if (response.status >= 400 && kind !== 'head') faults.push(...problemFaults(response));
  return faults;
}

function faultsOf({ answers, body }: RawCase, { responses, rest }: RawExchange): string[] {
  const faults = answers.flatMap((allowed, i) => {
    const response = responses[i];
    if (response === undefined) return [`response ${i + 1} of ${answers.length} is missing`];
    return responseFaults(response, allowed, body).map((fault) => `response ${i + 1}: ${fault}`);
  });
  if (responses.length > answers.length) faults.push(`${responses.length - answers.length} responses too many`);
  if (rest !== '') faults.push(`unasked bytes: ${JSON.stringify(rest.slice(0, 80))}`);
  return faults;
}

/** Sends every case to the port, each over a connection of its own, and judges what comes back. */
export async function replay(port: number, corpus: readonly RawCase[], options: ReplayOptions = {}): Promise<Replayed[]> {
  const { host = '127.0.0.1', patienceMs = 5_000, concurrency = 8 } = options;
  const replayed: Replayed[] = [];
  const queue = corpus.entries();
  const work = async () => {
    for (const [index, one] of queue) {
      const { name, bytes, answers, fin = false, body } = one;
      const exchange = await sendRaw({ port, host, bytes, fin, responses: answers.length, head: body === 'head', patienceMs });
      replayed[index] = { name, exchange, faults: faultsOf(one, exchange) };
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return replayed;
}
