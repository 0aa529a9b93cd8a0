import { call, RefusedError, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { info } from '../../kit/state.ts';
import { connection } from '../../kit/stream.ts';
import { Badge, StateBadge } from '../../ui/badge.tsx';
import { CopyLine } from '../../ui/code.tsx';
import { buildHref } from '../../ui/href.ts';
import { Facts, Loaded, Page, Section } from '../../ui/page.tsx';
import { Clients } from './clients.tsx';
import { Decisions } from './decisions.tsx';
import { FirstCallExample } from './first-call.tsx';

export default function Overview() {
  const settings = { data: info.value, error: undefined };
  return (
    <Page
      title="Overview"
      lead="What is running here, and what you need for a first call. This is a mock for development, not the real service."
    >
      <div class="cards first-cards">
        <Loaded from={settings} lines={8}>
          {(data) => <Addresses info={data} />}
        </Loaded>
        <Loaded from={settings} lines={8}>
          {(data) => <FirstCallExample info={data} />}
        </Loaded>
      </div>
      <Clients />
      <Decisions />
    </Page>
  );
}

function Addresses({ info: { baseUrl, version, replicas } }: { info: Schemas['Info'] }) {
  const documents = { OpenAPI: '', AsyncAPI: '', Authorization: '/auth', Control: '/_control' };
  const showUrl = (name: string, path: string) => <CopyLine text={baseUrl + path} label={name} />;
  return (
    <Section title="Addresses">
      <Facts
        of={{
          API: showUrl('API', ''),
          'Authorization server': showUrl('Authorization server', '/auth'),
          'Control API': showUrl('Control API', '/_control'),
          Documents: (
            <span class="row facts">
              {Object.entries(documents).map(([name, path]) => (
                <a
                  key={name}
                  href={`${baseUrl}${path}/${name === 'AsyncAPI' ? 'asyncapi' : 'openapi'}.json`}
                  target="_blank"
                  rel="noreferrer"
                >
                  {name}
                </a>
              ))}
            </span>
          ),
          Database: <DatabaseState replicas={replicas} />,
          Version: version,
          Operations: <a href={buildHref('/operations')}>Call any operation of the control API</a>,
        }}
      />
    </Section>
  );
}

const REFRESH_MS = 5000;

/** A 503 response also has a body of this type. */
const readHealth = () =>
  call('health').catch((error: unknown) => {
    if (error instanceof RefusedError) return error.problem as unknown as Schemas['Health'];
    throw error;
  });

function DatabaseState({ replicas = 1 }: Pick<Schemas['Info'], 'replicas'>) {
  const health = useResource(readHealth, [], REFRESH_MS);
  const isLost = connection.value === 'lost' || health.error !== undefined;
  const database = isLost ? undefined : health.data?.parts?.database;
  if (!database) return <Badge>{isLost ? 'unknown' : '…'}</Badge>;
  return (
    <>
      <StateBadge state={database.status} />{' '}
      {database.reason ?? `${health.data?.engine}, ${replicas === 1 ? 'one process' : `${replicas} processes`}`}
    </>
  );
}
