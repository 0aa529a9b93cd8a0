import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { formatPlural } from '../contract/format-plural.ts';
import type { Kit } from '../kit.ts';
import { FixtureError } from '../world/problem.ts';
import { readText } from '../world/source.ts';
import { formatCounts } from './format.ts';
import { UsageError } from './usage-error.ts';

/** Editors save a file in several steps. */
const SETTLE_MS = 50;

/** @throws UsageError if there is no world file to watch */
export function checkWatchedFile(fixtures: unknown): string {
  if (typeof fixtures === 'string' && /[/\\]|\.(ya?ml|json)$/i.test(fixtures)) return fixtures;
  throw new UsageError('--watch needs a world file: xpk start --watch --fixtures our-world.yaml');
}

/**
 * Loads the world file whenever it is saved, and prints what the new world has and what is lost. If the file is not valid, prints its
 * mistakes and keeps the world.
 * @returns a function that stops watching
 */
export async function watchWorldFile(file: string, kit: Kit): Promise<() => void> {
  let loadedText = await readText(file);
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function load(): Promise<void> {
    try {
      const text = await readText(file);
      if (text === loadedText) return;
      loadedText = text;
      const lost = await describeLoss(kit);
      await kit.load(file);
      console.error(`${file}: The world is now ${kit.world()}: ${formatCounts(await countEntitiesOf(kit))}. ${lost}`);
    } catch (error) {
      const reason = error instanceof FixtureError ? error.message : `${file}: ${(error as Error).message}`;
      console.error(`${reason}\nThe kit keeps the world ${kit.world()}.`);
    }
  }

  // The folder is watched, because many editors replace the file.
  const watcher = watch(dirname(file), (_, name) => {
    if (name !== null && name !== basename(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(load);
    }, SETTLE_MS);
  });
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}

async function countEntitiesOf({ store }: Kit): Promise<Readonly<Record<string, number>>> {
  const { countEntities } = await import('../store/counts.ts');
  return countEntities(store.db);
}

/** Says what happened since the world was loaded. */
async function describeLoss({ store: { db } }: Kit): Promise<string> {
  const count = async (table: 'events' | 'changes') =>
    Number(
      (
        await db
          .selectFrom(table)
          .select(({ fn }) => fn.countAll().as('count'))
          .executeTakeFirstOrThrow()
      ).count,
    );
  const lost = [
    [await count('events'), 'event'],
    [await count('changes'), 'change'],
  ] as const;
  const parts = lost.flatMap(([number, noun]) => (number > 0 ? [formatPlural(number, noun)] : []));
  return `Lost: ${[...parts, 'all logins and faults'].join(', ')}.`;
}
