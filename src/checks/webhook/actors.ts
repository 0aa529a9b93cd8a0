import { callOperation } from '../../control-client/call.ts';
import { type ControlClient, getResponseData } from '../../control-client/client.ts';
import { UsageError } from '../../control-client/errors.ts';

export interface Account {
  readonly alias: string;
  readonly id: string;
  readonly name: string;
  /** A user's alias. Undefined if the account has no users. */
  readonly user: string | undefined;
}

export interface Actors {
  /** The alias of the provider that owns the endpoint. */
  readonly provider: string;
  /** The accounts that the principal of `token` can read, fewest users first. */
  readonly accounts: readonly Account[];
  /** An access token to read the accounts' users. */
  readonly token: string;
}

interface NamedEntity {
  readonly alias: string;
  readonly id: string;
}

/** Chooses the provider, the accounts and the token for a check. @throws UsageError if the world lacks one of them */
export async function chooseActors(control: ControlClient, requested: string | undefined): Promise<Actors> {
  async function listEntities<Entity extends object>(collection: 'clients' | 'principals' | 'accounts' | 'users' | 'providers') {
    const entities = await getResponseData(callOperation(control, 'listCollection', { collection }));
    return Object.entries(entities as Record<string, Entity>).map(([alias, entity]) => ({ alias, ...entity }));
  }
  const providers = await listEntities<NamedEntity>('providers');
  const clients = await listEntities<NamedEntity & { provider: string }>('clients');
  const provider = providers.find(({ alias, id }) =>
    requested === undefined ? clients.some((client) => client.provider === alias) : [alias, id].includes(requested),
  );
  if (provider === undefined)
    throw new UsageError(`The kit's world has no ${requested === undefined ? 'provider with an OAuth client' : `provider ${requested}`}.`);
  const client = clients.find((each) => each.provider === provider.alias);
  if (client === undefined) throw new UsageError(`The provider ${provider.alias} has no OAuth client in the kit's world.`);
  const listReadableAccounts = (principal: { accounts?: Record<string, string> }) =>
    Object.entries(principal.accounts ?? {})
      .filter(([, level]) => level !== 'none')
      .map(([account]) => account);
  const principals = await listEntities<NamedEntity & { accounts?: Record<string, string> }>('principals');
  const [principal] = principals.toSorted((a, b) => listReadableAccounts(b).length - listReadableAccounts(a).length);
  if (principal === undefined || listReadableAccounts(principal).length === 0)
    throw new UsageError("The kit's world has no principal that can read an account.");
  const users = Map.groupBy(await listEntities<NamedEntity & { account: string }>('users'), ({ account }) => account);
  const accounts = (await listEntities<NamedEntity & { name: string }>('accounts'))
    .filter(({ alias }) => listReadableAccounts(principal).includes(alias))
    .map(({ alias, id, name }) => ({ alias, id, name, user: users.get(alias)?.[0]?.alias }))
    .toSorted((a, b) => (users.get(a.alias)?.length ?? 0) - (users.get(b.alias)?.length ?? 0));
  const values = { client: client.alias, principal: principal.alias };
  const { accessToken } = await getResponseData(callOperation(control, 'mintToken', values));
  return { provider: provider.alias, accounts, token: accessToken };
}
