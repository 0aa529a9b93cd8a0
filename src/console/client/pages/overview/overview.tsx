import type { ComponentChildren } from 'preact';
import { call, RefusedError, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { clock, faults, info, kitNow } from '../../kit/state.ts';
import { connection } from '../../kit/stream.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { CopyLine } from '../../ui/code.tsx';
import { buildHref } from '../../ui/href.ts';
import { Facts, Loaded, Page, Section } from '../../ui/page.tsx';
import { formatOffset, TimeText } from '../../ui/time.tsx';
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
      <Health />
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

function Addresses({ info: { baseUrl } }: { info: Schemas['Info'] }) {
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
          Operations: <a href={buildHref('/operations')}>Call any operation of the control API</a>,
        }}
      />
    </Section>
  );
}

const DATABASE_STATES: Readonly<Record<Schemas['Health']['parts']['database']['status'], Tone>> = {
  up: 'good',
  busy: 'warn',
  'read-only': 'warn',
  down: 'bad',
};
const STREAM_STATES = { live: ['good', 'live'], connecting: ['info', 'connecting'], lost: ['bad', 'lost'] } as const;
const REFRESH_MS = 5000;

/** A 503 response also has a body of this type. */
const readHealth = () =>
  call('health').catch((error: unknown) => {
    if (error instanceof RefusedError) return error.problem as unknown as Schemas['Health'];
    throw error;
  });

function Health() {
  const health = useResource(readHealth, [], REFRESH_MS);
  const database = health.data?.parts?.database;
  const [tone, text] = STREAM_STATES[connection.value];
  const active = faults.value?.length ?? 0;
  return (
    <dl class="box tiles" aria-label="Kit state">
      <HealthTile
        name="Database"
        note={database?.reason ?? (health.data && `${health.data.engine}, ${formatProcessCount(info.value?.replicas)}`)}
      >
        {database ? <Badge tone={DATABASE_STATES[database.status]}>{database.status}</Badge> : <Badge>…</Badge>}
      </HealthTile>
      <HealthTile name="Live updates" note="control API stream">
        <Badge tone={tone}>{text}</Badge>
      </HealthTile>
      <HealthTile name="World" note={info.value && `version ${info.value.version}`}>
        {info.value?.world ?? '…'}
      </HealthTile>
      <HealthTile name="Kit time" note={clock.value && formatOffset(clock.value.offsetMs)} path="/clock">
        <TimeText ms={kitNow.value} />
      </HealthTile>
      <HealthTile name="Faults" note={active === 0 ? 'the kit answers as documented' : 'requests fail on purpose'} path="/clock">
        <Badge tone={active === 0 ? 'plain' : 'warn'}>{active === 0 ? 'none' : `${active} active`}</Badge>
      </HealthTile>
    </dl>
  );
}

const formatProcessCount = (count = 1) => (count === 1 ? 'one process' : `${count} processes`);

interface TileProps {
  readonly name: string;
  readonly note: string | undefined;
  readonly path?: string;
  readonly children: ComponentChildren;
}

const HealthTile = ({ name, note, path, children }: TileProps) => (
  <div class="stack tight tile">
    <dt>{path === undefined ? name : <a href={buildHref(path)}>{name}</a>}</dt>
    <dd>
      {children}
      <small>{note ?? ' '}</small>
    </dd>
  </div>
);
