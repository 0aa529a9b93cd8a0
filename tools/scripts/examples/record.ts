import { mock } from 'node:test';
import { buildDemoRequest } from '../../../src/checks/scenarios/demo-requests.ts';
import { listScenarios } from '../../../src/checks/scenarios/list-scenarios.ts';
import { replacePlaceholders, runScenario } from '../../../src/checks/scenarios/run-scenario.ts';
import type { EventType } from '../../../src/contract/generated/events.ts';
import { type OperationId, operations } from '../../../src/contract/generated/operations.ts';
import type { Kit } from '../../../src/kit.ts';
import { type Example, eventCauses, examples } from './requests.ts';

export interface RecordedExample {
  readonly name: string;
  /** Absent for the control API and the authorization server. */
  readonly summary?: string;
  /** Maps names of path and query parameters to values. Absent for a refusal. */
  readonly parameters?: Readonly<Record<string, string | number>>;
  readonly body?: object;
  readonly status: number;
  /** Absent if the response has no body. A body that is not JSON is a text. */
  readonly answer?: unknown;
}

/** Maps an operation to its examples: successful requests, then refusals. `events` contains one delivery per event type. */
export type RecordedExamples = Record<OperationId, RecordedExample[]> & { events: Record<EventType, RecordedEvent> };

interface RecordedEvent {
  readonly headers: object;
  readonly payload: object;
}

export const EXAMPLES_FILE = new URL('../../../openapi/examples.json', import.meta.url);

const NOW = Date.parse('2026-03-01T09:30:00.000Z');
/** Matches the ids that a kit generates at the time `NOW`. */
const GENERATED_ID = new RegExp(`"${NOW.toString(16).padStart(12, '0').replace(/^.{8}/, '$&-')}-[0-9a-f-]{22}"`, 'g');

/** Stops the clock, so that responses and rate limits do not depend on the machine. */
export const stopClock = (): void => mock.timers.enable({ apis: ['Date'], now: NOW });

export function replaceRandomIds<Body extends object>(body: Body): Body {
  const ids: string[] = [];
  const numberId = (id: string) => (ids.includes(id) ? ids.indexOf(id) : ids.push(id) - 1) + 1;
  const text = JSON.stringify(body)
    .replaceAll(GENERATED_ID, (id) => `${id.slice(0, 15)}7000-8000-00000000000${numberId(id)}"`)
    .replaceAll(/"traceId":"[0-9a-f]{32}"/g, '"traceId":"4bf92f3577b34da6a3ce929d0e0e4736"');
  return JSON.parse(text) as Body;
}

const parseBody = (body: unknown): { answer?: object } =>
  typeof body === 'object' && body !== null ? { answer: replaceRandomIds(body) } : {};

export async function record(operation: OperationId, kit: Kit): Promise<RecordedExample[]> {
  const recorded: RecordedExample[] = [];
  for (const example of examples[operation]) {
    await kit.control.POST('/_control/reset', { body: { to: 'seed' } });
    recorded.push(await sendExample(operation, example, kit));
  }
  const refusals = listScenarios(operation);
  for (const status of operations[operation].statuses.filter((documented) => Number(documented) >= 400)) {
    await kit.control.POST('/_control/reset', { body: { to: 'seed' } });
    const named = refusals.find(({ expected }) => expected.status === status)!;
    const { answer } = await runScenario(named, kit);
    recorded.push({ name: named.id, summary: named.scenario.title, status: answer.status, ...parseBody(answer.body) });
  }
  return JSON.parse(JSON.stringify(recorded).replace(/(?<="cursor":")[\w-]{22,}/g, replaceChecksum)) as RecordedExample[];
}

/** A cursor's checksum is different after each reset. */
function replaceChecksum(cursor: string): string {
  const payload = Buffer.from(cursor, 'base64url').subarray(16);
  return Buffer.concat([Buffer.from('0'.repeat(16)), payload]).toString('base64url');
}

export async function recordEvents(kit: Kit): Promise<RecordedExamples['events']> {
  const recorded: Partial<RecordedExamples['events']> = {};
  for (const [type, cause] of Object.entries(eventCauses)) {
    await kit.control.POST('/_control/reset', { body: { to: 'seed' } });
    await cause(kit);
    await kit.settled();
    const { data = [] } = await kit.control.GET('/_control/inbox', { params: { query: { subscription: 'acme-everything' } } });
    const event = data.find(({ body }) => (body as { type: string }).type === type)!;
    const { 'webhook-id': id, 'webhook-timestamp': timestamp } = event.headers;
    recorded[type as EventType] = replaceRandomIds({
      headers: { 'webhook-id': id, 'webhook-timestamp': timestamp },
      payload: event.body as object,
    });
  }
  return recorded as RecordedExamples['events'];
}

async function sendExample(operation: OperationId, example: Example, kit: Kit): Promise<RecordedExample> {
  const { name, summary, before = [], continues } = example;
  for (const { path, method } of before)
    await fetch(`${kit.url}/_control${path}`, { method, headers: { 'content-type': 'application/json' } });
  const request = await replacePlaceholders(buildDemoRequest(operation, example), kit);
  const { path, method = 'GET', body } = request as typeof request & { body?: object };
  const url = new URL(path, kit.url);
  const headers = { authorization: `Bearer ${await kit.mint()}`, 'content-type': 'application/json' };
  if (continues) {
    const page = (await (await fetch(url, { headers })).json()) as { cursor: string };
    url.searchParams.set('cursor', page.cursor);
  }
  const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  return {
    name,
    summary,
    parameters: listParameters(operation, url),
    ...(body && { body }),
    status: response.status,
    ...(text !== '' && parseBody(JSON.parse(text))),
  };
}

function listParameters(operation: OperationId, { pathname, searchParams }: URL): Record<string, string | number> {
  const patterns = operations[operation].paths.map((path) => new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`));
  const ofPath = patterns.map((pattern) => pattern.exec(pathname)).find((found) => found !== null)?.groups;
  const ofQuery = [...searchParams].map(([name, value]) => [name, name === 'pageSize' ? Number(value) : value]);
  return { ...ofPath, ...Object.fromEntries(ofQuery) };
}
