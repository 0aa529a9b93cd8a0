import { Command } from 'commander';
import { FixtureError } from '../world/problem.ts';
import { createJsonOption, print } from './command.ts';

interface Flags {
  readonly scenario?: boolean;
  readonly json?: boolean;
}

interface RecordFlags {
  readonly baseUrl?: string;
  readonly keepNames?: boolean;
  readonly json?: boolean;
}

type ValidatedFile = { readonly file: string } & (
  | { readonly valid: true; readonly counts: Readonly<Record<string, number>> }
  | { readonly valid: false; readonly problems: readonly string[] }
);

export function createFixturesCommand(): Command {
  return new Command('fixtures')
    .description('Checks world and scenario files, and records world files.')
    .addCommand(
      new Command('validate')
        .description('Prints every mistake in world files or, with --scenario, scenario files. Exits with 1 if a file is not valid.')
        .argument('<files...>', 'YAML files, or names of worlds and scenarios in this package, such as demo')
        .option('--scenario', 'the files are scenarios')
        .addOption(createJsonOption())
        .action(validateFiles),
    )
    .addCommand(
      new Command('record')
        .description('Writes a world file with which a kit answers as the service did whose requests and responses are in a HAR file.')
        .argument('<har>', 'the HAR file of a browser, a test or a gateway')
        .argument('<file>', 'the world file to write, such as our-staging.yaml')
        .option('--base-url <url>', 'the base URL of the service, if not the one with most requests')
        .option('--keep-names', 'keep the real names, telephone numbers and ids; by default, they are replaced')
        .addOption(createJsonOption())
        .action(recordWorld),
    )
    .addHelpText('afterAll', EXAMPLES);
}

const EXAMPLES = `
Examples:
  xpk fixtures validate our-world.yaml
  xpk fixtures validate --scenario friday-night.yaml
  xpk fixtures record traffic.har our-staging.yaml`;

async function recordWorld(har: string, file: string, { baseUrl, keepNames = false, ...flags }: RecordFlags): Promise<void> {
  const { readHarCalls } = await import('./har-calls.ts');
  const { createWorldRecorder } = await import('./recorded-world.ts');
  const { calls } = await readHarCalls(har, baseUrl);
  const recorder = createWorldRecorder(file, keepNames);
  for (const call of calls) recorder.add(call);
  const { counts, text } = await recorder.write();
  print(flags, { file, counts }, () => text);
}

async function validateFiles(files: readonly string[], { scenario, json }: Flags): Promise<void> {
  const validated: ValidatedFile[] = [];
  for (const file of files) {
    const result = await validateFile(file, scenario ? { scenario: file } : { fixtures: file });
    validated.push(result);
    if (!result.valid) process.exitCode = 1;
    if (!json) (result.valid ? console.log : console.error)(formatResult(result));
  }
  if (json) console.log(JSON.stringify(validated));
}

async function validateFile(file: string, settings: { fixtures: string } | { scenario: string }): Promise<ValidatedFile> {
  const { COLLECTION_TABLES } = await import('../store/counts.ts');
  const { addReadModel } = await import('../world/load.ts');
  const { readSeed } = await import('../world/seed.ts');
  try {
    const rows = addReadModel((await readSeed(settings)).rows);
    const counts = Object.entries(COLLECTION_TABLES).map(([collection, table]) => [collection, rows[table].length] as const);
    return { file, valid: true, counts: Object.fromEntries(counts) };
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    return { file, valid: false, problems: error.problems };
  }
}

function formatResult(validated: ValidatedFile): string {
  if (!validated.valid) return validated.problems.join('\n');
  const formatCollectionName = (collection: string) => collection.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const counts = Object.entries(validated.counts).map(([collection, count]) => `${count} ${formatCollectionName(collection)}`);
  return `${validated.file}: valid (${counts.join(', ')})`;
}
