import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { basename, join, matchesGlob } from 'node:path';
import { rulesInScope } from '../../../src/report/scope.ts';
import { brokenRulesOf } from '../../runner/findings.ts';
import { DO_NOTHING } from './do-nothing.ts';
import type { Mutant } from './mutant.ts';
import { mutantsOf } from './mutants.ts';
import { PERMITTED } from './permitted.ts';

/** What a run tests. An environment variable passes the plan to the workers and the reporter. */
export interface Plan {
  /** The ids of the rules to test. Absent: every rule. */
  readonly rules?: readonly string[] | undefined;
  readonly servers: readonly ('mutants' | 'nothing' | 'permitted')[];
  /** A folder for the files of this run: the workers record killed mutants in it, and the reporter writes the outcomes. */
  readonly folder: string;
}

const NAME = 'XPK_MUTANTS';

export function planEnvironment(plan: Plan): Record<string, string> {
  return { [NAME]: JSON.stringify(plan) };
}

/** @throws Error if the run was not started by `npm run prove` */
export function readPlan(): Plan {
  const text = process.env[NAME];
  if (text === undefined) throw new Error('The environment contains no plan. Start the mutants with `npm run prove -- --only mutants`.');
  return JSON.parse(text) as Plan;
}

const documented = new Set<string>(rulesInScope.filter(({ level }) => level === 'documented').map(({ id }) => id));

/** The names of the mutants, of the servers that do nothing, and of the permitted servers that the checks of a rule run against. */
export function serversFor(rule: string | undefined): string[] {
  if (rule === undefined) return [];
  const { rules, servers } = readPlan();
  const isSelected = rules?.includes(rule) ?? true;
  const nothing = isSelected && documented.has(rule) ? DO_NOTHING.filter(({ concerns }) => concerns(rule)) : [];
  const permitted = isSelected ? PERMITTED.filter(({ rules: of }) => of.some((pattern) => matchesGlob(rule, pattern))) : [];
  return [
    ...(servers.includes('mutants') ? mutantsOf(rules).filter(({ rule: broken, shownBy = broken }) => shownBy === rule) : []),
    ...(servers.includes('nothing') ? nothing : []),
    ...(servers.includes('permitted') ? permitted : []),
  ].map(({ name }) => name);
}

/** Whether a check has shown a mutant that the checks of another rule have to show. Undefined if checks of its own rule have to. */
export function isShown(mutant: Mutant | undefined, attachments: Parameters<typeof brokenRulesOf>[0]): boolean | undefined {
  if (mutant?.shownBy === undefined) return undefined;
  return brokenRulesOf(attachments).some(({ rule }) => rule === mutant.rule);
}

/** The name of a check: its file without the extension, its title, and its path form unless that is `prefixed`. */
export function checkName({ file, title, form }: { readonly file: string; readonly title: string; readonly form: string }): string {
  return `${basename(file).replace(/\.spec\.[jt]s$/, '')} › ${title}${form === 'prefixed' ? '' : ` (${form})`}`;
}

// The workers share a folder, which contains an empty file for each mutant that was killed and for each check that killed a mutant.
const markOf = (name: string): string => join(readPlan().folder, createHash('sha256').update(name).digest('hex'));

export function markKill(check: string, mutant: string): void {
  for (const name of [check, mutant]) writeFileSync(markOf(name), '');
}

/** Whether the run of a check against a mutant would prove nothing new: the mutant was killed, and the check has killed a mutant. */
export function isRedundant(check: string, mutant: string): boolean {
  return existsSync(markOf(check)) && existsSync(markOf(mutant));
}
