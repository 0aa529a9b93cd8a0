import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { PathForm } from '../../../src/contract/generated/operations.ts';
import { rulesInScope } from '../../../src/report/scope.ts';
import { readPathForm, splitTitle } from '../../runner/repetition.ts';
import type { CheckReport } from '../../target/check-report.ts';
import type { Mutant } from './mutant.ts';
import { mutants } from './mutants.ts';
import { STUB_SERVERS } from './stub-servers.ts';

/** The rules and servers of a run, passed to workers and reporter in an environment variable. */
export interface MutantPlan {
  /** Default: all rules. */
  readonly rules?: readonly string[] | undefined;
  readonly servers: readonly ('mutants' | 'nothing')[];
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

/** Flat paths are tested only with the rules about path forms. */
export function listServers(rule: string | undefined, form: PathForm): readonly string[] {
  const level = rulesInScope.find(({ id }) => id === rule)?.level;
  if (rule === undefined || level === undefined || (form !== 'prefixed' && !rule.startsWith('http.path-forms.'))) return [];
  const { rules, servers } = readPlan();
  const isSelected = (id: string) => rules?.includes(id) ?? true;
  const own = mutants.filter(({ rule: broken, shownBy = broken }) => shownBy === rule && isSelected(broken));
  const stubs = STUB_SERVERS.filter(({ mustFailRule }) => level === 'documented' && isSelected(rule) && mustFailRule(rule));
  return [...(servers.includes('mutants') ? own : []), ...(servers.includes('nothing') ? stubs : [])].map(({ name }) => name);
}

/** Whether a check shows that the mutant's rule is broken: its own rule, or with `shownBy` another one. */
export function showsBreach({ broken, others }: CheckReport, mutant: Mutant | undefined): boolean {
  return mutant?.shownBy === undefined ? broken !== undefined : others.some(({ rule }) => rule === mutant.rule);
}

/** Returns the name of a test's check, and the name of the server that it tests. */
export function readCheck(titlePath: readonly string[]): { readonly check: string; readonly server: string } {
  const { title, repetition: server = '' } = splitTitle(titlePath.at(-1) ?? '');
  const file = titlePath.find((part) => SPEC_FILE.test(part)) ?? '';
  const form = readPathForm(titlePath);
  return { check: `${basename(file).replace(SPEC_FILE, '')} › ${title}${form === 'prefixed' ? '' : ` (${form})`}`, server };
}
const SPEC_FILE = /\.spec\.[jt]s$/;

// Workers share their kills through empty files: one for each killed mutant, and one for each check that killed a mutant.
const createKillMarkerPath = (name: string): string => join(readPlan().folder, createHash('sha256').update(name).digest('hex'));

export function markKill(check: string, mutant: string): void {
  for (const name of [check, mutant]) writeFileSync(createKillMarkerPath(name), '');
}

export function isRedundant(check: string, mutant: string): boolean {
  return existsSync(createKillMarkerPath(check)) && existsSync(createKillMarkerPath(mutant));
}
