import { parseArgs } from 'node:util';

export const SCENARIOS = ['assignability', 'page', 'create', 'scale', 'cold', 'reset', 'deliveries', 'suite'] as const;
export type ScenarioName = (typeof SCENARIOS)[number];

export interface Options {
  /** How often every contender is measured. Ratios are taken within a round. */
  readonly rounds: number;
  /** How long a contender is under load in a round. */
  readonly seconds: number;
  readonly only: readonly ScenarioName[];
  /** Whether to build `dist` first. The bench always measures `dist`. */
  readonly build: boolean;
  /** A file to which the results are also written. */
  readonly json: string | undefined;
}

export const USAGE = `npm run bench -- [--rounds 5] [--seconds 1.5] [--only ${SCENARIOS.join(',')}] [--no-build] [--json FILE]`;

/** @throws Error that names the invalid option */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '1.5' },
      only: { type: 'string', default: SCENARIOS.join() },
      build: { type: 'boolean', default: true },
      json: { type: 'string' },
    },
  });
  const only = values.only.split(',');
  const unknown = only.find((name) => !(SCENARIOS as readonly string[]).includes(name));
  if (unknown !== undefined) throw new Error(`--only: unknown scenario ${unknown}. The scenarios are ${SCENARIOS.join(', ')}.`);
  const rounds = positive('rounds', values.rounds);
  if (!Number.isInteger(rounds)) throw new Error(`--rounds must be an integer, not ${values.rounds}.`);
  return { rounds, seconds: positive('seconds', values.seconds), only: only as ScenarioName[], build: values.build, json: values.json };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0, not ${text}.`);
  return value;
}
