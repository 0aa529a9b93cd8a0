import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { rulesInScope } from '../../../src/report/scope.ts';
import { DO_NOTHING } from './do-nothing.ts';
import { mutants } from './mutants.ts';

/** What a run tests. Passed to the workers and the reporter in the environment. */
export interface Plan {
  /** Absent: every rule. */
  readonly rules?: readonly string[] | undefined;
  readonly servers: readonly ('mutants' | 'nothing')[];
  /** A folder for this run: workers note there what was killed, and the reporter writes its outcomes. */
  readonly folder: string;
}

const NAME = 'XPK_MUTANTS';

export function planEnvironment(plan: Plan): Record<string, string> {
  return { [NAME]: JSON.stringify(plan) };
}

/** @throws Error if the run was not started by `npm run prove` */
export function readPlan(): Plan {
  const text = process.env[NAME];
  if (text === undefined) throw new Error('There is no plan: start the mutants with npm run prove.');
  return JSON.parse(text) as Plan;
}

const documented = new Set<string>(rulesInScope.filter(({ level }) => level === 'documented').map(({ id }) => id));

/** The names of the servers that checks of this rule run against. */
export function serversFor(rule: string | undefined): string[] {
  const { rules, servers } = readPlan();
  if (rule === undefined || rules?.includes(rule) === false) return [];
  const nothing = documented.has(rule) ? DO_NOTHING.filter(({ concerns }) => concerns(rule)) : [];
  return [
    ...(servers.includes('mutants') ? mutants.filter((mutant) => mutant.rule === rule) : []),
    ...(servers.includes('nothing') ? nothing : []),
  ].map(({ name }) => name);
}

/** The name of a check: its file without extensions, its title, and its path form if that is not the prefixed one. */
export function checkName({ file, title, form }: { readonly file: string; readonly title: string; readonly form: string }): string {
  return `${basename(file).replace(/\.spec\.[jt]s$/, '')} › ${title}${form === 'prefixed' ? '' : ` (${form})`}`;
}

// The workers share a folder with an empty file for each mutant that was killed, and for each check that killed one.
const markOf = (name: string): string => join(readPlan().folder, createHash('sha256').update(name).digest('hex'));

export function markKill(check: string, mutant: string): void {
  for (const name of [check, mutant]) writeFileSync(markOf(name), '');
}

/** Whether the check can prove nothing new: the mutant was killed, and the check killed another one. */
export function isRedundant(check: string, mutant: string): boolean {
  return existsSync(markOf(check)) && existsSync(markOf(mutant));
}
