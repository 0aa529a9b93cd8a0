import type { DecisionId } from '../../src/contract/generated/decisions.ts';
import type { PathForm } from '../../src/contract/generated/operations.ts';
import type { Cell, Results, Verdict } from '../../src/contract/generated/results.ts';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import { preflight } from '../runner/preflight.ts';
import type { SuiteTarget } from '../runner/profile-target.ts';
import { INTERRUPTED_EXIT_CODE, runSuite, type SuiteOptions } from '../runner/run-suite.ts';

export interface ProofFailure {
  readonly server: string;
  readonly rule?: RuleId;
  readonly decision?: DecisionId;
  readonly text: string;
  /** Whether the check could not be completed, for example on a slow machine. */
  readonly untested?: boolean;
}

type SuiteRunner = Partial<Pick<SuiteOptions, 'rules' | 'forms' | 'observing' | 'notApplicable' | 'workers'>>;

/** A running server. Disposing of it stops the server. */
export type OpenServer = Pick<SuiteTarget, 'settings' | 'shown' | 'notApplicable'> & AsyncDisposable;

export interface KnownServer {
  readonly name: string;
  open(): Promise<OpenServer>;
  readonly run: SuiteRunner;
  verify(results: Results): ProofFailure[];
}

export async function verifyServer(server: KnownServer): Promise<ProofFailure[]> {
  try {
    return server.verify(await runSuiteAgainst(server, server.run));
  } catch (error) {
    // Return the error instead of throwing it, so that the runs against other servers continue.
    return [{ server: server.name, text: (error as Error).stack ?? String(error) }];
  }
}

/**
 * Repeats failed checks twice, because a busy machine can cause failures. Do not call this function for several servers at once.
 * @returns the failures that occurred again, and all failures outside of checks
 */
export async function repeatFailedChecks(
  server: KnownServer,
  failures: readonly ProofFailure[],
  verify: (server: KnownServer) => Promise<readonly ProofFailure[]> = verifyServer,
): Promise<readonly ProofFailure[]> {
  const repeatable = failures.filter(({ rule, decision }) => rule !== undefined || decision !== undefined);
  if (repeatable.length === 0) return failures;
  const rules = [...new Set(repeatable.flatMap(({ rule }) => rule ?? []))];
  // Keep errors that name no rule, because they occurred outside of the checks and may have made the run incomplete.
  const isRepeated = (found: ProofFailure) =>
    (found.rule ?? found.decision) === undefined ||
    repeatable.some(({ rule, decision }) => rule === found.rule && decision === found.decision);
  const run = { ...server.run, rules, observing: repeatable.some(({ decision }) => decision !== undefined) };
  const first = (await verify({ ...server, run })).filter(isRepeated);
  const second = (await verify({ ...server, run })).filter(isRepeated);
  const remaining = [...first.filter(({ untested }) => !untested), ...second];
  for (const { server: name, rule, decision, text } of repeatable)
    if (!remaining.some((found) => rule === found.rule && decision === found.decision))
      console.log(`withdrew a failure that did not occur again in two more runs: ${rule ?? decision} ${name} ${text}`);
  return [...failures.filter((failure) => !repeatable.includes(failure)), ...remaining];
}

/** Breaches are explored longer, in a section of their own. */
const EXPLORE_MS = 4000;

export async function runSuiteAgainst({ name, open }: Pick<KnownServer, 'name' | 'open'>, run: SuiteRunner): Promise<Results> {
  await using server = await open();
  const { settings, shown, notApplicable } = server;
  const { seconds = Infinity } = settings.profile.explore ?? {};
  await preflight({ settings, forms: run.forms });
  const known = { shown, quiet: true, notApplicable: [...notApplicable, ...(run.notApplicable ?? [])] };
  const { results, interrupted } = await runSuite(settings, { explore: { ms: Math.min(EXPLORE_MS, seconds * 1000) }, ...run, ...known });
  if (interrupted) process.exit(INTERRUPTED_EXIT_CODE);
  if (results === undefined) throw new Error(`The suite ended without results for ${name}.`);
  return results;
}

export interface Expected {
  readonly verdicts: readonly Verdict[];
  readonly why: string;
}

/** Returns undefined if the rule is not tested with this path form (prefixed or flat). */
export type Expectations = (rule: RuleId, form: PathForm) => Expected | undefined;

/** Verdicts that a busy machine can cause, for example by a database timeout. */
const UNTESTED_VERDICTS: readonly Verdict[] = ['not-testable', 'partly-tested', 'error'];
export const isUntestedVerdict = (verdict: Verdict): boolean => UNTESTED_VERDICTS.includes(verdict);

export function findUnexpectedVerdicts(server: string, results: Results, expected: Expectations): ProofFailure[] {
  const outside = [...results.errors, ...results.leftovers.map((leftover) => `left behind: ${leftover}`)];
  const wrong = results.rules.flatMap(({ id, cells }) =>
    (Object.entries(cells) as [PathForm, Cell][]).flatMap(([form, cell]): ProofFailure[] => {
      const rule = id as RuleId;
      const { verdicts, why } = expected(rule, form) ?? { verdicts: ['not-applicable'], why: 'the rule is not tested in this path form' };
      if (verdicts.includes(cell.verdict)) return [];
      const text = `(${form}) is ${cell.verdict}, expected ${verdicts.join(' or ')}: ${why}\n${formatDetails(cell)}`;
      return [{ server, rule, text, untested: isUntestedVerdict(cell.verdict) }];
    }),
  );
  return [...outside.map((text) => ({ server, text })), ...wrong];
}

function formatDetails({ verdict, reason, missing, checks }: Cell): string {
  const check = checks.find((each) => each.verdict === (verdict === 'partly-tested' ? 'not-testable' : verdict));
  const message = check?.failure?.message ?? check?.reason ?? reason ?? (missing.length > 0 ? `missing: ${missing.join(', ')}` : '');
  return check === undefined ? message : `${check.place} ${check.title}\n${message}`;
}
