import { styleText } from 'node:util';
import type { components } from '../contract/generated/control.ts';

type JournalEntry = components['schemas']['JournalEntry'];
type Style = Parameters<typeof styleText>[0];

const COLOURS: Readonly<Record<string, Style>> = { 2: 'green', 3: 'cyan', 4: 'yellow', 5: 'red' };

/** One request for a terminal: time, status, method, path, operation, trace id; what refused it is on a line below. In colour where the terminal has some. */
export function logLine({ at, status, method, path, operationId, durationMs, problem, traceId }: JournalEntry): string {
  const said = status === undefined ? '---' : String(status);
  const parts = [
    styleText('dim', at.slice(11, 23)),
    styleText(COLOURS[said.charAt(0)] ?? 'red', said),
    method.padEnd(6),
    visible(path),
    operationId === undefined ? '' : styleText('bold', operationId),
    styleText('dim', `${Math.round(durationMs)} ms`),
    styleText('dim', traceId),
  ];
  const line = parts.filter((part) => part !== '').join('  ');
  const why = status === undefined ? 'The connection ended without an answer.' : reason(problem);
  return why === undefined ? line : `${line}\n${' '.repeat(14)}${styleText('yellow', why)}`;
}

function reason(problem: JournalEntry['problem']): string | undefined {
  if (problem === undefined) return undefined;
  return visible(problem.detail === undefined ? problem.title : `${problem.title}: ${problem.detail}`);
}

/** What was sent must not move the cursor of whoever reads it. */
const visible = (text: string): string => text.replaceAll(/\p{Cc}/gu, '?');
