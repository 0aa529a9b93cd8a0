import { Command, InvalidArgumentError, Option } from 'commander';
import { ALL_PROVOCATIONS } from '../../checks/client/provocations.ts';
import { createControlTokenOption, createDurationParser } from '../command.ts';
import { addReportOptions } from '../reports/options.ts';
import { addStartOptions } from '../start.ts';
import { UsageError } from '../usage-error.ts';
import type { CheckClientFlags } from './run-client.ts';

const HELP = `
COMMAND gets these environment variables:
  XPK_URL             the kit's base URL
  XPK_AUTH_URL        the URL of the kit's authorization server
  XPK_TOKEN           an access token with all scopes; XPK_TOKEN_<NAME>: each ready-made token of the world
  XPK_CLIENT_ID       an OAuth client of the world, with XPK_CLIENT_SECRET and XPK_REDIRECT_URI
  XPK_LOGIN_HINT      the phone number of a user who can log in

Exit status: COMMAND's exit status if it is not 0; 1 if the calls break a documented rule (see --fail-on, --strict), or if some calls could not be checked, or if COMMAND was ended by --time-limit; 2 if the
command line is not valid. Advice never fails a run.

Provocations (each happens once, except pages):
  state   a callback with a wrong state. A correct client rejects the callback, so a test that logs in must try again
  rate    a 429 for an assignability check, for the users list and for a user
  cursor  a 400 for a cursor of the users list
  expiry  a first access token that expires after one second, before the slow response to the first request arrives; and a 401 as if the
          token had expired, for the second request and for a request with a cursor
  outage  a 503 with Retry-After and a 503 without it, for the users list and for a user
  pages   lists whose first page is empty and whose other pages are half full, although their cursors are not null

Examples:
  xpk check client -- npm test                          starts a kit, runs the tests, checks their calls
  xpk check client --provoke rate expiry -- npm test    also with a 429 and an expired token
  xpk check client --fixtures ./our-world.yaml -- sh run-tests.sh
  xpk check client --url http://127.0.0.1:4010          checks the calls that a running kit has recorded
  xpk check client --url http://127.0.0.1:4010 --since 120
  xpk check client --har traffic.har                    checks the calls that a browser or gateway has recorded`;

export function createCheckClientCommand(): Command {
  const command = new Command('client')
    .description("Runs a client's tests against a new kit, and checks the calls against the rules for clients.")
    .argument('[command...]', 'the command that runs the tests, after --')
    .addOption(new Option('--url <url>', 'check the calls to this running kit, instead of running a command'))
    .option('--har <file>', 'check the calls in this HAR file of a browser, a test or a gateway, instead of running a command')
    .option('--base-url <url>', 'with --har: the base URL of the service, if not the one with most requests')
    .addOption(createControlTokenOption())
    .addOption(
      new Option(
        '--since <number|time>',
        'with --url: only calls after the journal entry with this number, or from this time on',
      ).argParser(parseSince),
    )
    .addOption(
      new Option(
        '--provoke [names...]',
        'make requests fail in the named ways, or without names in all ways, to test how the client reacts',
      ).choices(ALL_PROVOCATIONS),
    )
    .addOption(
      new Option('--time-limit <duration>', 'how long the command may take; after this time, it is ended, and the run fails')
        .default(30 * 60_000, '30m')
        .argParser(createDurationParser('1s', '1d')),
    )
    .option('--whole-lists', 'the client must read every list to the end; without this option, it may stop earlier')
    .option('--one-session', 'all calls belong to one session; without this option, each login may be a session of its own')
    .option('--redirect-uri <uri>', "the client's redirect URI, if it is not in the world");
  addStartOptions(command, { names: ['fixtures', 'scenario', 'decisions', 'set', 'login'], defaults: { login: 'auto' } });
  addReportOptions(command, 'client');
  return command.addHelpText('after', HELP).action(async (words: string[], flags: CheckClientFlags) => {
    if (flags.list) return (await import('../reports/rule-ids.ts')).listRules(flags, 'client');
    checkFlags(words, flags);
    const { checkClientCommand, checkHar, checkRunningKit } = await import('./run-client.ts');
    if (flags.har !== undefined) process.exitCode = await checkHar(flags.har, flags);
    else process.exitCode = flags.url === undefined ? await checkClientCommand(words, flags) : await checkRunningKit(flags.url, flags);
  });
}

function checkFlags(words: readonly string[], { url, har, baseUrl, since, provoke }: CheckClientFlags): void {
  if (har === undefined && baseUrl !== undefined) throw new UsageError('--base-url selects the service in a HAR file, so it needs --har.');
  if (har !== undefined) {
    if (words.length > 0 || [url, since, provoke].some((flag) => flag !== undefined))
      throw new UsageError('--har checks recorded calls. Omit the command, --url, --since and --provoke.');
    return;
  }
  if (url !== undefined && words.length > 0)
    throw new UsageError('--url checks the calls that a running kit has recorded. Omit --url to run a command against a new kit.');
  if (url === undefined && words.length === 0)
    throw new UsageError(
      'Give the command that runs the tests, as in: xpk check client -- npm test. Or give --url to check the calls to a running kit, or --har to check recorded calls.',
    );
  if (url === undefined && since !== undefined) throw new UsageError('--since selects calls to a running kit, so it needs --url.');
  if (url !== undefined && provoke !== undefined)
    throw new UsageError('--provoke requires a command instead of --url. To make requests to a running kit fail, use: xpk fault add.');
}

function parseSince(text: string): number | Date {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const time = new Date(text);
  if (/^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError('The value must be the number of a journal entry, such as 120, or a time, such as 2026-01-01T12:00:00Z.');
}
