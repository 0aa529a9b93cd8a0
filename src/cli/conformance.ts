import { Command, Option } from 'commander';
import type { PathForm } from '../contract/generated/operations.ts';
import { createDurationParser, createJsonOption, createWholeNumberParser, print } from './command.ts';
import type { TrafficFlags } from './conformance/judge-traffic.ts';
import type { RunFlags } from './conformance/run.ts';
import { addReportOptions } from './reports/options.ts';
import { addSequenceOptions } from './reports/sequence-options.ts';

const PATH_FORMS: Readonly<Record<PathForm, true>> = { prefixed: true, flat: true };

const EXAMPLES = `
Exit status:
  0  no documented rule failed (see --fail-on, --strict)
  1  a documented rule failed, or the suite itself failed
  2  the command line or a file that it names is invalid, the server refuses a token, or a hook fails

A server with neither a profile nor a control API is tested with the access token in the environment variable XPK_TOKEN. The token must have all
four scopes and the principal claim. With this token alone, the suite can test some rules; the report lists what the other rules require.

Examples:
  xpk conformance                                        starts a kit and tests it
  xpk conformance --base-url http://127.0.0.1:4010       tests a running kit, through its control API
  XPK_TOKEN=… xpk conformance --base-url https://…       tests any other server, with one token
  xpk conformance init staging.yaml                      writes a commented profile, then
  xpk conformance --profile staging.yaml                 tests the server that it describes
  xpk conformance --rule 'users.list.*' --form flat      tests some rules, with one path form
  xpk conformance --rule '!limits.*' '!events.endpoint.*' tests all rules except these slow rules
  xpk conformance --failed my/results.json               tests only the rules that failed in that run
  xpk conformance --verify 3                             tests three times: a rule that passes only sometimes is flaky
  xpk conformance --requirements 2026-11                 rules that are newer than this set do not fail the run
  xpk conformance requirements diff                      prints which rules changed since the newest set
  xpk conformance diff before/results.json results.json  prints what changed
  xpk conformance matrix results/*.json                  writes a page that shows which version broke what
  xpk conformance --har traffic.har                      judges the responses that a browser or gateway has recorded
  xpk conformance --journal http://127.0.0.1:4020        judges the responses in the journal of a kit or proxy`;

export function createConformanceCommand(): Command {
  const command = new Command('conformance')
    .description('Tests which rules a server follows: a new kit, a running kit, or any server that a profile describes.')
    // `--json` after `diff` or `init` is an option of the subcommand.
    .enablePositionalOptions()
    .addOption(
      new Option('--base-url <url>', 'the server to test; with --har: the service, if not the one with most requests').env(
        'XPK_CONFORMANCE_BASE_URL',
      ),
    )
    .addOption(
      new Option('--profile <file>', 'describes the server: tokens, ids, permitted changes (see xpk conformance init)').env(
        'XPK_CONFORMANCE_PROFILE',
      ),
    )
    .addOption(new Option('--control-token <secret>', "the kit's control token").env('XPK_CONTROL_TOKEN'))
    .addOption(
      new Option(
        '--receiver <url>',
        'the URL at which a kit on another machine reaches this machine, such as http://192.0.2.7:9000; the suite listens on the port in the URL',
      ).env('XPK_CONFORMANCE_RECEIVER'),
    )
    .addOption(new Option('--form <form>', 'test only this path form').choices(Object.keys(PATH_FORMS)))
    .option('--no-own-world', "test a kit's first world, instead of a new world that ends with the run")
    .option('--interactive', 'ask the person at the terminal to log in if the authorization server requires it (profile: authorization)')
    .option('--har <file>', 'send nothing, and judge the responses in this HAR file of a browser, a test or a gateway')
    .option('--journal <url>', 'send nothing, and judge the responses in the journal of this kit or proxy')
    .option('--write-decisions <file>', 'write the observed decisions to a file for xpk start --decisions')
    .addOption(
      new Option(
        '--explore <duration>',
        'how long to run random sequences after the other checks; 0s omits them; default: 20s, or 2s for a kit',
      ).argParser(createDurationParser('0s', '1d')),
    )
    .addOption(
      new Option(
        '--verify <runs>',
        'run the suite this often, with new data and in a random order: a rule that does not always pass is flaky',
      ).argParser(createWholeNumberParser(2, 100)),
    )
    .option('--target-version <text>', 'the version of the server, for the reports and for xpk conformance matrix')
    .option('--verbose', 'print a line for each rule, even if there are many')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: RunFlags & TrafficFlags) => {
      if (flags.list) return (await import('./reports/rule-ids.ts')).listRules(flags);
      if (flags.har !== undefined || flags.journal !== undefined) {
        process.exitCode = await (await import('./conformance/judge-traffic.ts')).judgeTraffic(flags);
        return;
      }
      (await import('./conformance/required-playwright.ts')).requirePlaywright();
      // Imported only when needed, so that other commands start faster.
      const { runConformance } = await import('./conformance/run.ts');
      process.exitCode = await runConformance(flags);
    });
  const init = new Command('init')
    .description('Writes a commented target profile.')
    .argument('[file]', 'the file to write', 'conformance.yaml')
    .addOption(createJsonOption())
    .addHelpText('after', '\nExamples:\n  xpk conformance init\n  xpk conformance init staging.yaml')
    .action(async (file: string, flags: { json?: boolean }) => {
      await (await import('./conformance/init.ts')).writeProfile(file);
      print(flags, { file }, () => `Wrote ${file}. Fill it in, then run: xpk conformance --profile ${file}`);
    });
  const diff = new Command('diff')
    .description('Prints the differences between two results.json files. Exits with 1 if the verdict on a rule got worse.')
    .argument('<before>', 'the results.json of the older run')
    .argument('<after>', 'the results.json of the newer run')
    .addOption(createJsonOption())
    .addHelpText('after', '\nExample:\n  xpk conformance diff before/results.json conformance-report/results.json')
    .action(async (before: string, after: string, flags: { json?: boolean }) => {
      const { compareResults } = await import('./conformance/compare.ts');
      process.exitCode = await compareResults(before, after, flags);
    });
  const changes = new Command('diff')
    .description('Prints which rules were added, removed or changed between two frozen sets of rules, and why.')
    .argument('[older]', 'the name of a frozen set; default: the newest')
    .argument('[newer]', 'the name of a frozen set; default: the rules of this version of xpk')
    .addOption(createJsonOption())
    .addHelpText('after', '\nExamples:\n  xpk conformance requirements diff\n  xpk conformance requirements diff 2026-11')
    .action(async (older: string | undefined, newer: string | undefined, flags: { json?: boolean }) =>
      (await import('./conformance/requirements.ts')).printRequirementChanges(older, newer, flags),
    );
  const requirements = new Command('requirements')
    .description('The frozen sets of rules for --requirements.')
    .addCommand(changes)
    .addHelpText('after', '\nExample:\n  xpk conformance requirements diff');
  const matrix = new Command('matrix')
    .description('Writes a page and SVG badges about several results.json files: which version of a server broke which rules.')
    .argument('<results...>', 'the results.json files, in any order')
    .option('--output <folder>', 'the folder for the page and the badges', 'conformance-matrix')
    .addOption(createJsonOption())
    .addHelpText('after', '\nExample:\n  xpk conformance matrix results/*.json --output public')
    .action(async (results: string[], flags: { output: string; json?: boolean }) =>
      (await import('./conformance/matrix.ts')).writeMatrix(results, flags),
    );
  return addReportOptions(addSequenceOptions(command)).addCommand(init).addCommand(diff).addCommand(requirements).addCommand(matrix);
}
