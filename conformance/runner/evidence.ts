import type { Exchange, Failure } from '../../src/contract/generated/results.ts';
import type { Answer } from '../target/exchange.ts';
import { tokensSent, withoutSecrets } from '../target/secrets.ts';

/**
 * The request and response that broke a rule, the exchanges before them, and a curl command that repeats the request. Contains no secrets.
 */
export type Evidence = Omit<Failure, 'message'>;

interface Step {
  readonly operationId: string;
  readonly answer: Answer;
}

// The limits on the size of a body, in characters, and on the number of earlier exchanges. Without limits, the report could become too
// large to open.
const MAX_BODY = 20_000;
const MAX_BEFORE = 6;

/**
 * Whether an error means that a rule is broken: a RuleBroken, or a failed expectation of Playwright. Other errors are errors of the suite.
 * @param message the message of the error, which begins with the name of the error
 */
export function isBroken(message: string | undefined): boolean {
  return /^\W*RuleBroken\b|expect\(/.test(message ?? '');
}

/**
 * Collects the evidence of a failed check.
 * @param message the message of the check's error
 * @param secrets the secrets of the profile. The tokens that the check sent need not be among them, because they are always hidden.
 */
export function evidenceOf(trail: readonly Step[], message: string | undefined, secrets: readonly string[]): Evidence | undefined {
  const index = trail.findLastIndex(({ answer }) =>
    message?.includes(`${answer.method} ${answer.url} was answered with ${answer.status}:`),
  );
  const at = index < 0 ? trail.length - 1 : index;
  const shown = trail.slice(Math.max(0, at - MAX_BEFORE), at + 1).map(exchangeOf);
  const exchange = shown.pop();
  if (!exchange) return undefined;
  const { traceId } = Object(trail[at]?.answer.json) as { traceId?: unknown };
  const evidence: Evidence = {
    exchange,
    ...(shown.length > 0 && { before: shown }),
    ...(typeof traceId === 'string' && { traceId }),
    curl: curlOf(exchange),
  };
  return withoutSecrets(evidence, [...secrets, ...trail.flatMap(({ answer }) => tokensSent(answer.requestHeaders))]);
}

const SECRET = /^(authorization|cookie|x-control-token|proxy-authorization)$/i;

/** Hides the values of secret headers, and shortens the body of the response. */
function exchangeOf({ operationId, answer: { json: _, requestBody, ...exchange } }: Step): Exchange {
  const { requestHeaders, text } = exchange;
  const shown = Object.entries(requestHeaders).map(([name, value]) => [name, SECRET.test(name) ? value.replace(/\S+$/, '…') : value]);
  return {
    operationId,
    ...exchange,
    ...(requestBody !== undefined && { requestBody }),
    requestHeaders: Object.fromEntries(shown),
    text: text.length > MAX_BODY ? `${text.slice(0, MAX_BODY)} … (${text.length} characters)` : text,
  };
}

/** Makes a curl command that repeats the request. The command contains `$TOKEN` instead of the access token. */
function curlOf({ method, url, requestHeaders, requestBody }: Exchange): string {
  const headers = Object.entries(requestHeaders)
    // content-length is omitted because curl computes it.
    .filter(([name]) => name.toLowerCase() !== 'content-length')
    .map(
      ([name, value]) =>
        `-H ${name.toLowerCase() === 'authorization' ? `"${name}: ${value.replace(/\S+$/, '$TOKEN')}"` : quoted(`${name}: ${value}`)}`,
    );
  const body = requestBody === undefined ? [] : ['--data-binary', quoted(requestBody)];
  return ['curl', '-i', '-X', method, ...headers, ...body, quoted(url)].join(' ');
}

/** Quotes a shell argument, so that the shell does not run ids and cursors from the target as commands. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
