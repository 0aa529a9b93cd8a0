import { useState } from 'preact/hooks';
import { call, kitUrl, RefusedError, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { info } from '../../kit/state.ts';
import { connection } from '../../kit/stream.ts';
import { Code, CopyButton, CopyLine } from '../../ui/code.tsx';
import { ChoiceInput } from '../../ui/inputs.tsx';
import { buildHref, Facts, Loaded, Page, Section } from '../../ui/page.tsx';
import { Badge, StateBadge } from '../../ui/values.tsx';
import { FailingReceivers } from '../events/health.tsx';
import { Clients } from './clients.tsx';
import { Decisions } from './decisions.tsx';

export default function Overview() {
  const settings = { data: info.value, error: undefined };
  const subscriptions = useResource(() => call('listSubscriptions'), [], { on: ['delivery'] });
  const { upstream } = info.value ?? {};
  if (upstream)
    return (
      <Page
        title="Overview"
        lead="What passes between your integration and the real service is recorded here, and can be explained and judged."
      >
        <div class="cards first-cards">
          <Loaded from={settings}>{(data) => <Addresses info={data} />}</Loaded>
          <Section title="First call">
            <p>
              Send to the API's address above what you send to {upstream.api}, with the access tokens of the real service. Then see{' '}
              <a href={buildHref('/requests')}>the requests</a>.
            </p>
            <p>For a verdict on both sides:</p>
            <Code text={formatVerdict(kitUrl)} label="commands">
              {formatVerdict(kitUrl)}
            </Code>
          </Section>
        </div>
      </Page>
    );
  return (
    <Page
      title="Overview"
      lead="What is running here, and what you need for a first call. This is a mock for development, not the real service."
    >
      <FailingReceivers subscriptions={subscriptions.data} />
      <div class="cards first-cards">
        <Loaded from={settings}>{(data) => <Addresses info={data} />}</Loaded>
        <Loaded from={settings}>{(data) => <FirstCallExample info={data} />}</Loaded>
      </div>
      <Clients />
      <Decisions />
    </Page>
  );
}

const formatVerdict = (url: string) => `xpk conformance --journal ${url}\nxpk check client --url ${url}`;

function Addresses({ info: { baseUrl, version, replicas, upstream } }: { info: Schemas['Info'] }) {
  const documents = { OpenAPI: '', AsyncAPI: '', Authorization: '/auth', Control: '/_control' };
  const showUrl = (name: string, path: string) => <CopyLine text={baseUrl + path} label={name} />;
  return (
    <Section title="Addresses">
      <Facts
        of={{
          API: showUrl('API', ''),
          ...(upstream && { 'Real service': <CopyLine text={upstream.api} label="Real service" /> }),
          ...(!(upstream && upstream.auth === undefined) && { 'Authorization server': showUrl('Authorization server', '/auth') }),
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
  const health = useResource(readHealth, [], { everyMs: REFRESH_MS });
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

export function FirstCallExample({ info: { baseUrl, tokens } }: { info: Schemas['Info'] }) {
  const names = Object.keys(tokens);
  const [name = names[0] ?? '', select] = useState<string>();
  const accounts = useResource(() => call('listCollection', { collection: 'accounts', limit: 1 }));
  const [account] = Object.values(accounts.data ?? {}) as { id?: string }[];
  if (names.length === 0)
    return (
      <Section title="First call">
        <p>This world has no ready-made token. Add one to the world file, or load a world with tokens, such as demo.</p>
      </Section>
    );
  const path = account?.id === undefined ? '/users/unknown' : `/experience/connections?accountId=${account.id}`;
  const token = tokens[name] ?? '';
  const formatCurl = (bearer: string) => `curl '${baseUrl}${path}' \\\n  -H 'authorization: Bearer ${bearer}'`;
  return (
    <Section title="First call" lead="A world's tokens are the same at every start.">
      <div class="item">
        <ChoiceInput label="Token" options={names} value={name} onChange={(chosen) => select(chosen as string | undefined)} />
        <CopyButton text={token} label={`token ${name}`}>
          Token
        </CopyButton>
      </div>
      {/* A token is long, so only its ends are shown. The copied command contains it all. */}
      <Code text={formatCurl(token)} label="curl command">
        {formatCurl(`${token.slice(0, 12)}…${token.slice(-6)}`)}
      </Code>
    </Section>
  );
}
