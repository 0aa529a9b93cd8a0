import type { DecisionId } from '../../src/contract/generated/decisions.ts';
import type { PathForm } from '../../src/contract/generated/operations.ts';
import type { Cell, Results, Verdict } from '../../src/contract/generated/results.ts';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import { preflight } from '../runner/preflight.ts';
import type { SuiteTarget } from '../runner/profile-target.ts';
import { INTERRUPTED, runSuite, type SuiteOptions } from '../runner/run-suite.ts';

/** A reason why the proof fails. */
export interface Objection {
  /** The name of a mutant, variant, known target, permitted server, or server that does nothing. */
  readonly server: string;
  readonly rule?: RuleId;
  readonly decision?: DecisionId;
  readonly text: string;
  /** True if the check could not be completed, for example on a slow machine. Such a check runs a second time. */
  readonly untested?: boolean;
}

type Run = Partial<Pick<SuiteOptions, 'rules' | 'forms' | 'observing' | 'notApplicable' | 'workers'>>;

/** A server against which the suite runs, and the verification of the results. */
export interface KnownServer {
  readonly name: string;
  /** Starts the server on a free port. */
  open(): Promise<Pick<SuiteTarget, 'settings' | 'shown' | 'notApplicable'> & { close(): Promise<void> }>;
  /** Options that limit the run, for example to a list of rules. */
  readonly run: Run;
  verify(results: Results): Objection[];
}

/** Runs the suite against a server. */
export async function verifyServer(server: KnownServer): Promise<Objection[]> {
  try {
    return server.verify(await resultsOf(server, server.run));
  } catch (error) {
    // Return an error as an objection, so that the runs against other servers continue.
    return [{ server: server.name, text: (error as Error).stack ?? String(error) }];
  }
}

/** Runs the checks that could not be completed a second time. @returns the objections that remain */
export async function verifyUntested(server: KnownServer, objections: readonly Objection[]): Promise<readonly Objection[]> {
  const untested = objections.filter((objection) => objection.untested);
  if (untested.length === 0) return objections;
  const rules = untested.flatMap(({ rule }) => rule ?? []);
  const decisions = untested.flatMap(({ decision }) => decision ?? []);
  const again = await verifyServer({ ...server, run: { ...server.run, rules, observing: decisions.length > 0 } });
  return [
    ...objections.filter((objection) => !objection.untested),
    ...again.filter(({ rule, decision }) => (rule ? rules.includes(rule) : decision === undefined || decisions.includes(decision))),
  ];
}

async function resultsOf({ name, open }: KnownServer, run: Run): Promise<Results> {
  const { settings, shown, notApplicable, close } = await open();
  try {
    await preflight({ settings, forms: run.forms });
    const known = { shown, quiet: true, notApplicable: [...notApplicable, ...(run.notApplicable ?? [])] };
    const { results, interrupted } = await runSuite(settings, { ...run, ...known });
    if (interrupted) process.exit(INTERRUPTED);
    if (results === undefined) throw new Error(`The suite ended without results for ${name}.`);
    return results;
  } finally {
    await close();
  }
}

/** The verdicts that a rule may have on a server, and the reason for them. */
export interface Expected {
  readonly verdicts: readonly Verdict[];
  readonly why: string;
}

/** The expected verdicts on a rule in a path form. Undefined if the rule is not tested in this form. */
export type Expectations = (rule: RuleId, form: PathForm) => Expected | undefined;

/** Verdicts that a busy machine can cause, such as an error when the database did not answer in time. */
const UNTESTED: readonly Verdict[] = ['not-testable', 'partly-tested', 'error'];

/** Reports every verdict that is not an expected verdict, and every error that occurred outside of a check. */
export function verdictObjections(server: string, results: Results, expected: Expectations): Objection[] {
  const outside = [...results.errors, ...results.leftovers.map((leftover) => `left behind: ${leftover}`)];
  const wrong = results.rules.flatMap(({ id, cells }) =>
    (Object.entries(cells) as [PathForm, Cell][]).flatMap(([form, cell]): Objection[] => {
      const rule = id as RuleId;
      const { verdicts, why } = expected(rule, form) ?? { verdicts: ['not-applicable'], why: 'the rule is not tested in this path form' };
      if (verdicts.includes(cell.verdict)) return [];
      const text = `(${form}) is ${cell.verdict}, expected ${verdicts.join(' or ')}: ${why}\n${detailsOf(cell)}`;
      return [{ server, rule, text, untested: UNTESTED.includes(cell.verdict) }];
    }),
  );
  return [...outside.map((text) => ({ server, text })), ...wrong];
}

function detailsOf({ verdict, reason, missing, checks }: Cell): string {
  const check = checks.find((each) => each.verdict === (verdict === 'partly-tested' ? 'not-testable' : verdict));
  const message = check?.failure?.message ?? check?.reason ?? reason ?? (missing.length > 0 ? `missing: ${missing.join(', ')}` : '');
  return check === undefined ? message : `${check.place} ${check.title}\n${message}`;
}
