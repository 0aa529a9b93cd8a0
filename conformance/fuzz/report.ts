import { operations } from '../../src/contract/generated/operations.ts';
import type { StepName } from '../../src/http/observation.ts';
import type { Failure } from './campaign.ts';
import type { FuzzRequest } from './request.ts';
import type { Subject } from './subject.ts';

const STEPS: readonly StepName[] = ['fault', 'authenticate', 'scope', 'rate', 'query', 'body', 'handle', 'done'];
/** No answer that could be read. Where that is no failure: a HEAD whose head the parser refuses, so that its problem has a body. */
const UNREAD = 'unread';
/** A fuzz whose requests mostly end at the door tests the door alone. */
const LEAST_PAST_VALIDATION = 1 / 3;

/** The part of all requests that got past validation: to the use case (`handle`: it refused) and through it (`done`). */
export function pastValidation({ observed, issued }: Subject): number {
  return observed.filter(({ step }) => step === 'handle' || step === 'done').length / issued;
}

export function statusHistogram({ statuses }: Subject): string {
  const sorted = [...statuses].sort(([a], [b]) => a - b);
  return sorted.map(([status, times]) => `${(status === 0 ? UNREAD : String(status)).padEnd(8)}${String(times).padStart(8)}`).join('\n');
}

/** A row an operation, a column a step. Requests that reached no operation are in the row `none`. */
export function stepHistogram({ observed, issued }: Subject): string {
  const rows = Object.keys(operations).map((operationId) => {
    const own = observed.filter((one) => one.operationId === operationId);
    return [operationId, ...STEPS.map((step) => own.filter((one) => one.step === step).length), own.length];
  });
  const sums = STEPS.map((step) => observed.filter((one) => one.step === step).length);
  const table = [
    ['operation', ...STEPS, 'all'],
    ...rows,
    ['none', ...STEPS.map(() => ''), issued - observed.length],
    ['all', ...sums, issued],
  ];
  return table.map(([name, ...cells]) => String(name).padEnd(28) + cells.map((cell) => String(cell).padStart(13)).join('')).join('\n');
}

/** The last lines: one where all is well, else every failure as a curl line. */
export function verdict(subject: Subject, failures: readonly Failure[]): { readonly ok: boolean; readonly text: string } {
  const reached = pastValidation(subject);
  const lines = failures.map(({ request, faults, times }) => `${faults.join('; ')} (${times} times)\n  ${curl(subject.url, request)}`);
  if (reached < LEAST_PAST_VALIDATION) lines.push(`only ${percentage(reached)} of the requests got past validation`);
  if (lines.length === 0) return { ok: true, text: `${subject.issued} requests: no 5xx, every error a problem with traceId` };
  return { ok: false, text: `${subject.issued} requests, ${lines.length} failures:\n${lines.join('\n')}` };
}

export function percentage(part: number): string {
  return `${(part * 100).toFixed(1)} %`;
}

/** The request as a line for a shell. */
export function curl(url: string, { method, target, headers, body }: FuzzRequest): string {
  const words = ['curl', '-i', '--path-as-is', '--globoff', method === 'HEAD' ? '--head' : `-X ${method}`];
  if (target.startsWith('/')) words.push(quoted(url + target));
  else words.push('--request-target', quoted(target), quoted(url));
  for (const [name, value] of headers) words.push('-H', quoted(value === '' ? `${name};` : `${name}: ${value}`));
  if (body) words.push('--data-binary', quoted(body.toString('latin1')));
  return words.join(' ');
}

/** In quotes of bash that spell out what a terminal would not show. */
function quoted(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  const spelled = text.replaceAll(/[^\x20-\x7e]|['\\]/g, (one) => `\\x${(one.charCodeAt(0) & 0xff).toString(16).padStart(2, '0')}`);
  return `$'${spelled}'`;
}
