import { Command, InvalidArgumentError, Option } from 'commander';
import { didYouMean } from '../contract/did-you-mean.ts';
import type { components } from '../contract/generated/control.ts';
import { controlClient } from './control-client.ts';
import { wholeNumber } from './control-options.ts';
import { DEFAULT_URL } from './kit-address.ts';
import { UsageError } from './usage-error.ts';

// A scope of the contract that is missing here does not compile.
const SCOPES: Readonly<Record<components['schemas']['Scope'], true>> = {
  'experience-connections:manage': true,
  'experience-assignments:manage': true,
  'experience-assignability:check': true,
  'users:manage': true,
  offline_access: true,
};

interface Flags {
  url: string;
  controlToken?: string;
  client?: string;
  principal?: string;
  scope?: string[];
  expiresIn?: number;
  kind?: components['schemas']['TokenKind'];
}

/** `xpk token`: an access token of a running kit, ready-made or minted to order. */
export function tokenCommand(): Command {
  return new Command('token')
    .description('Prints an access token of a running kit: a ready-made one by name, or one to order.')
    .argument('[name]', 'a ready-made token of the world, such as full')
    .addOption(new Option('--url <url>', 'where the kit runs').env('XPK_URL').default(DEFAULT_URL))
    .addOption(new Option('--control-token <secret>', 'the control token the kit was started with').env('XPK_CONTROL_TOKEN'))
    .option('--client <name>', 'mint a token of this client (alias or id)')
    .option('--principal <name>', 'authorized by this principal (alias or id); without it the token has no principal claim')
    .addOption(
      new Option('--scope <scopes...>', 'with these scopes, with spaces between them; without it with all but offline_access').argParser(
        knownScope,
      ),
    )
    .addOption(new Option('--expires-in <seconds>', 'for so long, in kit time').argParser(wholeNumber(1, 315_360_000)))
    .option('--kind <kind>', 'good, or broken on purpose: expired, wrong-signature, alg-none, …')
    .addHelpText(
      'after',
      '\nExamples:\n  xpk token full\n  xpk token --client acme-web --principal manager --scope users:manage --expires-in 60\n  xpk token --client acme-web --kind expired',
    )
    .action(async (name: string | undefined, flags: Flags) => {
      const control = controlClient(flags.url, flags.controlToken);
      const { client, principal, scope, expiresIn, kind } = flags;
      if (client !== undefined) console.log(await minted(control, name, { ...flags, client }));
      else if (principal ?? scope ?? expiresIn ?? kind)
        throw new UsageError('A token to order needs --client: xpk token --client acme-web …');
      else console.log(await readyMade(control, name));
    });
}

type Control = ReturnType<typeof controlClient>;

async function readyMade(control: Control, name: string | undefined): Promise<string> {
  const { tokens } = await control.get<components['schemas']['Info']>('/info');
  const names = Object.keys(tokens);
  const token = tokens[name ?? names[0] ?? ''];
  if (token !== undefined) return token;
  if (name === undefined) throw new Error('The world has no ready-made tokens: mint one with --client.');
  throw new UsageError(`The world has no ready-made token "${name}"; it has ${names.join(', ') || 'none'}.`);
}

async function minted(
  control: Control,
  name: string | undefined,
  { client, principal, scope, expiresIn, kind }: Flags & { client: string },
): Promise<string> {
  if (name !== undefined) throw new UsageError(`Give the name of a ready-made token (${name}) or --client, not both.`);
  const request = { client, principal, scopes: scope, expiresIn, kind };
  return (await control.post<components['schemas']['MintedToken']>('/tokens', request)).accessToken;
}

function knownScope(text: string, before: string[] = []): string[] {
  const known = Object.keys(SCOPES);
  if (known.includes(text)) return [...before, text];
  const parts = text.split(',').filter((part) => part !== '');
  if (text.includes(',')) throw new InvalidArgumentError(`Scopes have spaces between them, no commas: --scope ${parts.join(' ')}`);
  throw new InvalidArgumentError(`There is no scope "${text}".${didYouMean(text, known) || ` There are: ${known.join(', ')}.`}`);
}
