import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { PathForm } from '../../../src/contract/generated/operations.ts';
import { rulesInScope } from '../../../src/report/scope.ts';
import { readBrokenRules } from '../../runner/findings.ts';
import type { Mutant } from './mutant.ts';
import { selectMutants } from './mutants.ts';
import { PERMITTED_VARIANTS } from './permitted.ts';
import { STUB_SERVERS } from './stub-servers.ts';

/** The selection of rules and servers for a run. An environment variable passes the plan to the workers and the reporter. */
export interface MutantPlan {
  /** The ids of the rules to test. Every rule if absent. */
  readonly rules?: readonly string[] | undefined;
  readonly servers: readonly ('mutants' | 'nothing' | 'permitted')[];
  /** A folder for a run's files. The workers record killed mutants in the folder, and the reporter writes the outcomes there. */
  readonly folder: string;
}

const PLAN_VARIABLE = 'XPK_MUTANTS';

export function createPlanEnvironment(plan: MutantPlan): Record<string, string> {
  return { [PLAN_VARIABLE]: JSON.stringify(plan) };
}

/** @throws Error if the run was not started by `npm run prove` */
export function readPlan(): MutantPlan {
  const text = process.env[PLAN_VARIABLE];
  if (text === undefined) throw new Error('The environment contains no plan. Start the mutants with `npm run prove -- --only mutants`.');
  return JSON.parse(text) as MutantPlan;
}

/**
 * Returns the names of the servers against which a rule's checks run in a path form: mutants, servers that do nothing, and permitted
 * servers. Only rules about path forms are tested in both forms, because these servers behave the same in both.
 */
export function listServers(rule: string | undefined, form: PathForm): readonly string[] {
  if (rule === undefined || (form !== 'prefixed' && !rule.startsWith('http.path-forms.'))) return [];
  names ??= groupNamesByRule(readPlan());
  return names.get(rule) ?? [];
}

/** Maps a rule to the names of the servers against which its checks run. The map is created only once, because the plan does not change. */
let names: ReadonlyMap<string, readonly string[]> | undefined;

function groupNamesByRule({ rules, servers }: MutantPlan): ReadonlyMap<string, readonly string[]> {
  const mutants = Map.groupBy(selectMutants(rules), ({ rule, shownBy = rule }) => shownBy);
  const listNamesOfRule = (id: string, level: string) => {
    const isSelected = rules?.includes(id) ?? true;
    return [
      ...(servers.includes('mutants') ? (mutants.get(id) ?? []) : []),
      ...(servers.includes('nothing') && isSelected && level === 'documented' ? STUB_SERVERS.filter(({ concerns }) => concerns(id)) : []),
      ...(servers.includes('permitted') && isSelected ? PERMITTED_VARIANTS.filter(({ rules: of }) => of.test(id)) : []),
    ].map(({ name }) => name);
  };
  return new Map(rulesInScope.map(({ id, level }) => [id, listNamesOfRule(id, level)]));
}

/**
 * For a mutant that a different rule's checks have to detect (`shownBy`), returns whether the check has detected the mutant. For all other
 * mutants, returns undefined.
 */
export function isBreachReported(mutant: Mutant | undefined, attachments: Parameters<typeof readBrokenRules>[0]): boolean | undefined {
  if (mutant?.shownBy === undefined) return undefined;
  return readBrokenRules(attachments).some(({ rule }) => rule === mutant.rule);
}

/** Returns a check's name: its file without the extension, its title, and its path form unless that is `prefixed`. */
export function formatCheckName({ file, title, form }: { readonly file: string; readonly title: string; readonly form: string }): string {
  return `${basename(file).replace(/\.spec\.[jt]s$/, '')} › ${title}${form === 'prefixed' ? '' : ` (${form})`}`;
}

// Returns the path of the file that records a kill. All workers share the folder, which contains an empty file for each killed mutant and
// for each check that killed a mutant.
const createMarkPath = (name: string): string => join(readPlan().folder, createHash('sha256').update(name).digest('hex'));

export function markKill(check: string, mutant: string): void {
  for (const name of [check, mutant]) writeFileSync(createMarkPath(name), '');
}

/** Whether a check can skip a mutant: the mutant has already been killed, and the check has already killed some mutant. */
export function isRedundant(check: string, mutant: string): boolean {
  return existsSync(createMarkPath(check)) && existsSync(createMarkPath(mutant));
}
