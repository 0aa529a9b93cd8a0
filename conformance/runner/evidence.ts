import { type Answer, curlOf, type Exchange, redacted } from '../target/exchange.ts';
import { tokensSent, withoutSecrets } from '../target/secrets.ts';

type Step = { readonly operationId: string; readonly answer: Answer };

/** What a failed check shows: the exchange that broke the rule, the ones before it, and how to repeat it. It contains no secrets. */
export interface Evidence extends Exchange {
  readonly operationId: string;
  readonly curl: string;
  readonly traceId: string | undefined;
  readonly before: readonly (Exchange & { readonly operationId: string })[];
  /** `broken`: the target broke the rule. `harness`: the check itself failed. */
  readonly kind: 'broken' | 'harness';
}

// Lists with all their pages would make the report too large to open.
const MAX_BODY = 20_000;
const MAX_BEFORE = 6;

/** Only RuleBroken and Playwright's own expectations mean that a rule is broken. @param message of the error, which begins with its name */
export function kindOf(message: string | undefined): Evidence['kind'] {
  return /^\W*RuleBroken\b|expect\(/.test(message ?? '') ? 'broken' : 'harness';
}

/** @param secrets those of the profile. The tokens that were sent are found in the trail. */
export function evidenceOf(trail: readonly Step[], message: string | undefined, secrets: readonly string[]): Evidence | undefined {
  const index = trail.findLastIndex(({ answer }) =>
    message?.includes(`${answer.method} ${answer.url} was answered with ${answer.status}:`),
  );
  const at = index < 0 ? trail.length - 1 : index;
  const shown = trail
    .slice(Math.max(0, at - MAX_BEFORE), at + 1)
    .map(({ operationId, answer }) => ({ operationId, ...exchangeOf(answer) }));
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
    text: text.length > MAX_BODY ? `${text.slice(0, MAX_BODY)} … (${text.length} characters)` : text,
  };
}

function traceIdOf(answer: Answer | undefined): string | undefined {
  const { traceId } = (answer?.json ?? {}) as { traceId?: unknown };
  return typeof traceId === 'string' ? traceId : undefined;
}
