import { call, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { info } from '../../kit/state.ts';
import { Action, ButtonLink } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/code.tsx';
import { buildHref, EmptyNote, LoadedSection } from '../../ui/page.tsx';
import { type Column, Table, withNote } from '../../ui/table.tsx';

type Client = Schemas['Client'] & { readonly id: string; readonly alias: string };

const MAX_CLIENTS_SHOWN = 20;

const COLUMNS: readonly Column<Client>[] = [
  { name: 'Client', class: 'one-line', cell: ({ name, alias }) => withNote(name ?? alias, alias) },
  { name: 'client_id', class: 'one-line', cell: ({ id, alias }) => <CopyLine text={id} label={`client_id of ${alias}`} /> },
  {
    name: 'Authenticates with',
    class: 'one-line',
    cell: ({ secret, publicKey, alias }) =>
      withNote(
        secret && <CopyLine text={secret} label={`secret of ${alias}`} />,
        publicKey !== undefined && 'private key (client_assertion)',
      ),
  },
  {
    name: 'Redirect URIs',
    class: 'one-line',
    cell: ({ redirectUris: uris = [] }) =>
      withNote(<span title={uris.join('\n')}>{uris[0] ?? 'none'}</span>, uris.length > 1 && `and ${uris.length - 1} more`),
  },
];

export function Clients() {
  const clients = useResource(listClients, [], { on: ['loaded'] });
  const fixtures = String(info.value?.settings.fixtures ?? 'demo');
  return (
    <LoadedSection
      title="Clients"
      lead="Give your application the client_id and the secret of one of these clients."
      from={clients}
      empty={
        <EmptyNote title="This world has no clients">
          Without a client, nobody can log in or get a token.
          <span class="row">
            {/* A reset would not change the world that the kit was started with. */}
            {info.value?.world === 'empty' && fixtures !== 'empty' && (
              <Action class="primary" run={() => call('reset', { to: 'seed' })} done={({ world }) => `The world is now ${world}.`}>
                Load the {fixtures} world
              </Action>
            )}
            <ButtonLink href={buildHref('/world/clients')} text="New client" />
            <ButtonLink href={buildHref('/world/all')} text="Load or upload a world" />
          </span>
        </EmptyNote>
      }
    >
      {(rows) => (
        <>
          <Table rows={rows.slice(0, MAX_CLIENTS_SHOWN)} columns={COLUMNS} />
          {rows.length > MAX_CLIENTS_SHOWN && <a href={buildHref('/world/clients')}>Show all clients</a>}
        </>
      )}
    </LoadedSection>
  );
}

async function listClients(): Promise<readonly Client[]> {
  const entities = await call('listCollection', { collection: 'clients', limit: MAX_CLIENTS_SHOWN + 1 });
  return Object.entries(entities).map(([alias, client]) => ({ alias, ...client }) as unknown as Client);
}
