import { formatPlural } from '../contract/format-plural.ts';
import type { Kit, KitSettings } from '../kit.ts';
import type { LoginMode } from '../oauth/server/context.ts';
import { colourText } from '../report/printable.ts';
import { readMeta, readWorldTokens } from '../store/meta.ts';

interface BannerFacts {
  readonly url: string;
  readonly authUrl: string;
  readonly login: LoginMode;
  /** A client for a first login. Without a secret, it needs a client_assertion. */
  readonly client: { readonly alias: string; readonly id: string; readonly secret?: string } | undefined;
  readonly tokens: Readonly<Record<string, string>>;
  readonly control: boolean;
  /** The path of a request that succeeds with the first token. */
  readonly firstCall: string | undefined;
}

interface ClientSettings {
  readonly secret?: string;
  readonly publicKey?: unknown;
  readonly redirectUris: readonly string[];
}

export async function collectBannerFacts(
  kit: Kit,
  { control = true, login = 'page' }: Pick<KitSettings, 'control' | 'login'>,
): Promise<BannerFacts> {
  const { url, authUrl } = kit;
  const [firstCall, tokens, client] = [await findFirstCall(kit), await kit.tokens(), await findClientToTry(kit)];
  return { url, authUrl, login, control, firstCall, tokens, client };
}

/** Returns the list of an account's connections, or undefined if the first token may not read any. */
async function findFirstCall({ store: { db } }: Kit): Promise<string | undefined> {
  const [token] = Object.values(await readWorldTokens(db, await readMeta(db)));
  if (!token?.scopes.includes('experience-connections:manage')) return undefined;
  const { principalId } = token;
  let accounts = db.selectFrom('accounts').select('id').orderBy('alias');
  // Without a principal, a token may read every account.
  if (principalId !== undefined)
    accounts = accounts.where('id', 'in', db.selectFrom('account_grants').select('account_id').where('principal_id', '=', principalId));
  const account = await accounts.limit(1).executeTakeFirst();
  return account && `/experience/connections?accountId=${account.id}`;
}

/** Returns a client with the code grant, if possible with a secret. */
async function findClientToTry({ store: { db } }: Kit): Promise<BannerFacts['client']> {
  const rows = await db.selectFrom('clients').select(['alias', 'id', 'settings']).orderBy('alias').execute();
  const usable = rows
    .map(({ alias, id, settings }) => ({ alias, id, ...(JSON.parse(settings) as ClientSettings) }))
    .filter(({ redirectUris }) => redirectUris.length > 0);
  return usable.find(({ secret }) => secret !== undefined) ?? usable.find(({ publicKey }) => publicKey !== undefined);
}

const LOGIN_NOTES: Readonly<Record<LoginMode, string>> = {
  page: '',
  auto: 'logins need no page; the world decides whether they are approved',
  deny: 'logins are always denied',
};

const DEFAULT_URL = 'http://127.0.0.1:4010';

/** Returns one line for each thing that a newcomer needs: the console first, and a request that works last. */
export function formatBanner({ url, authUrl, login, client, tokens, control, firstCall }: BannerFacts): string {
  const [name, ...others] = Object.keys(tokens);
  const command = `npx xpk token ${name}${url === DEFAULT_URL ? '' : ` --url ${url}`}`;
  // `xpk token` requests the token from the control API.
  const isCommand = name !== undefined && control;
  const lines = [
    ...(control ? [formatLine('Console', `${url}/_console`, 'shows requests, events and the world; Ctrl-C stops the kit')] : []),
    formatLine('API', url, 'the mock service; its contract: /openapi.json, /asyncapi.json'),
    formatLine('Login', authUrl, ['OAuth 2.0 server', client && describeClient(client), LOGIN_NOTES[login]].filter(Boolean).join('; ')),
    name === undefined
      ? formatLine('Token', 'none', 'API requests need a token: add one to `tokens` in the world file')
      : formatLine('Token', isCommand ? command : tokens[name]!, isCommand ? describeTokens(name, others.length) : ''),
  ];
  if (name !== undefined && firstCall !== undefined) {
    const bearer = isCommand ? `$(${command})` : '<the token>';
    lines.push(formatLine('Try', `curl "${url}${firstCall}" -H "authorization: Bearer ${bearer}"`));
  }
  return ['', ...lines, ''].join('\n');
}

export const formatLine = (label: string, value: string, note = ''): string =>
  `  ${colourText('bold', label.padEnd(7))}  ${colourText('cyan', value)}${note === '' ? '' : `  ${colourText('dim', note)}`}`;

const describeClient = ({ alias, id, secret }: NonNullable<BannerFacts['client']>): string =>
  `client ${alias}: client_id ${id}, ${secret === undefined ? 'a client_assertion' : `client_secret ${secret}`}`;

const describeTokens = (name: string, others: number): string =>
  `prints the token "${name}"${others === 0 ? '' : `; ${formatPlural(others, 'other token')}: see the console`}`;
