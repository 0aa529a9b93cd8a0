import { basename } from 'node:path';
import { rulesInScope } from '../../../src/report/scope.ts';
import { DO_NOTHING } from './do-nothing.ts';
import { mutants } from './mutants.ts';

/** Which checks run against which servers. Passed to the workers and the reporter in the environment. */
export interface Plan {
  /** Absent: every rule. */
  readonly rules?: readonly string[] | undefined;
  readonly servers: readonly ('mutants' | 'nothing')[];
  /** Pairs of a check and a server, as `pairOf` writes them. Absent: all. */
  readonly pairs?: readonly string[];
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
export function serversFor(rule: string | undefined, { rules, servers }: Plan): string[] {
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

export function pairOf({ check, server }: { readonly check: string; readonly server: string }): string {
  return `${check} | ${server}`;
}
