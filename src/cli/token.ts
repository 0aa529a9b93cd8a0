import { type Command, Option } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { callOperation } from '../control-client/call.ts';
import { type ControlFlags, createClient, createControlCommand, createWholeNumberParser, print } from './command.ts';
import { type ControlClient, getResponseData } from './control-client.ts';
import { UsageError } from './usage-error.ts';

type Schemas = components['schemas'];

const SCOPES: Readonly<Record<Schemas['Scope'], true>> = {
  'experience-connections:manage': true,
  'experience-assignments:manage': true,
  'experience-assignability:check': true,
  'users:manage': true,
  offline_access: true,
};

interface Flags extends ControlFlags {
  readonly client?: string;
  readonly principal?: string;
  readonly scope?: string[];
  readonly expiresIn?: number;
  readonly kind?: Schemas['TokenKind'];
}

export function createTokenCommand(): Command {
  return createControlCommand('token')
    .description('Prints an access token for a running kit: a ready-made token by name, or a new token with --client.')
    .argument('[name]', 'a ready-made token in the world, such as full')
    .option('--client <name>', 'create a token for this client (alias or id)')
    .option('--principal <name>', 'the principal that authorized the token (alias or id); default: no principal claim')
    .addOption(
      new Option('--scope <scopes...>', "the token's scopes, separated by spaces; default: all except offline_access").choices(
        Object.keys(SCOPES),
      ),
    )
    .addOption(new Option('--expires-in <seconds>', 'the lifetime, in kit time').argParser(createWholeNumberParser(1, 315_360_000)))
    .option('--kind <kind>', 'good, or deliberately invalid: expired, wrong-signature, alg-none, …')
    .addHelpText(
      'after',
      '\nExamples:\n  xpk token full\n  xpk token --client acme-web --principal manager --scope users:manage --expires-in 60\n  xpk token --client acme-web --kind expired',
    )
    .action(async (name: string | undefined, flags: Flags) =>
      print(flags, { accessToken: await getToken(name, flags) }, ({ accessToken }) => accessToken),
    );
}

async function getToken(name: string | undefined, flags: Flags): Promise<string> {
  const { client, principal, scope: scopes, expiresIn, kind } = flags;
  if (client === undefined) {
    if (principal ?? scopes ?? expiresIn ?? kind) throw new UsageError('A new token needs --client: xpk token --client acme-web …');
    return getReadyToken(createClient(flags), name);
  }
  if (name !== undefined) throw new UsageError(`Give the name of a ready-made token (${name}) or --client, not both.`);
  const values = { client, principal, scopes, expiresIn, kind };
  return (await getResponseData(callOperation(createClient(flags), 'mintToken', values))).accessToken;
}

async function getReadyToken(control: ControlClient, name: string | undefined): Promise<string> {
  const { tokens, upstream } = await getResponseData(control.GET('/_control/info'));
  if (upstream) throw new Error(`The address is that of a proxy in front of ${upstream.api}, which accepts only its own tokens.`);
  const names = Object.keys(tokens);
  const token = tokens[name ?? names[0] ?? ''];
  if (token !== undefined) return token;
  if (name === undefined) throw new Error('The world has no ready-made tokens. Create a token with --client.');
  throw new UsageError(`The world has no ready-made token "${name}". Its ready-made tokens are: ${names.join(', ') || 'none'}.`);
}
