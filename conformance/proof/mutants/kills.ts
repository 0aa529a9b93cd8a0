import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Which mutants were killed in this run, and which checks killed one. Shared by all workers through files in a folder. */
export interface Kills {
  /** Whether the check can prove nothing new: the mutant was killed, and the check killed another one. */
  isRedundant(check: string, mutant: string): boolean;
  add(check: string, mutant: string): void;
}

export function openKills(folder: string): Kills {
  const fileOf = (name: string) => join(folder, createHash('sha256').update(name).digest('hex'));
  const cache = new Set<string>();
  const isKnown = (name: string): boolean => {
    if (!cache.has(name) && existsSync(fileOf(name))) cache.add(name);
    return cache.has(name);
  };
  return {
    isRedundant: (check, mutant) => isKnown(check) && isKnown(mutant),
    add(check, mutant) {
      for (const name of [check, mutant].filter((each) => !isKnown(each))) writeFileSync(fileOf(name), '');
    },
  };
}
