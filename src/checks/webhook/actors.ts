import { type ControlClient, dataOf } from '../../sdk/control.ts';
import { UsageError } from '../../sdk/errors.ts';

/** An account in which the check makes changes. */
export interface Account {
  readonly alias: string;
  readonly id: string;
  readonly name: string;
  /** The telephone numbers of the account. */
  readonly numbers: readonly string[];
  /** A user of the account; undefined if it has none. */
  readonly user: string | undefined;
}

export interface Actors {
  /** The alias of the provider whose endpoint is checked. */
  readonly provider: string;
  /** The accounts that the provider's principal can read, those with the fewest users first. */
  readonly accounts: readonly Account[];
  /** An access token with which the check reads the users of the accounts. */
  readonly token: string;
}

interface Listed {
  readonly alias: string;
  readonly id: string;
}

/** Chooses the provider, the accounts and the token for a check from the world of a kit. @throws UsageError if the world has none */
export async function chooseActors(control: ControlClient, requested: string | undefined): Promise<Actors> {
  async function list<Entity extends object>(
    collection: 'clients' | 'principals' | 'accounts' | 'users' | 'telephoneNumbers' | 'providers',
  ) {
    const entities = await dataOf(control.GET('/_control/state/{collection}', { params: { path: { collection } } }));
    return Object.entries(entities as Record<string, Entity>).map(([alias, entity]) => ({ alias, ...entity }));
  }
  const providers = await list<Listed>('providers');
  const clients = await list<Listed & { provider: string }>('clients');
  const provider =
    requested === undefined
      ? providers.find(({ alias }) => clients.some((client) => client.provider === alias))
      : providers.find(({ alias, id }) => alias === requested || id === requested);
  if (provider === undefined)
    throw new UsageError(
      `The world of the kit has no ${requested === undefined ? 'provider with an OAuth client' : `provider ${requested}`}.`,
    );
  const client = clients.find((each) => each.provider === provider.alias);
  if (client === undefined) throw new UsageError(`The provider ${provider.alias} has no OAuth client in the world of the kit.`);
  const readable = (principal: { accounts?: Record<string, string> }) =>
    Object.entries(principal.accounts ?? {})
      .filter(([, level]) => level !== 'none')
      .map(([account]) => account);
  const principals = await list<Listed & { accounts?: Record<string, string> }>('principals');
  const [principal] = principals.toSorted((a, b) => readable(b).length - readable(a).length);
  if (principal === undefined || readable(principal).length === 0)
    throw new UsageError('The world of the kit has no principal that can read an account.');
  const users = Map.groupBy(await list<Listed & { account: string }>('users'), ({ account }) => account);
  const numbers = Map.groupBy(await list<{ account: string }>('telephoneNumbers'), ({ account }) => account);
  const accounts = (await list<Listed & { name: string }>('accounts'))
    .filter(({ alias }) => readable(principal).includes(alias))
    .map(({ alias, id, name }) => ({
      alias,
      id,
      name,
      numbers: (numbers.get(alias) ?? []).map((number) => number.alias),
      user: users.get(alias)?.[0]?.alias,
    }))
    .toSorted((a, b) => (users.get(a.alias)?.length ?? 0) - (users.get(b.alias)?.length ?? 0));
  const { accessToken } = await dataOf(control.POST('/_control/tokens', { body: { client: client.alias, principal: principal.alias } }));
  return { provider: provider.alias, accounts, token: accessToken };
}
