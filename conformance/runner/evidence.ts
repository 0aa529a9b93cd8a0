import type { Exchange } from '../../src/contract/generated/results.ts';
import type { Answer } from '../../src/expect/answer.ts';
import type { Evidence } from '../target/check-report.ts';
import { hideSecrets, listSentTokens } from '../target/secrets.ts';
import type { Target } from '../target/worker-target.ts';

type Trail = Readonly<Target['trail']>;

const MAX_BODY_CHARACTERS = 20_000;
const MAX_EARLIER_EXCHANGES = 6;

/** @param broken the response that breaks the rule; by default, the last one */
export function collectEvidence(trail: Trail, broken: Answer | undefined, secrets: readonly string[]): Evidence | undefined {
  const index = trail.findLastIndex(
    ({ answer }) => answer.method === broken?.method && answer.url === broken.url && answer.status === broken.status,
  );
  const at = index < 0 ? trail.length - 1 : index;
  const shown = trail.slice(Math.max(0, at - MAX_EARLIER_EXCHANGES), at + 1).map(formatExchange);
  const exchange = shown.pop();
  if (!exchange) return undefined;
  const { traceId } = Object(trail[at]?.answer.json) as { traceId?: unknown };
  const evidence: Evidence = {
    exchange,
    ...(shown.length > 0 && { before: shown }),
    ...(typeof traceId === 'string' && { traceId }),
    curl: formatCurl(exchange),
  };
  return hideSecrets(evidence, [...secrets, ...trail.flatMap(({ answer }) => listSentTokens(answer.requestHeaders))]);
}

const SECRET_HEADER_PATTERN = /^(authorization|cookie|x-control-token|proxy-authorization)$/i;

function formatExchange({ operationId, answer: { json: _, requestBody, ...exchange } }: Trail[number]): Exchange {
  const { requestHeaders, text } = exchange;
  const shown = Object.entries(requestHeaders).map(([name, value]) => [
    name,
    SECRET_HEADER_PATTERN.test(name) ? value.replace(/\S+$/, '…') : value,
  ]);
  return {
    operationId,
    ...exchange,
    ...(requestBody !== undefined && { requestBody }),
    requestHeaders: Object.fromEntries(shown),
    text: text.length > MAX_BODY_CHARACTERS ? `${text.slice(0, MAX_BODY_CHARACTERS)} … (${text.length} characters)` : text,
  };
}

function formatCurl({ method, url, requestHeaders, requestBody }: Exchange): string {
  const headers = Object.entries(requestHeaders)
    // content-length is omitted because curl computes it.
    .filter(([name]) => name.toLowerCase() !== 'content-length')
    .map(
      ([name, value]) =>
        `-H ${name.toLowerCase() === 'authorization' ? `"${name}: ${value.replace(/\S+$/, '$TOKEN')}"` : quoteForShell(`${name}: ${value}`)}`,
    );
  const body = requestBody === undefined ? [] : ['--data-binary', quoteForShell(requestBody)];
  return ['curl', '-i', '-X', method, ...headers, ...body, quoteForShell(url)].join(' ');
}

/** Quotes a shell argument, because the shell must not run ids and cursors from the target as commands. */
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
