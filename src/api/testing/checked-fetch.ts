import assert from 'node:assert/strict';
import type { DecisionId } from '../../contract/generated/decisions.ts';
import { decisions as decisionTable } from '../../contract/generated/decisions-table.ts';
import { gates } from '../../contract/generated/gates.ts';
import { type OperationId, operations } from '../../contract/generated/operations.ts';
import { rules } from '../../contract/generated/rules-table.ts';
import { schemaReferences } from '../../contract/generated/schema-references.ts';
import { validator } from '../../contract/validators.ts';

export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly instance?: string;
  readonly traceId: string;
  readonly errors?: readonly { readonly pointer: string; readonly message: string }[];
}

type Schemas = Readonly<Record<string, string>>;
const traceIds = new Set<string>();

/** Sends a request and holds the answer against the contract, whatever the test is about. Redirects would be no answer of the service. */
export async function checkedFetch(request: Request): Promise<Response> {
  const response = await fetch(request, { redirect: 'error' });
  const text = await response.clone().text();
  const operationId = operationOf(request.method, new URL(request.url).pathname);
  const where = `${request.method} ${request.url} → ${response.status} ${text.slice(0, 500)}`;
  if (response.ok) checkSuccess(operationId, response, text, where);
  else checkProblem(operationId, response, text, where);
  return response;
}

const routes = (Object.keys(operations) as OperationId[]).flatMap((operationId) =>
  operations[operationId].paths.map((path) => ({ operationId, path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) })),
);

/** The operation that a request is meant for; none where the path or the method is not the service's. */
export function operationOf(method: string, pathname: string): OperationId | undefined {
  const wanted = method === 'HEAD' ? 'get' : method.toLowerCase();
  return routes.find(({ operationId, path }) => operations[operationId].method === wanted && path.test(pathname))?.operationId;
}

function checkSuccess(operationId: OperationId | undefined, { status, headers }: Response, text: string, where: string): void {
  assert.ok(operationId, `no operation of the service: ${where}`);
  const documented: readonly (number | string)[] = operations[operationId].statuses;
  assert.ok(documented.includes(status) || documented.includes('2XX'), `an undocumented success: ${where}`);
  const answers: Schemas = schemaReferences.responses[operationId];
  const schema = answers[status] ?? answers['2XX'];
  if (!schema || status === 204) {
    assert.equal(text, '', `a body where none belongs: ${where}`);
    assert.equal(headers.get('content-type'), null, where);
    return;
  }
  assert.match(headers.get('content-type') ?? '', /^application\/json(;|$)/, where);
  assert.deepEqual(validator(schema)(JSON.parse(text)), [], where);
}

function checkProblem(operationId: OperationId | undefined, { status, headers }: Response, text: string, where: string): void {
  assert.match(headers.get('content-type') ?? '', /^application\/problem\+json(;|$)/, where);
  const problem = JSON.parse(text) as ProblemBody;
  assert.deepEqual(validator(schemaReferences.problem)(problem), [], where);
  assert.equal(problem.status, status, where);
  assert.ok(problem.title.length > 0, where);
  assert.match(problem.traceId, /^\S+$/, where);
  assert.ok(!traceIds.has(problem.traceId), `two answers with one traceId: ${where}`);
  traceIds.add(problem.traceId);
  checkType(operationId, status, idOfProblem(problem), where);
  if (status === 401) assert.match(headers.get('www-authenticate') ?? '', /^Bearer\b/, where);
}

/** The rule, open point or gate that a problem names. */
export function idOfProblem({ type }: ProblemBody): string {
  assert.match(type, /^\/problems\/./);
  return type.slice('/problems/'.length);
}

function checkType(operationId: OperationId | undefined, status: number, id: string, where: string): void {
  if (id in gates) {
    // An injected fault has the status that the operator asked for.
    if (id !== 'http.injected-fault') assert.equal(gates[id as keyof typeof gates].status, status, where);
  } else if (id in decisionTable) {
    const { alternatives = [], default: first, operations: of } = decisionTable[id as DecisionId];
    assert.ok([first, ...alternatives].includes(status), `${status} is no alternative of ${id}: ${where}`);
    assert.ok(of.length === 0 || of.includes(operationId as OperationId), `${id} is no open point of ${operationId}: ${where}`);
  } else {
    const rule = rules[id as keyof typeof rules];
    assert.ok(rule, `no rule, open point or gate is called ${id}: ${where}`);
    assert.equal(rule.status, String(status), `${id} stands at another status: ${where}`);
    assert.ok(rule.operations?.includes(operationId as OperationId), `${id} is no rule of ${operationId}: ${where}`);
    const documented: readonly (number | string)[] = operations[operationId as OperationId].statuses;
    assert.ok(documented.includes(status), `an undocumented refusal: ${where}`);
  }
}
