import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** Which saboteurs each check meets, each in a repetition of its own. */
export type Plan = Readonly<Record<string, readonly string[]>>;

const BETWEEN = ' › ';
const NAME = 'XPK_SABOTAGE';

/** What the workers and the reporter of one run of sabotage are told. */
export interface SabotageSettings {
  /** A JSON file with the plan; absent: no saboteur, every check once. */
  readonly plan?: string;
  /** A folder where what each check sent and got is written down. */
  readonly notes?: string;
  /** A folder where workers note what was shown, so that nothing is shown twice. */
  readonly shown?: string;
  /** Where the reporter writes what became of each check. */
  readonly outcomes: string;
}

export function sabotageEnvironment(settings: SabotageSettings): Record<string, string> {
  return { [NAME]: JSON.stringify(settings) };
}

/** @throws Error where no run of sabotage was started. */
export function readSabotageSettings(): SabotageSettings {
  const text = process.env[NAME];
  if (text === undefined) throw new Error('There is no plan: start the saboteurs with npm run sabotage.');
  return JSON.parse(text) as SabotageSettings;
}

export function readPlan({ plan }: SabotageSettings): Plan | undefined {
  return plan === undefined ? undefined : (JSON.parse(readFileSync(plan, 'utf8')) as Plan);
}

/** How a plan names a check: its file without the ending, its title, and the form where it is not the first. */
export function checkName({ file, title, form }: { readonly file: string; readonly title: string; readonly form: string }): string {
  return `${basename(file).replace(/\.spec\.[jt]s$/, '')}${BETWEEN}${title}${form === 'prefixed' ? '' : ` (${form})`}`;
}

/** The title in the name of a check. */
export function titleOf(check: string): string {
  return check.slice(check.indexOf(BETWEEN) + BETWEEN.length).replace(/ \((prefixed|flat)\)$/, '');
}
