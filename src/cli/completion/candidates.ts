import type { Command, Option } from 'commander';
import { isValueName, valuesOf } from './values.ts';

export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/**
 * Returns the candidates for the last word of a command line.
 *
 * @param words the words after `xpk`; the last one may be empty or incomplete
 * @param program contains the command that the words call
 */
export async function candidatesFor(words: readonly string[], program: Command): Promise<Candidate[]> {
  const last = words.at(-1) ?? '';
  const { command, operands, option, isEnded } = follow(program, words.slice(0, -1));
  if (isEnded) return [];
  const [, flag = '', value = ''] = /^(--[\w-]+=)(.*)$/s.exec(last) ?? [];
  if (flag !== '') {
    const named = optionNamed(command, flag.slice(0, -1));
    return starting(value, named && (await values(command, named, `--${named.name()}`, value)), flag);
  }
  if (last.startsWith('-')) return starting(last, command.createHelp().visibleOptions(command).map(flagOf));
  if (option !== undefined) return starting(last, await values(command, option, `--${option.name()}`, last));
  const subcommands = operands === 0 ? command.createHelp().visibleCommands(command) : [];
  const argument = command.registeredArguments[operands] ?? command.registeredArguments.findLast(({ variadic }) => variadic);
  return starting(last, [
    ...subcommands.map((each) => ({ value: each.name(), description: shortened(each.description()) })),
    ...(argument === undefined ? [] : await values(command, argument, `<${argument.name()}>`, last)),
  ]);
}

/** Where a command line ends: in which command, after how many arguments of it, and after which option that needs a value. */
interface Place {
  readonly command: Command;
  readonly operands: number;
  readonly option: Option | undefined;
  /** Whether the words after `--` have begun. */
  readonly isEnded: boolean;
}

function follow(program: Command, words: readonly string[]): Place {
  let place: Place = { command: program, operands: 0, option: undefined, isEnded: false };
  for (const word of words) {
    if (word === '--') return { ...place, isEnded: true };
    place = next(place, word);
  }
  return place;
}

function next(place: Place, word: string): Place {
  const { command, operands, option } = place;
  if (word.startsWith('-')) {
    const named = optionNamed(command, word);
    return { ...place, option: named?.required || named?.optional ? named : undefined };
  }
  if (option !== undefined) return { ...place, option: option.variadic ? option : undefined };
  const called = operands === 0 ? command.commands.find((each) => each.name() === word) : undefined;
  return called === undefined ? { ...place, operands: operands + 1 } : { ...place, command: called as Command };
}

const optionNamed = (command: Command, flag: string) => command.options.find(({ long, short }) => flag === long || flag === short);

async function values(command: Command, { argChoices }: Pick<Option, 'argChoices'>, name: string, typed: string): Promise<Candidate[]> {
  const found = argChoices ?? (isValueName(name) ? await valuesOf(name, command, typed) : []);
  return found.map((value) => ({ value, description: '' }));
}

function flagOf({ long, short, description }: Option): Candidate {
  return { value: long ?? short ?? '', description: shortened(description) };
}

/** Returns the first clause of a description, because a shell shows each candidate on one line. */
const shortened = (description: string): string => description.split(/[.:;,](\s|$)/)[0] as string;

function starting(typed: string, candidates: readonly Candidate[] = [], before = ''): Candidate[] {
  return candidates
    .filter(({ value }) => value.startsWith(typed))
    .map(({ value, description }) => ({ value: before + value, description }));
}
