import type { Command, Option } from 'commander';
import { isValueName, listValues } from './values.ts';

export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** @param words the words after `xpk`; the last may be incomplete */
export async function findCandidates(words: readonly string[], program: Command): Promise<Candidate[]> {
  const last = words.at(-1) ?? '';
  const { command, operands, option, isEnded } = parseWords(program, words.slice(0, -1));
  if (isEnded) return [];
  const [, flag = '', value = ''] = /^(--[\w-]+=)(.*)$/s.exec(last) ?? [];
  if (flag !== '') {
    const named = findOption(command, flag.slice(0, -1));
    return filterByPrefix(value, named && (await listCandidates(command, named, `--${named.name()}`, value)), flag);
  }
  if (last.startsWith('-')) return filterByPrefix(last, command.createHelp().visibleOptions(command).map(toFlagCandidate));
  if (option !== undefined) return filterByPrefix(last, await listCandidates(command, option, `--${option.name()}`, last));
  const subcommands = operands === 0 ? command.createHelp().visibleCommands(command) : [];
  const argument = command.registeredArguments[operands] ?? command.registeredArguments.findLast(({ variadic }) => variadic);
  return filterByPrefix(last, [
    ...subcommands.map((each) => ({ value: each.name(), description: getFirstClause(each.description()) })),
    ...(argument === undefined ? [] : await listCandidates(command, argument, `<${argument.name()}>`, last)),
  ]);
}

interface ParserState {
  readonly command: Command;
  readonly operands: number;
  /** The last option, if a value can follow it. */
  readonly option: Option | undefined;
  readonly isEnded: boolean;
}

function parseWords(program: Command, words: readonly string[]): ParserState {
  let state: ParserState = { command: program, operands: 0, option: undefined, isEnded: false };
  for (const word of words) {
    if (word === '--') return { ...state, isEnded: true };
    state = parseWord(state, word);
  }
  return state;
}

function parseWord(state: ParserState, word: string): ParserState {
  const { command, operands, option } = state;
  if (word.startsWith('-')) {
    const named = findOption(command, word);
    return { ...state, option: named?.required || named?.optional ? named : undefined };
  }
  if (option !== undefined) return { ...state, option: option.variadic ? option : undefined };
  const called = operands === 0 ? command.commands.find((each) => each.name() === word) : undefined;
  return called === undefined ? { ...state, operands: operands + 1 } : { ...state, command: called as Command };
}

const findOption = (command: Command, flag: string) => command.options.find(({ long, short }) => flag === long || flag === short);

async function listCandidates(
  command: Command,
  { argChoices }: Pick<Option, 'argChoices'>,
  name: string,
  typed: string,
): Promise<Candidate[]> {
  const found = argChoices ?? (isValueName(name) ? await listValues(name, command, typed) : []);
  return found.map((value) => ({ value, description: '' }));
}

function toFlagCandidate({ long, short, description }: Option): Candidate {
  return { value: long ?? short ?? '', description: getFirstClause(description) };
}

const getFirstClause = (description: string): string => description.split(/[.:;,](\s|$)/)[0] as string;

function filterByPrefix(typed: string, candidates: readonly Candidate[] = [], before = ''): Candidate[] {
  return candidates
    .filter(({ value }) => value.startsWith(typed))
    .map(({ value, description }) => ({ value: before + value, description }));
}
