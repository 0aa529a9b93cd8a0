import { Command } from 'commander';
import { TABLES } from '../store/counts.ts';
import { FixtureError } from '../world/fixture-error.ts';
import { readSeed } from '../world/seed.ts';

/** `xpk fixtures validate`: every problem of worlds and scenarios, with file, line and what would be right. */
export function fixturesCommand(): Command {
  return new Command('fixtures').description('Works on worlds and scenarios.').addCommand(
    new Command('validate')
      .description('Checks worlds (or, with --scenario, scenarios). Exits with 1 if one is not valid.')
      .argument('<files...>', 'YAML files, or names of the package such as demo')
      .option('--scenario', 'they are scenarios')
      .action(async (files: string[], { scenario }: { scenario?: boolean }) => {
        for (const file of files) await validate(file, scenario ? { scenario: file } : { fixtures: file });
      }),
  );
}

async function validate(file: string, settings: Parameters<typeof readSeed>[0]): Promise<void> {
  try {
    const { rows } = await readSeed(settings);
    const counts = Object.entries(TABLES).map(([collection, table]) => `${rows[table].length} ${worded(collection)}`);
    console.log(`${file}: good (${counts.join(', ')})`);
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

/** `telephoneNumbers` as `telephone numbers`. */
function worded(collection: string): string {
  return collection.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
