import { setTimeout as delay } from 'node:timers/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { callOperation } from '../control-client/call.ts';
import { colourText } from '../report/printable.ts';
import { type ControlFlags, createClient, createControlCommand, createWholeNumberParser } from './command.ts';
import { getResponseData } from './control-client.ts';
import { toOneLine } from './format.ts';

export interface LogsFlags extends ControlFlags {
  readonly follow?: boolean;
  readonly operation?: string;
  readonly status?: string;
  readonly limit: number;
}

const POLL_MS = 250;
/** The maximum number of requests in a response from the control API. */
const MAX_LIMIT = 1000;

export function createLogsCommand(): Command {
  return createControlCommand('logs')
    .description('Shows the requests that a running kit and its authorization server answered, the newest last.')
    .option('-f, --follow', 'also show new requests, until Ctrl-C')
    .option('--operation <id>', 'only this operation, such as getUser, authorize or token')
    .addOption(new Option('--status <status>', 'only this status or class: 404, 4xx').argParser(parseStatus))
    .addOption(
      new Option('--limit <count>', 'the maximum number of earlier requests').default(50).argParser(createWholeNumberParser(1, MAX_LIMIT)),
    )
    .addHelpText(
      'after',
      '\nReports name a request by its number, such as #12. With --json, each request is one line, with headers and bodies.\n\nExamples:\n  xpk logs --follow\n  xpk logs --status 4xx --operation createExperienceAssignment\n  xpk logs --json | jq .problem\n  xpk logs --json --limit 1000 | jq "select(.number == 12)"',
    )
    .action((flags: LogsFlags) => showLogs(flags, (line) => console.log(line)));
}

/** @param signal ends `--follow` */
export async function showLogs(flags: LogsFlags, printLine: (line: string) => void, signal?: AbortSignal): Promise<void> {
  const { json, follow, operation, status } = flags;
  const control = createClient(flags);
  let since = 0;
  async function showEntries(limit: number): Promise<void> {
    const newest = await getResponseData(callOperation(control, 'listRequests', { since, limit, operation, status }));
    for (const entry of newest.reverse()) {
      printLine(json ? JSON.stringify(entry) : formatEntry(entry));
      since = entry.number;
    }
  }
  await showEntries(flags.limit);
  while (follow && !signal?.aborted) {
    await delay(POLL_MS);
    await showEntries(MAX_LIMIT);
  }
}

function parseStatus(text: string): string {
  if (/^[1-5](\d\d|xx)$/i.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('The value must be a status such as 404, or a class such as 4xx.');
}

const STATUS_COLOURS: Readonly<Record<string, Parameters<typeof colourText>[0]>> = { 2: 'green', 3: 'cyan', 4: 'yellow', 5: 'red' };

/** The width of the numbers that reports and `xpk proxy --twin` use, such as #12. */
const NUMBER_WIDTH = 5;

export function formatEntry(entry: components['schemas']['JournalEntry']): string {
  const { number, at, status, method, path, operationId, durationMs, problem, traceId } = entry;
  const code = String(status ?? '---');
  const parts = [
    colourText('dim', `#${number}`.padEnd(NUMBER_WIDTH)),
    colourText('dim', at.slice(11, 23)),
    colourText(STATUS_COLOURS[code.charAt(0)] ?? 'red', code),
    method.padEnd(6),
    toOneLine(path),
    ...(operationId === undefined ? [] : [colourText('bold', operationId)]),
    colourText('dim', `${Math.round(durationMs)} ms`),
    colourText('dim', traceId),
  ];
  const reason =
    status === undefined ? 'The connection ended without a response.' : problem && [problem.title, problem.detail ?? []].flat().join(': ');
  return parts.join('  ') + (reason === undefined ? '' : `\n${' '.repeat(NUMBER_WIDTH + 16)}${colourText('yellow', toOneLine(reason))}`);
}
