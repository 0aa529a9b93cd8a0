import { type RawExchange, type RawResponse, sendRaw } from './raw-client.ts';
import type { RawCase } from './raw-corpus.ts';

export interface Replayed {
  readonly name: string;
  readonly exchange: RawExchange;
  /** Errors in the responses. */
  readonly faults: readonly string[];
}

const CONCURRENCY = 8;

// The characters of RFC 3986. A reference that starts with `//` would name another host.
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

function responseFaults(response: RawResponse, allowed: readonly number[], head: boolean): string[] {
  const faults = allowed.includes(response.status) ? [] : [`status ${response.status}, not ${allowed.join(' or ')}`];
  if (/text\/html/.test(response.headers['content-type'] ?? '')) faults.push('HTML');
  if (response.status >= 400 && !head) faults.push(...problemFaults(response));
  return faults;
}

function faultsOf({ statuses, head }: RawCase, { responses, rest }: RawExchange): string[] {
  const faults = statuses.flatMap((allowed, i) => {
    const response = responses[i];
    if (response === undefined) return [`response ${i + 1} of ${statuses.length} is missing`];
    return responseFaults(response, allowed, head === true).map((fault) => `response ${i + 1}: ${fault}`);
  });
  if (responses.length > statuses.length) faults.push(`${responses.length - statuses.length} unexpected responses`);
  if (rest !== '') faults.push(`unexpected bytes: ${JSON.stringify(rest.slice(0, 80))}`);
  return faults;
}

/** Sends every case to the port, each over its own connection, and checks the responses. */
export async function replay(port: number, corpus: readonly RawCase[]): Promise<Replayed[]> {
  const replayed: Replayed[] = [];
  const queue = corpus.entries();
  const work = async () => {
    for (const [index, one] of queue) {
      const { name, bytes, statuses, fin = false, head = false } = one;
      const exchange = await sendRaw({ port, bytes, fin, responses: statuses.length, head });
      replayed[index] = { name, exchange, faults: faultsOf(one, exchange) };
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return replayed;
}
