import { Command, InvalidArgumentError, Option } from 'commander';
import { createDurationParser } from './command.ts';
import type { ProxyFlags } from './proxy/run.ts';
import { addStartOptions } from './start.ts';
import { UsageError } from './usage-error.ts';

const HELP = `
COMMAND gets these environment variables:
  XPK_URL             the proxy's base URL
  XPK_AUTH_URL        with --auth-to: the URL of the authorization server at the proxy
  XPK_CONTROL_TOKEN   the control token, if the proxy requires one
It keeps XPK_TOKEN, XPK_TOKEN_<NAME>, XPK_CLIENT_ID, XPK_CLIENT_SECRET, XPK_REDIRECT_URI and XPK_LOGIN_HINT: the target knows only its own credentials.

Exit status: with COMMAND, COMMAND's exit status if it is not 0; 1 if the service, the client or the endpoint broke a documented rule, or if no request passed; without COMMAND, as for xpk start.

Examples:
  xpk proxy --to https://staging.example.com
  xpk proxy --to https://staging.example.com --auth-to https://login.staging.example.com
  xpk proxy --to https://staging.example.com -- npm test
  xpk proxy --to https://staging.example.com --twin
  xpk proxy --to https://staging.example.com --record our-staging.yaml --write-decisions our-decisions.yaml
  xpk proxy --to https://staging.example.com --events http://127.0.0.1:3000/events --public-url https://our-tunnel.example.com`;

export function createProxyCommand(): Command {
  const command = new Command('proxy')
    .description('Starts a proxy in front of a real service, which records every request as a kit does.')
    .argument('[command...]', 'a command to run while the proxy runs, and its arguments, after --')
    .passThroughOptions()
    .option('--to <url>', 'the base URL of the real service, to which API requests are forwarded')
    .option('--auth-to <url>', 'the base URL of the real authorization server, to which requests to /auth are forwarded')
    .addOption(
      new Option(
        '--events <urls...>',
        'a local endpoint for deliveries to /hooks/events; NAME=URL for deliveries to /hooks/NAME',
      ).argParser(parseEvents),
    )
    .addOption(
      new Option('--timeout <duration>', 'how long a target may take to respond, and between the parts of its response')
        .default(30_000, '30s')
        .argParser(createDurationParser('1ms', '10m')),
    )
    .option('--insecure', 'accept every TLS certificate of a target; NODE_EXTRA_CA_CERTS=<file> adds an authority instead')
    .option('--fault-writes', 'let faults (xpk fault add) also affect requests that change something')
    .option(
      '--record <file>',
      'when the proxy stops, write a world file with which a kit answers as the service did; names, numbers and ids are replaced',
    )
    .option('--keep-names', 'with --record: keep the real names, telephone numbers and ids')
    .option('--twin', 'print, as it happens, which rules the service breaks, what somebody else has changed, and decisions')
    .option('--write-decisions <file>', 'when the proxy stops, write the observed decisions to a file for xpk start --decisions')
    .option(
      '--report-dir <folder>',
      'with COMMAND: the folder for the reports about the service, the client and the endpoint',
      'proxy-report',
    );
  addStartOptions(command, {
    names: ['port', 'host', 'allow-host', 'allow-origin', 'public-url', 'reports', 'control-token', 'log-level'],
    defaults: { port: 4020 },
  });
  return command
    .option('--verbose', 'with COMMAND: also list the rules that passed')
    .option('--json', 'print one line of JSON instead of the banner, or instead of the summary')
    .addHelpText('after', HELP)
    .action(async (words: string[], flags: ProxyFlags) => {
      if (flags.to === undefined)
        throw new UsageError('Give the URL of the real service, as in: xpk proxy --to https://staging.example.com');
      if (flags.keepNames && flags.record === undefined) throw new UsageError('--keep-names is about the file of --record. Add --record.');
      const { startProxy, runWithProxy } = await import('./proxy/run.ts');
      if (words.length === 0) return startProxy(flags);
      // Several runs on one machine must not need the same port.
      const isDefault = command.getOptionValueSource('port') === 'default';
      process.exitCode = await runWithProxy(words, { ...flags, ...(isDefault && { port: 0 }) });
    });
}

function parseEvents(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, name = 'events', url = text] = /^([^=:/]+)=(.*)$/s.exec(text) ?? [];
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`There are two endpoints for /hooks/${name}. Give one a name: NAME=URL.`);
  return { ...before, [name]: url };
}
