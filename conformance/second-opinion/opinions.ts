import { type Agent, request } from 'node:http';
import { operations } from '../../src/contract/generated/operations.ts';
import { schemaReferences } from '../../src/contract/generated/schema-references.ts';
import { must, RuleBroken } from '../support/broken.ts';
import type { Answer } from '../support/exchange.ts';
import { matches, success } from '../support/verify.ts';
import { bodyOf, type Exchange } from './exchanges.ts';
import { MARK } from './replay.ts';

/** What is wrong with an answer, in words; nothing, where it fits the contract. Undefined: no opinion was given, and `why` not. */
export type Opinion = { readonly objections: readonly string[] } | { readonly none: string };

/** Ours: the status is documented, and the suite's own verifiers have nothing against the answer. */
export function ourOpinion({ operation, request: asked, reply }: Exchange): Opinion {
  const { status, headers, text } = reply;
  const answer: Answer = {
    method: asked.method,
    url: asked.url,
    requestHeaders: asked.headers,
    requestBody: asked.text,
    status,
    headers,
    text,
    json: bodyOf(reply),
  };
  try {
    must(isDocumented(operations[operation].statuses, status), `${status} is a documented status`);
    if (status < 400) success(operation, answer);
    else {
      must(/^application\/problem\+json\s*(;|$)/i.test(headers['content-type'] ?? ''), 'the content type is application/problem+json');
      matches(schemaReferences.problem, answer);
    }
    return { objections: [] };
  } catch (error) {
    if (!(error instanceof RuleBroken)) throw error;
    return { objections: [error.message.split('\n', 1)[0] ?? ''] };
  }
}

function isDocumented(statuses: readonly (number | string)[], status: number): boolean {
  return statuses.includes(status) || statuses.includes(`${Math.floor(status / 100)}XX`);
}

const PATIENCE_MS = 5000;
// Prism writes no more into a header than a little under 8 KB, and then this in front.
const CUT = 'Too many violations!';

interface Violation {
  readonly location: readonly string[];
  readonly message: string;
}

/** Prism's, of the answer that the replay behind it gives. */
export async function opinionOfPrism(prism: string, agent: Agent, exchange: Exchange, index: number): Promise<Opinion> {
  const { status, headers, error } = await ask(prism, agent, exchange, index);
  if (error !== undefined) return { none: error };
  if (headers[MARK] !== String(index)) return { none: `Prism answers ${status} itself` };
  const text = String(headers['sl-violations'] ?? '[]');
  if (text.startsWith(CUT)) return text.includes('"location":["response"') ? { objections: [CUT] } : { none: 'the header is cut' };
  const violations = JSON.parse(text) as Violation[];
  return { objections: violations.filter(({ location: [of] }) => of === 'response').map(({ message }) => message) };
}

function ask(prism: string, agent: Agent, { request: asked }: Exchange, index: number) {
  const { 'content-length': _, ...headers } = asked.headers;
  // It is the answer that is judged, and Prism never answers a body that is no JSON.
  const body = asked.text === '' ? '' : JSON.stringify(bodyOf({ status: 0, headers: {}, text: asked.text }) ?? {});
  const length = body === '' ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise<{ status: number; headers: Readonly<Record<string, unknown>>; error?: string }>((resolve) => {
    const failed = ({ message }: Error) => resolve({ status: 0, headers: {}, error: message });
    const sent = request(
      `${prism}${asked.url}`,
      { method: asked.method, agent, headers: { ...headers, ...length, [MARK]: index }, signal: AbortSignal.timeout(PATIENCE_MS) },
      (response) => {
        response.on('error', failed);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
        response.resume();
      },
    );
    sent.on('error', failed);
    sent.end(body);
  });
}
