import { setTimeout as pause } from 'node:timers/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { type ControlFlags, clientOf, controlCommand, wholeNumber } from './control-options.ts';
import { logLine } from './log-line.ts';

type JournalEntry = components['schemas']['JournalEntry'];

export interface LogsFlags extends ControlFlags {
  readonly follow?: boolean;
  readonly operation?: string;
  readonly status?: string;
  readonly limit: number;
}

/** Wall milliseconds between two looks at what is new. */
const LOOK_EVERY_MS = 250;
/** As many as one answer may have. */
const MOST = 1000;

/** `xpk logs`: what a running kit was asked and what it answered, the newest last. */
export function logsCommand(): Command {
  return controlCommand('logs')
    .description('Shows the requests that a running kit answered: of the service and of its authorization server.')
    .option('-f, --follow', 'go on with those to come, until Ctrl-C')
    .option('--operation <id>', 'only this operation, such as getUser, authorize or token')
    .addOption(new Option('--status <status>', 'only this status, or a class of them: 404, 4xx').argParser(statusOrClass))
    .addOption(new Option('--limit <count>', 'at most so many of those that there are').default(50).argParser(upTo(MOST)))
    .addHelpText(
      'after',
      '\nWith --json every request is a line of its own, with headers and bodies.\n\nExamples:\n  xpk logs --follow\n  xpk logs --status 4xx --operation createExperienceAssignment\n  xpk logs --json | jq .problem',
    )
    .action((flags: LogsFlags) => showLogs(flags, (line) => console.log(line)));
}

/** Hands over line by line, the oldest first. @param signal ends following. */
export async function showLogs(flags: LogsFlags, print: (line: string) => void, signal?: AbortSignal): Promise<void> {
  const { json, follow, operation, status, limit } = flags;
  const control = clientOf(flags);
  let since = 0;
  async function show(most: number): Promise<void> {
    const query = new URLSearchParams({
      since: String(since),
      limit: String(most),
      ...(operation !== undefined && { operation }),
      ...(status !== undefined && { status }),
    });
    for (const entry of (await control.get<JournalEntry[]>(`/requests?${query}`)).reverse()) {
      print(json ? JSON.stringify(entry) : logLine(entry));
      since = entry.number;
    }
  }
  await show(limit);
  while (follow && !signal?.aborted) {
    await pause(LOOK_EVERY_MS);
    await show(MOST);
  }
}

function statusOrClass(text: string): string {
  if (/^[1-5](\d\d|xx)$/i.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('It is a status such as 404, or a class of them such as 4xx.');
}

function upTo(most: number): (text: string) => number {
  return (text) => {
    const count = wholeNumber(1)(text);
    if (count > most) throw new InvalidArgumentError(`It is ${most} at most.`);
    return count;
  };
}
