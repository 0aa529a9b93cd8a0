import type { Failure } from './campaign.ts';
import type { WireRequest } from './requests.ts';
import type { Subject } from './subject.ts';

const CLASSES = ['2xx', '3xx', '4xx', '5xx', 'none'];

/** A row for each operation, a column for each class of status. */
export function histogram({ counts }: Subject): string {
  const rows = [...counts].map(([operationId, own]) => [operationId, ...CLASSES.map((kind) => own[kind] ?? 0)]);
  const table = [['operation', ...CLASSES], ...rows];
  return table.map(([name, ...cells]) => String(name).padEnd(28) + cells.map((cell) => String(cell).padStart(8)).join('')).join('\n');
}

export function formatFailure(url: string, { violations, request, seed, times }: Failure): string {
  const where = `${times} times, first with --seed ${seed} --requests 1000`;
  const shown = request ? `\n  ${request.operation?.operationId ?? ''}\n  ${curl(url, request)}` : '';
  return `${violations.join('; ')} (${where})${shown}`;
}

/** The request as a command for a shell. */
function curl(url: string, { method, target, headers, body }: WireRequest): string {
  const words = ['curl', '-i', '--path-as-is', '--globoff', method === 'HEAD' ? '--head' : `-X ${method}`];
  if (target.startsWith('/')) words.push(quoted(url + target));
  else words.push('--request-target', quoted(target), quoted(url));
  for (const [name, value] of headers) words.push('-H', quoted(value === '' ? `${name};` : `${name}: ${value}`));
  if (body) words.push('--data-binary', quoted(body.toString('latin1').slice(0, 2_000)));
  return words.join(' ');
}

/** Quoted for bash, which spells out what a terminal would not show. */
function quoted(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  const spelled = text.replaceAll(/[^\x20-\x7e]|['\\]/g, (one) => `\\x${(one.charCodeAt(0) & 0xff).toString(16).padStart(2, '0')}`);
  return `$'${spelled}'`;
}
