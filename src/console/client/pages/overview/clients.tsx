import { control, dataOf } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { CopyButton } from '../../ui/copy.tsx';
import { Empty, Loaded, Section } from '../../ui/page.tsx';

interface Client {
  readonly id: string;
  readonly name?: string;
  readonly secret?: string;
  readonly publicKey?: unknown;
  readonly redirectUris?: readonly string[];
}

/** The clients of the world, with what an application needs to log in. */
export function Clients() {
  const clients = useResource(async () => {
    const entities = await dataOf(control.GET('/_control/state/{collection}', { params: { path: { collection: 'clients' } } }));
    return Object.entries(entities) as unknown as readonly (readonly [alias: string, client: Client])[];
  });
  return (
    <Section title="Clients" lead="Give your application the client_id and the secret of one of these clients.">
      <Loaded from={clients} lines={8}>
        {(rows) => (rows.length === 0 ? <NoClients /> : <Table rows={rows} />)}
      </Loaded>
    </Section>
  );
}

const NoClients = () => (
  <Empty icon="world" title="This world has no client">
    <p>Without a client, nobody can log in or get a token. Create one with xpk state set clients.</p>
  </Empty>
);

function Table({ rows }: { rows: readonly (readonly [string, Client])[] }) {
  return (
    <div class="table-frame">
      <table class="clients">
        <thead>
          <tr>
            <th scope="col">Client</th>
            <th scope="col">client_id</th>
            <th scope="col">Authenticates with</th>
            <th scope="col">Redirect URIs</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([alias, { id, name, secret, publicKey, redirectUris = [] }]) => (
            <tr key={id}>
              <td>
                {name ?? alias}
                <small>{alias}</small>
              </td>
              <td>
                <Copied text={id} label={`client_id of ${alias}`} />
              </td>
              <td>
                {secret !== undefined && <Copied text={secret} label={`secret of ${alias}`} />}
                {publicKey !== undefined && <small>private key (client_assertion)</small>}
              </td>
              <td>
                <span title={redirectUris.join('\n')}>{redirectUris[0] ?? 'none'}</span>
                {redirectUris.length > 1 && <small>and {redirectUris.length - 1} more</small>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Copied = ({ text, label }: { text: string; label: string }) => (
  <span class="copied">
    <code>{text}</code>
    <CopyButton text={text} label={label} />
  </span>
);
