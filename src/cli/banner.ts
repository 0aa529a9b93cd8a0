import type { Kit, KitSettings } from '../kit.ts';
import type { LoginMode } from '../oauth/server/context.ts';
import { readMeta, readWorldTokens } from '../store/meta.ts';

interface BannerFacts {
  readonly url: string;
  readonly authUrl: string;
  readonly login: LoginMode;
  /** Clients for a first login. A client without a secret needs a client_assertion. */
  readonly clients: readonly { readonly alias: string; readonly id: string; readonly secret?: string }[];
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
  const [firstCall, tokens, clients] = [await findFirstCall(kit), await kit.tokens(), await findClientsToTry(kit)];
  return { url, authUrl, login, control, firstCall, tokens, clients };
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

/** Returns up to two clients with the code grant: one has a secret, the other a public key. */
async function findClientsToTry({ store: { db } }: Kit): Promise<BannerFacts['clients']> {
  const rows = await db.selectFrom('clients').select(['alias', 'id', 'settings']).orderBy('alias').execute();
  const usable = rows
    .map(({ alias, id, settings }) => ({ alias, id, ...(JSON.parse(settings) as ClientSettings) }))
    .filter(({ redirectUris }) => redirectUris.length > 0);
  const withSecret = usable.find(({ secret, publicKey }) => secret !== undefined && publicKey === undefined);
  const withKey = usable.find(({ secret, publicKey }) => publicKey !== undefined && secret === undefined);
  return [withSecret, withKey].filter((client) => client !== undefined);
}

const LOGIN_DESCRIPTIONS: Readonly<Record<LoginMode, string>> = {
  page: 'on a page in the browser',
  auto: 'without a page; the world decides whether they are approved',
  deny: 'always denied',
};

export function formatBanner({ url, authUrl, login, clients, tokens, control, firstCall }: BannerFacts): string {
  const lines = [
    '',
    'Experience Provider Integration Service, local',
    '',
    `  API            ${url}`,
    `  contract       ${url}/openapi.json   ${url}/asyncapi.json`,
    ...(control ? [`  control API    ${url}/_control/info`] : []),
  ];
  lines.push(`  authorization  ${authUrl}   logins: ${LOGIN_DESCRIPTIONS[login]}`);
  for (const { alias, id, secret } of clients)
    lines.push(`  client_id      ${id}  ${alias}, with ${secret === undefined ? 'a client_assertion' : `the client_secret ${secret}`}`);
  const [first, ...others] = Object.keys(tokens);
  if (first !== undefined) {
    lines.push('', `  token          ${first}, the same each time this world is started:`, '', `export TOKEN=${tokens[first]}`, '');
    // `xpk token` requests the token from the control API.
    if (others.length > 0 && control) lines.push(`  more tokens    xpk token NAME: ${wrapNames(others)}`);
    if (firstCall !== undefined) lines.push('', `  a first call   curl "${url}${firstCall}" -H "authorization: Bearer $TOKEN"`);
  } else lines.push('', '  token          none. API requests need a token: add one to `tokens` in the world file.');
  lines.push('', 'Press Ctrl-C to stop.', '');
  return lines.join('\n');
}

function wrapNames(names: readonly string[]): string {
  const lines = [''];
  for (const name of names) {
    const line = lines.at(-1) as string;
    if (line.length + name.length > 80) lines.push(name);
    else lines[lines.length - 1] = line === '' ? name : `${line}, ${name}`;
  }
  return lines.join(`,\n${' '.repeat(17)}`);
}
