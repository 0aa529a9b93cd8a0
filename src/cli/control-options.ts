import { Command, InvalidArgumentError, Option } from 'commander';
import { milliseconds } from '../clock/duration.ts';
import { controlClient, NotFoundError } from './control-client.ts';
import { DEFAULT_URL } from './kit-address.ts';
import { UsageError } from './usage-error.ts';

/** What every command has that speaks to the control API of a running kit. */
export interface ControlFlags {
  readonly url: string;
  readonly controlToken?: string;
  readonly json?: boolean;
}

/** A command with the options that say which kit, and how its answer is printed. */
export function controlCommand(name: string): Command {
  return new Command(name)
    .addOption(new Option('--url <url>', 'where the kit runs').env('XPK_URL').default(DEFAULT_URL))
    .addOption(new Option('--control-token <secret>', 'the control token the kit was started with').env('XPK_CONTROL_TOKEN'))
    .option('--json', 'print the answer as JSON');
}

/** The control API of the kit that the options say. */
export function clientOf({ url, controlToken }: ControlFlags) {
  return controlClient(url, controlToken);
}

/** Gets the entity that an option names. @throws UsageError if there is none */
export async function namedByOption<Entity>(asked: Promise<Entity>): Promise<Entity> {
  return asked.catch((error: Error) => {
    throw error instanceof NotFoundError ? new UsageError(error.message) : error;
  });
}

/** Prints an answer as JSON where that was asked for, else in the words given. */
export function print<Answer>({ json }: ControlFlags, answer: Answer, inWords: (answer: Answer) => string): void {
  console.log(json ? JSON.stringify(answer) : inWords(answer));
}

/** Joins path segments, encoded. @throws UsageError for an empty segment (an unset `$ID` would otherwise mean the whole collection), `.` and `..` */
export function pathOf(...parts: string[]): string {
  if (parts.includes('')) throw new UsageError('The name or id is empty; is it a variable of the shell that was not set?');
  // Whoever reads an address takes these for steps in its path.
  const step = parts.find((part) => part === '.' || part === '..');
  if (step !== undefined) throw new UsageError(`Nothing can be asked by the name ${step}: give its id.`);
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
}

/** Parses the argument of an option that is a whole number within bounds. */
export function wholeNumber(least: number, most = 999_999_999): (text: string) => number {
  return (text) => {
    const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It is a whole number from ${least} to ${most}.`);
  };
}

/** The argument of an option that is a span of time, such as `1h30m`, between two of them. @returns a function to milliseconds */
export function duration(least: string, most: string): (text: string) => number {
  return (text) => {
    const span = spanIn(text);
    if (span < milliseconds(least)) throw new InvalidArgumentError(`It is ${least} at least.`);
    if (span > milliseconds(most)) throw new InvalidArgumentError(`It is ${most} at most.`);
    return span;
  };
}

function spanIn(text: string): number {
  try {
    return milliseconds(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
