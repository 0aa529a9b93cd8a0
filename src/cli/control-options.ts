import { Command, InvalidArgumentError, Option } from 'commander';
import { controlClient, DEFAULT_URL } from './control-client.ts';

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

/** Prints an answer as JSON where that was asked for, else in the words given. */
export function print<Answer>({ json }: ControlFlags, answer: Answer, inWords: (answer: Answer) => string): void {
  console.log(json ? JSON.stringify(answer) : inWords(answer));
}

/** A path of parts that may hold any character. */
export function pathOf(...parts: string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
}

/** The argument of an option that counts something, from the least on. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
    throw new InvalidArgumentError(`It is a whole number, ${least} or more.`);
  };
}
