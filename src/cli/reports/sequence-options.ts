import { type Command, InvalidArgumentError, Option } from 'commander';
import { createWholeNumberParser } from '../command.ts';

/** fast-check seeds are 32-bit integers. */
const MAX_SEED = 2 ** 31 - 1;

function parseSequencePath(text: string): string {
  if (/^(no-users:)?\d+(:\d+)*$/.test(text)) return text;
  throw new InvalidArgumentError('The path must be numbers separated by colons, such as 4:0:1. Copy it from a report.');
}

/** Adds the options that repeat a random sequence. */
export function addSequenceOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--seed <number>', 'the seed for the random sequences; default: a random seed').argParser(
        createWholeNumberParser(0, MAX_SEED),
      ),
    )
    .option('--path <path>', 'run only one random sequence: copy its path, and the seed for --seed, from a report', parseSequencePath);
}
