import type { Command } from 'commander';
import type { CheckName } from '../../checks/rules.ts';

export interface ReportFlags {
  readonly rule?: readonly string[];
  /** The results.json of an earlier run. */
  readonly failed?: string;
  readonly list?: boolean;
  readonly strict?: boolean;
  /** The rules whose failure makes the run fail: `documented` for the documented rules, `implied` for all rules, or rule ids. */
  readonly failOn?: readonly string[];
  readonly reportDir: string;
  readonly baseline?: string;
  /** The name of a frozen set of rules. */
  readonly requirements?: string;
  readonly json?: boolean;
  /** Default: true for the check of an integration, which has few rules. */
  readonly verbose?: boolean;
}

/** @param check the integration check; undefined for the conformance suite */
export function addReportOptions(command: Command, check?: CheckName): Command {
  const example = check === 'webhook' ? 'events.endpoint.*' : check === 'client' ? 'client.*' : 'users.list.* or *.scope';
  const entry = check === undefined ? '{rule, form?, reason}' : '{rule, reason}';
  return command
    .option('--rule <ids...>', `only these rules; * stands for any characters, such as in ${example}; ! before an id excludes rules`)
    .option('--failed <file>', 'only the rules that failed, were flaky or ended in an error in the run with this results.json')
    .option('--list', 'list the rules without testing them')
    .option('--strict', 'also fail on implied rules, and on rules that were not tested in full')
    .option(
      '--fail-on <rules...>',
      `the rules whose failure makes the command exit with 1: documented (${check === 'webhook' ? 'with the rules about the final state, this is the default' : 'default'}), implied (documented and implied rules), or ids as in --rule`,
    )
    .option(
      '--requirements <name>',
      'the frozen rules that decide the exit status, such as 2026-11; newer rules are tested and reported, but not scored',
    )
    .option('--report-dir <folder>', 'the folder for the reports', check === undefined ? 'conformance-report' : `${check}-report`)
    .option('--baseline <file>', `a YAML list of known failures, each ${entry}: ignores them, but fails the run if a listed rule passes`)
    .option('--json', 'print the results as JSON instead of the summary');
}
