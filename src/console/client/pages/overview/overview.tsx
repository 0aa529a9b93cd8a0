import { call, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { CopyLine } from '../../ui/code.tsx';
import { buildHref } from '../../ui/href.ts';
import { Facts, Loaded, Page, Section } from '../../ui/page.tsx';
import { Clients } from './clients.tsx';
import { Decisions } from './decisions.tsx';
import { FirstCallExample } from './first-call.tsx';
import { Health } from './health.tsx';

export default function Overview() {
  const info = useResource(() => call('info'));
  return (
    <Page
      title="Overview"
      lead="What is running here, and what you need for a first call. This is a mock for development, not the real service."
    >
      <Health />
      <div class="cards first-cards">
        <Loaded from={info} lines={8}>
          {(data) => <Addresses info={data} />}
        </Loaded>
        <Loaded from={info} lines={8}>
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
