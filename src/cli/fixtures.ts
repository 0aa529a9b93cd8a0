import { Command } from 'commander';

export function fixturesCommand(): Command {
  return new Command('fixtures').description('Checks files with worlds or scenarios.').addCommand(
    new Command('validate')
      .description('Prints every mistake in files with worlds or, with --scenario, scenarios. Exits with 1 if a file is not valid.')
      .argument('<files...>', 'YAML files, or names of the package such as demo')
      .option('--scenario', 'the files are scenarios')
      .action(async (files: string[], { scenario }: { scenario?: boolean }) => {
        for (const file of files) await validate(file, scenario ? { scenario: file } : { fixtures: file });
      }),
  );
}

async function validate(file: string, settings: { fixtures: string } | { scenario: string }): Promise<void> {
  const { TABLES } = await import('../store/counts.ts');
  const { readSeed } = await import('../world/seed.ts');
  try {
    const { rows } = await readSeed(settings);
    // Converts a collection name to words: `telephoneNumbers` becomes `telephone numbers`.
    const name = (collection: string) => collection.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    const counts = Object.entries(TABLES).map(([collection, table]) => `${rows[table].length} ${name(collection)}`);
    console.log(`${file}: valid (${counts.join(', ')})`);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'FixtureError') throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
