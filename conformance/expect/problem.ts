import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import { schemaReferences } from '../../src/contract/generated/schema-references.ts';
import type { Answer } from '../../src/expect/answer.ts';
import { PROBLEM_RULES, PROBLEM_SCHEMA } from '../../src/expect/problem.ts';
import { RuleBroken } from '../../src/expect/rule-broken.ts';

/** The statuses for which problem details are documented. Responses with other statuses, such as 502, may come from a proxy. */
const DOCUMENTED_STATUSES: ReadonlySet<string> = new Set(
  Object.values(schemaReferences.responses).flatMap((bodies) =>
    Object.entries(bodies).flatMap(([status, reference]) => (reference === PROBLEM_SCHEMA ? status : [])),
  ),
);

export interface RefusalBreakingRule {
  readonly rule: RuleId;
  readonly operation: OperationId;
  readonly message: string;
  readonly answer: Answer;
}

/** Returns only the first refusal for each operation and rule. */
export function findRefusalsBreakingRules(
  exchanges: readonly { readonly operationId: string; readonly answer: Answer }[],
): RefusalBreakingRule[] {
  const broken = new Map<string, RefusalBreakingRule>();
  for (const { operationId, answer } of exchanges) {
    if (!Object.hasOwn(operations, operationId) || !DOCUMENTED_STATUSES.has(String(answer.status))) continue;
    for (const { id, expect } of PROBLEM_RULES) {
      try {
        if (!broken.has(`${operationId} ${id}`)) expect(answer);
      } catch (error) {
        if (!(error instanceof RuleBroken)) throw error;
        broken.set(`${operationId} ${id}`, { rule: id, operation: operationId as OperationId, message: error.message, answer });
      }
    }
  }
  return [...broken.values()];
}

export interface LookupResponse {
  readonly answer: Answer;
  readonly id: string;
}

/**
 * Finds the members and headers that reveal why a lookup failed: they are equal in all responses with the same cause (`alike`), but
 * different in every response with another cause (`others`).
 */
export function findRevealingDifferences(alike: readonly LookupResponse[], others: readonly LookupResponse[]): string[] {
  const [equal, different] = [alike.map(collectComparedValues), others.map(collectComparedValues)];
  const names = new Set([...equal, ...different].flatMap((values) => [...values.keys()]));
  return [...names].filter((name) => {
    const expected = equal[0]?.get(name);
    return equal.every((values) => values.get(name) === expected) && different.every((values) => values.get(name) !== expected);
  });
}

/** Headers that are not compared, because they depend on the network connection or the time. */
const IGNORED_HEADERS = /^(connection|keep-alive|date|age|content-length|transfer-encoding|set-cookie|etag|x-ratelimit-.*|ratelimit.*)$/;

/** Headers whose values are compared. For other headers, only their presence is compared. */
const COMPARED_HEADERS = /^(cache-control|vary|allow|link|www-authenticate)$/;

function collectComparedValues({ answer, id }: LookupResponse): Map<string, string> {
  const comparedValues = new Map([
    ['the status', String(answer.status)],
    ['the content type', answer.headers['content-type'] ?? ''],
  ]);
  const replaceId = (text: string) =>
    [id, encodeURIComponent(id), encodeURIComponent(id).replaceAll('~', '%7E')].reduce(
      (rest, asked) => rest.replaceAll(new RegExp(asked.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi'), '{id}'),
      text,
    );
  const { traceId } = (answer.json ?? {}) as { readonly traceId?: unknown };
  const replaceTraceId = (text: string) => (typeof traceId === 'string' ? text.replaceAll(traceId, '{traceId}') : text);
  for (const [name, value] of Object.entries(answer.headers))
    if (!IGNORED_HEADERS.test(name))
      comparedValues.set(`the header ${name}`, COMPARED_HEADERS.test(name) ? replaceId(replaceTraceId(value)) : 'present');
  if (answer.json === undefined) comparedValues.set('the body', replaceId(answer.text));
  else visitValues(answer.json, '', (pointer, value) => comparedValues.set(pointer, replaceId(value)));
  return comparedValues;
}

function visitValues(value: unknown, pointer: string, visit: (pointer: string, value: string) => void): void {
  if (pointer === '/traceId') return;
  const isLeaf = typeof value !== 'object' || value === null;
  visit(pointer, isLeaf ? JSON.stringify(value) : Array.isArray(value) ? 'array' : 'object');
  if (!isLeaf) for (const [name, member] of Object.entries(value)) visitValues(member, `${pointer}/${name}`, visit);
}
