import { Command, Option } from 'commander';
import { createControlTokenOption, createDurationParser, createWholeNumberParser } from '../command.ts';
import { addReportOptions } from '../reports/options.ts';
import { addSequenceOptions } from '../reports/sequence-options.ts';
import { UsageError } from '../usage-error.ts';
import type { WebhookFlags } from './run-webhook.ts';

const HELP = `
The check changes a kit's world, and delivers the events to your endpoint: in order, out of order, repeatedly, concurrently, and in other JSON
forms that the specification permits. With --state-url, the check compares your consumer's state with the world in each scenario. The state is
JSON, and every member is optional (the package exports its schema as experience-provider-kit/consumer-state.schema.json):

  {"connections": {"<connectionId>": {"state": "ACTIVE"}}, "assignments": {"<assignmentId>": {}},
   "users": {"<accountId>": ["<userId>"]}, "total": 1, "applied": {"<webhook-id>": 1}}

Exit status:
  0  no rule failed that decides (see --fail-on, --strict)
  1  a documented rule failed, or any rule that shows a wrong final state or a lost event, or the check itself failed
  2  the command line is invalid, no server responds at the URL, or the consumer's state does not match the schema
  3  no such rule failed, but a fault of the consumer or the time limit left more than half of the rules untested

Examples:
  xpk check webhook http://127.0.0.1:3000/events                               checks only the endpoint's responses
  xpk check webhook http://127.0.0.1:3000/events --state-url http://127.0.0.1:3000/state
  xpk check webhook … --state-url … --kit-port 4010                            a consumer that calls the API at port 4010
  xpk check webhook … --state-url … --restart './restart.sh' --lose-store http://127.0.0.1:3000/reset
  xpk check webhook … --set events.delivery.signature=standard-webhooks --secret whsec_…
  xpk check webhook … --rule events.consumer.deduplicates                      one rule
  xpk check webhook --journal http://127.0.0.1:4020                            judges the answers to the deliveries that passed a proxy`;

export function createWebhookCommand(): Command {
  const command = new Command('webhook')
    .description("Tests which of the specification's rules your webhook endpoint follows.")
    .argument('[url]', 'the endpoint that receives events')
    .option('--state-url <url>', "a URL that returns your consumer's state as JSON")
    .option('--state-command <command>', 'instead of --state-url: a command that prints the state')
    .option('--restart <command>', 'a command that restarts your consumer and then ends')
    .option('--lose-store <command or url>', 'how to make your consumer lose and rebuild its store: a command to run, or a URL to POST to')
    .addOption(
      new Option('--settle <duration>', 'how long your consumer may take to process an event that it has acknowledged')
        .default(5000, '5s')
        .argParser(createDurationParser('1ms', '10m')),
    )
    .addOption(
      new Option('--answer-within <duration>', 'how long your endpoint may take to respond')
        .default(15_000, '15s')
        .argParser(createDurationParser('1ms', '10m')),
    )
    .addOption(
      new Option('--time-limit <duration>', 'how long the check may take; it leaves out what does not fit')
        .default(120_000, '2m')
        .argParser(createDurationParser('1s', '1d')),
    )
    .option('--strict-endpoint', 'also test that the URL uses https and port 443, and that its certificate is valid')
    .addOption(
      new Option(
        '--kit-port <number>',
        'the port of the kit that the check starts, so that your consumer can call its API; default: a free port',
      )
        .env('XPK_KIT_PORT')
        .argParser(createWholeNumberParser(0, 65535)),
    )
    .addOption(
      new Option('--random <count>', 'how many random sequences to run after the fixed scenarios')
        .default(20)
        .argParser(createWholeNumberParser(0, 10_000)),
    )
    .option('--set <id=value...>', 'set decisions of the kit that the check starts, such as events.delivery.signature=standard-webhooks')
    .option('--secret <secret>', 'the secret that signs the deliveries, if they are signed; default: printed, the same in every run')
    .option('--url <url>', 'use this running kit instead of starting one; the check changes its world')
    .option(
      '--journal <url>',
      'send nothing, and judge the answers in the journal of this proxy, which forwards deliveries to your endpoint',
    )
    .addOption(createControlTokenOption())
    .option('--provider <name>', 'the provider that owns the endpoint (alias or id); default: the first provider in the world');
  return addReportOptions(addSequenceOptions(command), 'webhook')
    .addHelpText('after', HELP)
    .action(async (url: string | undefined, flags: WebhookFlags, called: Command) => {
      if (flags.list) return (await import('../reports/rule-ids.ts')).listRules(flags, 'webhook');
      if (flags.journal !== undefined) {
        if (url !== undefined) throw new UsageError('--journal sends nothing to the endpoint, so omit its URL.');
        process.exitCode = await (await import('./journaled-deliveries.ts')).judgeJournaledDeliveries(flags.journal, flags);
        return;
      }
      if (url === undefined) throw new UsageError('Give the URL of your endpoint, as in: xpk check webhook http://127.0.0.1:3000/events');
      const { runWebhookCheck } = await import('./run-webhook.ts');
      process.exitCode = await runWebhookCheck(url, flags, listGivenOptions(called));
    });
}

/** The selection of rules and sequences differs in the commands that repeat failures, and a token is secret. */
const UNREPEATED_OPTIONS = ['rule', 'failed', 'random', 'seed', 'path', 'controlToken', 'config', 'json'];

/** Returns the options that are not defaults, as words of a command line. */
function listGivenOptions(command: Command): string[] {
  return command.options.flatMap((option) => {
    const name = option.attributeName();
    const value: unknown = command.getOptionValue(name);
    const source = command.getOptionValueSource(name);
    if (value === undefined || source === 'default' || UNREPEATED_OPTIONS.includes(name)) return [];
    if (value === true) return [option.long!];
    // A duration is kept in milliseconds.
    const texts = [value].flat().map((each) => (option.flags.includes('<duration>') ? `${each}ms` : String(each)));
    return [option.long!, ...texts];
  });
}
