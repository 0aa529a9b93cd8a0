import { type Answer, curlOf, type Exchange, redacted } from '../target/exchange.ts';
import { tokensSent, withoutSecrets } from '../target/secrets.ts';

type Step = { readonly operationId: string; readonly answer: Answer };

/** What a failed check shows: the exchange that broke the rule, what led to it, and how to repeat it. Nothing in it is secret. */
export interface Evidence extends Exchange {
  readonly operationId: string;
  readonly curl: string;
  readonly traceId: string | undefined;
  readonly before: readonly (Exchange & { readonly operationId: string })[];
  /** `broken`: the target broke the rule. `harness`: the check itself went wrong. */
  readonly kind: 'broken' | 'harness';
}

// A list with every page of a thousand users would make a report that nobody opens.
const LONGEST = 20_000;
const BEFORE = 6;

/** Only RuleBroken (and Playwright's own expectations) mean that a rule is broken. @param message of the error, with its name in front. */
export function kindOf(message: string | undefined): Evidence['kind'] {
  return /^\W*RuleBroken\b|expect\(/.test(message ?? '') ? 'broken' : 'harness';
}

/** @param secrets that the profile named; the tokens that were sent are found in the trail. */
export function evidenceOf(trail: readonly Step[], message: string | undefined, secrets: readonly string[]): Evidence | undefined {
  const index = trail.findLastIndex(({ answer }) =>
    message?.includes(`${answer.method} ${answer.url} was answered with ${answer.status}:`),
  );
  const at = index < 0 ? trail.length - 1 : index;
  const shown = trail.slice(Math.max(0, at - BEFORE), at + 1).map(({ operationId, answer }) => ({ operationId, ...exchangeOf(answer) }));
  const last = shown.at(-1);
  if (!last) return undefined;
  const evidence = {
    ...last,
    traceId: traceIdOf(trail[at]?.answer),
    curl: curlOf(last),
    before: shown.slice(0, -1),
    kind: kindOf(message),
  };
  return withoutSecrets(evidence, [...secrets, ...trail.flatMap(({ answer }) => tokensSent(answer.requestHeaders))]);
}

function exchangeOf(answer: Answer): Exchange {
  const { method, url, requestHeaders, requestBody, status, headers, text } = redacted(answer);
  return {
    method,
    url,
    requestHeaders,
    requestBody,
    status,
    headers,
    text: text.length > LONGEST ? `${text.slice(0, LONGEST)} … (${text.length} characters)` : text,
  };
}

function traceIdOf(answer: Answer | undefined): string | undefined {
  const { traceId } = (answer?.json ?? {}) as { traceId?: unknown };
  return typeof traceId === 'string' ? traceId : undefined;
}
