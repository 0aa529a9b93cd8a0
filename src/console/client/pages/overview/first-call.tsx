import { useState } from 'preact/hooks';
import { call, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { Code, CopyButton } from '../../ui/code.tsx';
import { ChoiceInput } from '../../ui/inputs.tsx';
import { Section } from '../../ui/page.tsx';

export function FirstCallExample({ info: { baseUrl, tokens } }: { info: Schemas['Info'] }) {
  const names = Object.keys(tokens);
  const [name = names[0] ?? '', select] = useState<string>();
  const accounts = useResource(() => call('listCollection', { collection: 'accounts', limit: 1 }));
  const [account] = Object.values(accounts.data ?? {}) as { id?: string }[];
  if (names.length === 0)
    return (
      <Section title="First call">
        <p>
          This world has no ready-made token. Add a token to <code>tokens</code> in the world file, or load a world with tokens, such as
          demo.
        </p>
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
