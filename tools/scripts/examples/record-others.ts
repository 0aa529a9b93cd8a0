/** Records the examples of the control API and of the authorization server. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import authorization from '../../../src/contract/generated/authorization.json' with { type: 'json' };
import control from '../../../src/contract/generated/control.json' with { type: 'json' };
import { createKit, type Kit } from '../../../src/kit.ts';
import { createSmallResults, passedFindings } from '../../../src/report/testing/small-results.ts';
import { formatResults } from '../../../src/report/write-reports.ts';
import { type Json, METHODS, resolve } from '../generate/documents.ts';
import { commonParameters, type OtherExample, otherExamples, type PreparingCall, preparation, TRACE_ID } from './other-requests.ts';
import { type RecordedExample, replaceRandomIds } from './record.ts';

interface Operation {
  readonly name: string;
  readonly method: string;
  /** The URL's path, in which a parameter's name is in braces. */
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: 'path' | 'query' | 'header' }[];
  readonly contentType: string;
  readonly successes: readonly string[];
}

export const otherOperations: readonly Operation[] = [control, authorization].flatMap((document: Json) =>
  Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => ({
      name: item[method].operationId,
      method: method.toUpperCase(),
      path: new URL(document.servers[0].url).pathname.replace(/\/$/, '') + path,
      parameters: (item[method].parameters ?? []).map((parameter: Json) => resolve(document, parameter)),
      // The control API requires this header for every request that changes something.
      contentType: Object.keys(item[method].requestBody?.content ?? { 'application/json': {} })[0]!,
      successes: Object.keys(item[method].responses).filter((status) => Number(status) < 400),
    })),
  ),
);

/** Starts a kit with one report. */
export async function createKitWithReport(): Promise<Kit> {
  const reports = mkdtempSync(join(tmpdir(), 'xpk-examples-'));
  const folder = join(reports, 'conformance-report');
  mkdirSync(folder);
  writeFileSync(join(folder, 'results.json'), formatResults(createSmallResults(passedFindings)));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Conformance report</title>');
  const kit = await createKit({ port: 0, logLevel: 'silent', reports });
  const close = async () => {
    await kit.close();
    rmSync(reports, { recursive: true });
  };
  return { ...kit, close, [Symbol.asyncDispose]: close };
}

/** An operation that creates or replaces something gets the same request twice, so that the second request replaces. */
export async function recordOther(operation: Operation, kit: Kit): Promise<RecordedExample[]> {
  const example = otherExamples[operation.name] ?? {};
  const variables = await prepare(example.before ?? [], kit);
  const recorded: RecordedExample[] = [];
  for (const [index, name] of ['demo', 'again'].slice(0, operation.successes.length).entries()) {
    const { parameters = {}, body, status, text, isText } = await send(operation, replaceVariables(example, variables), kit);
    if (status >= 400 || (index > 0 && status === recorded[0]?.status)) throw new Error(`${operation.name}: ${status} ${text}`);
    const answer = text === '' ? undefined : isText ? text.split('\n', 2).join('\n') : shorten(JSON.parse(text));
    const found = { name, parameters, ...(body && { body }), status, ...(answer !== undefined && { answer }) };
    recorded.push(replaceVolatile(found as RecordedExample, kit));
  }
  return recorded;
}

/** Brings the kit into the state from which every example starts. Returns the values of variables. */
async function prepare(before: readonly PreparingCall[], kit: Kit): Promise<Record<string, string>> {
  for (const [method, path, body] of [...preparation, ...before])
    await fetch(`${kit.url}/_control${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'xpk-undoable': 'true' },
      ...(body && { body: JSON.stringify(body) }),
    });
  await kit.settled();
  const headers = { authorization: `Bearer ${await kit.mint()}`, traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01` };
  await (await fetch(`${kit.url}/users/2065559999`, { headers })).text();
  const authorization = new URLSearchParams(otherExamples.authorize!.parameters as Record<string, string>);
  const { headers: redirect } = await fetch(`${kit.url}/auth/authorize?${authorization}`, { redirect: 'manual' });
  const { data: [event] = [] } = await kit.control.GET('/_control/events');
  const { data: [fault] = [] } = await kit.control.GET('/_control/faults');
  const { data: [change] = [] } = await kit.control.GET('/_control/undo');
  const { data: [check] = [] } = await kit.control.GET('/_control/checks');
  const ended = { params: { path: { checkId: check?.id ?? 'none' }, query: { waitMs: 60_000 } } };
  if (check) await kit.control.GET('/_control/checks/{checkId}', ended);
  return {
    EVENT: event!.id,
    DELIVERY: event!.deliveries[0]!.id,
    FAULT: fault!.id,
    CHECK: check?.id ?? '',
    CHANGE: change?.id ?? '',
    CODE: new URL(redirect.get('location')!).searchParams.get('code')!,
  };
}

const replaceVariables = (example: OtherExample, variables: Readonly<Record<string, string>>): OtherExample =>
  JSON.parse(
    JSON.stringify({ ...example, parameters: { ...commonParameters, ...example.parameters } }).replaceAll(
      /\$([A-Z]+)/g,
      (_, name) => variables[name]!,
    ),
  );

async function send(
  { method, path, parameters: described, contentType }: Operation,
  { parameters: values = {}, body }: OtherExample,
  kit: Kit,
) {
  const url = new URL(kit.url);
  url.pathname = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name]!));
  const headers = new Headers({ 'content-type': contentType });
  const parameters = Object.fromEntries(described.map(({ name }) => [name, values[name]!]));
  for (const { name, in: place } of described) {
    if (place === 'query') url.searchParams.set(name, String(values[name]));
    if (place === 'header') headers.set(name, String(values[name]));
  }
  const payload = contentType.includes('form') ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body);
  const response = await fetch(url, { method, headers, redirect: 'manual', ...(body !== undefined && { body: payload }) });
  const type = response.headers.get('content-type') ?? '';
  const text = type.startsWith('text/event-stream')
    ? await readFirstMessage(response)
    : response.status === 303
      ? ''
      : await response.text();
  return { parameters, body, status: response.status, text, isText: /plain|yaml/.test(type) };
}

async function readFirstMessage({ body }: Response): Promise<string> {
  let text = '';
  for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const [, data] = /^data: (.*)\n/m.exec(text) ?? [];
    if (data !== undefined) return data;
  }
  throw new Error('The stream ended without a message.');
}

/** Keeps the first entries of lists and maps. */
function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map(shorten);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const isMap = entries.length > 20 || entries.every(([, member]) => typeof member === 'object');
  return Object.fromEntries(entries.slice(0, isMap ? 2 : undefined).map(([name, member]) => [name, shorten(member)]));
}

/** Values that differ between runs, and their replacements. */
const VOLATILE: readonly (readonly [RegExp, string])[] = [
  [/"(durationMs|arrivedMs|ageMs)":[\de.-]+/g, '"$1":1'],
  [/\([\d.]+ s, http/g, '(0.0 s, http'],
  // The number of a duplicate is always 0.
  [/"number":[1-9]\d*/g, '"number":1'],
  [/"version":"[^"]+"/g, '"version":"1.0.0"'],
  [/"kit":"[^"]+"/g, '"kit":"1.0.0"'],
  [/"reports":"[^"]+"/g, '"reports":"."'],
  [/"fault-\d+"/g, '"fault-1"'],
  [/#\d+ (.*?) with token [\w-]+/g, '#1 $1 with token 9dfmfS'],
  [/"(fingerprint|code|refresh_token)":"[^"]+"/g, '"$1":"SplxlOBeZQQYbYS6WxSbIA"'],
  [/whsec_[\w+/=]+/g, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  [/"v1,[\w+/=]+"/g, '"v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]*/g, 'eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl'],
];

function replaceVolatile(example: RecordedExample, kit: Kit): RecordedExample {
  const text = JSON.stringify(replaceRandomIds(example)).replaceAll(new URL(kit.url).host, 'localhost:4010');
  return JSON.parse(VOLATILE.reduce((replaced, [pattern, value]) => replaced.replaceAll(pattern, value), text)) as RecordedExample;
}
