import type { CheckName } from '../../checks/rules.ts';
import type { RuleId } from '../../contract/generated/rules.ts';
import { parseResults } from '../../report/read-results.ts';
import { hasFailed } from '../../report/totals.ts';
import { readText } from '../../world/source.ts';
import { UsageError } from '../usage-error.ts';
import { listTestedRules } from './rule-ids.ts';

/**
 * Returns the rules that failed, were flaky or ended in an error.
 * @throws UsageError if there are none
 */
export async function readFailedRules(path: string, check?: CheckName): Promise<RuleId[]> {
  const { rules } = parseResults(await readText(path), path);
  const failed = rules.filter(hasFailed);
  if (failed.length === 0) throw new UsageError(`--failed ${path}: No rule failed in this run, so there is nothing to test again.`);
  const known = listTestedRules(check).filter(({ id }) => failed.some((rule) => rule.id === id));
  if (known.length === 0)
    throw new UsageError(
      `--failed ${path}: ${check === undefined ? 'The suite' : 'This check'} has none of the failed rules. Give the results of the same command.`,
    );
  return known.map(({ id }) => id);
}
