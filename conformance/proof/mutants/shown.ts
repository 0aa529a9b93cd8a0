import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a run has shown so far, in all its workers: which saboteurs were caught, and which checks have teeth. */
export interface Shown {
  /** Whether this check could show nothing new before this saboteur: it is caught, and the check has caught another one. */
  has(check: string, saboteur: string): boolean;
  /** Notes that this check of the rule that the saboteur breaks has caught it. */
  caught(check: string, saboteur: string): void;
}

/** @param folder that the workers of a run share; undefined: a run where every check meets every saboteur that it was asked to. */
export function createShown(folder: string | undefined): Shown {
  if (folder === undefined) return { has: () => false, caught: () => {} };
  const fileOf = (name: string) => join(folder, createHash('sha256').update(name).digest('hex'));
  // What was shown stays so, and is looked up once.
  const known = new Set<string>();
  const isKnown = (name: string): boolean => {
    if (!known.has(name) && existsSync(fileOf(name))) known.add(name);
    return known.has(name);
  };
  return {
    has: (check, saboteur) => isKnown(check) && isKnown(saboteur),
    caught(check, saboteur) {
      for (const name of [check, saboteur].filter((name) => !isKnown(name))) writeFileSync(fileOf(name), '');
    },
  };
}
