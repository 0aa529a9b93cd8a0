import { control, getResponseData } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { CopyButton } from '../../ui/copy.tsx';
import { buildHref } from '../../ui/href.ts';
import { EmptyNote, Loaded, Section } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';

interface Client {
  readonly id: string;
  readonly name?: string;
  readonly secret?: string;
  readonly publicKey?: unknown;
  readonly redirectUris?: readonly string[];
}

const MAX_CLIENTS_SHOWN = 20;

export function Clients() {
  const clients = useResource(async () => {
    const params = { path: { collection: 'clients' }, query: { limit: MAX_CLIENTS_SHOWN + 1 } } as const;
    const entities = await getResponseData(control.GET('/_control/state/{collection}', { params }));
    return Object.entries(entities) as unknown as readonly (readonly [alias: string, client: Client])[];
  });
  return (
    <Section title="Clients" lead="Give your application the client_id and the secret of one of these clients.">
      <Loaded from={clients} lines={8}>
        {(rows) =>
          rows.length === 0 ? (
            <NoClients />
          ) : (
            <>
              <ClientTable rows={rows.slice(0, MAX_CLIENTS_SHOWN)} />
              {rows.length > MAX_CLIENTS_SHOWN && (
                <p>
                  <a href={buildHref('/world/clients')}>Show all clients</a>
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

const NoClients = () => (
  <EmptyNote icon="world" title="This world has no clients">
    <p>Without a client, nobody can log in or get a token. Create one with xpk state set clients.</p>
  </EmptyNote>
);

function ClientTable({ rows }: { rows: readonly (readonly [string, Client])[] }) {
  return (
    <Table columns={['Client', 'client_id', 'Authenticates with', 'Redirect URIs']} class="clients">
      {rows.map(([alias, { id, name, secret, publicKey, redirectUris = [] }]) => (
        <tr key={id}>
          <td>
            {name ?? alias}
            <small>{alias}</small>
          </td>
          <td>
            <CopyableText text={id} label={`client_id of ${alias}`} />
          </td>
          <td>
            {secret !== undefined && <CopyableText text={secret} label={`secret of ${alias}`} />}
            {publicKey !== undefined && <small>private key (client_assertion)</small>}
          </td>
          <td>
            <span title={redirectUris.join('\n')}>{redirectUris[0] ?? 'none'}</span>
            {redirectUris.length > 1 && <small>and {redirectUris.length - 1} more</small>}
          </td>
        </tr>
      ))}
    </Table>
  );
}

const CopyableText = ({ text, label }: { text: string; label: string }) => (
  <span class="copied">
    <code>{text}</code>
    <CopyButton text={text} label={label} />
  </span>
);
