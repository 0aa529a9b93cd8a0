import type { Schemas } from '../../kit/control.ts';
import { CopyLine } from '../../ui/copy.tsx';
import { Section } from '../../ui/page.tsx';

export function Addresses({ info: { baseUrl } }: { info: Schemas['Info'] }) {
  const addresses = [
    ['API', baseUrl],
    ['Authorization server', `${baseUrl}/auth`],
    ['Control API', `${baseUrl}/_control`],
  ] as const;
  const documents = [
    ['OpenAPI', `${baseUrl}/openapi.json`],
    ['AsyncAPI', `${baseUrl}/asyncapi.json`],
    ['Authorization', `${baseUrl}/auth/openapi.json`],
    ['Control', `${baseUrl}/_control/openapi.json`],
  ] as const;
  return (
    <Section title="Addresses">
      <dl class="facts-list">
        {addresses.map(([name, url]) => (
          <>
            <dt>{name}</dt>
            <dd>
              <CopyLine text={url} label={name} />
            </dd>
          </>
        ))}
        <dt>Documents</dt>
        <dd class="links">
          {documents.map(([name, url]) => (
            <a key={name} href={url} target="_blank" rel="noreferrer">
              {name}
            </a>
          ))}
        </dd>
      </dl>
    </Section>
  );
}
