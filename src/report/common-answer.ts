import type { FailedCheck } from './run-view.ts';

const MIN_RULES = 3;

/** Many failures may have one cause, such as an operation that always gets 500. Names the answer that most failed rules show, if most do. */
export function describeCommonAnswer(failed: readonly FailedCheck[]): string | undefined {
  const rulesByAnswer = new Map<string, Set<string>>();
  for (const { rule, check } of failed) {
    const { method, url, status } = check.failure?.exchange ?? {};
    if (url === undefined || status === undefined) continue;
    const path = (URL.parse(url)?.pathname ?? url).replace(/[^/]*\d[^/]*/g, '…');
    const answer = `${method} ${path} was answered with ${status}`;
    rulesByAnswer.set(answer, (rulesByAnswer.get(answer) ?? new Set()).add(rule.id));
  }
  const count = new Set(failed.map(({ rule }) => rule.id)).size;
  const [most] = [...rulesByAnswer].sort(([, a], [, b]) => b.size - a.size);
  if (most === undefined || most[1].size < MIN_RULES || most[1].size * 2 < count) return undefined;
  return `In ${most[1].size} of the ${count} failed rules, ${most[0]}. They may have the same cause.`;
}
