import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { call, type Schemas } from '../../kit/control.ts';
import { type Resource, useResource } from '../../kit/resource.ts';
import { CopyLine } from '../../ui/code.tsx';
import { Form } from '../../ui/form.tsx';
import { ChoiceInput } from '../../ui/inputs.tsx';
import { buildHref, Loaded, Note, Section } from '../../ui/page.tsx';
import { nameIds } from '../../ui/values.tsx';

type SignatureResult = Schemas['CheckedSignature'];

const HEADER_NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
const MAX_RECENT_DELIVERIES = 50;
const TEXT = { type: 'string' } as const;

export function SignatureCheck({ subscriptions }: { subscriptions: Resource<Schemas['SubscriptionInForce'][]> }) {
  const { query, route } = useLocation();
  const { delivery } = query;
  const recent = useResource(() => call('listDeliveries', { limit: MAX_RECENT_DELIVERIES }));
  const [result, setResult] = useState<SignatureResult>();
  const sent = useResource(async () => {
    if (!delivery) return {};
    const checked = await call('checkSignature', { deliveryId: delivery });
    setResult(checked);
    const lines = HEADER_NAMES.filter((name) => checked.headers[name] !== undefined).map((name) => `${name}: ${checked.headers[name]}`);
    return { headers: lines.join('\n'), body: checked.body };
  }, [delivery]);
  const descriptions = {
    headers: { label: 'Headers', rows: 4, placeholder: HEADER_NAMES.map((name) => `${name}: …`).join('\n') },
    body: { label: 'Body, byte for byte', rows: 8 },
    subscription: {
      label: 'Subscription secret',
      placeholder: "the delivery's subscription",
      options: (subscriptions.data ?? []).map(({ id, alias }) => [id, nameIds(alias)] as const),
    },
    secret: { label: 'or another secret', placeholder: 'whsec_…' },
  };
  return (
    <div class="cards">
      <Section title="Check a signature" lead="Paste what your receiver got, or select one of this kit's deliveries.">
        <ChoiceInput
          label="Delivery from this kit"
          placeholder="none, or unknown"
          value={delivery}
          onChange={(id) => route(buildHref('/events/signature', { delivery: id as string | undefined }), true)}
          options={(recent.data ?? []).map(({ id, type, subscription: to, createdAt }) => [
            id,
            `${createdAt.slice(11, 19)} ${type} to ${nameIds(to ?? 'a deleted subscription')}`,
          ])}
        />
        <Loaded from={sent}>
          {(initial) => (
            <Form
              key={initial.headers}
              initial={initial}
              fields={{ headers: TEXT, body: TEXT, subscription: TEXT, secret: TEXT }}
              describe={(name) => descriptions[name as keyof typeof descriptions]}
              action="Check"
              onSubmit={async ({ headers, body, subscription, secret }) => {
                setResult(undefined);
                const request = {
                  ...(delivery && { deliveryId: delivery }),
                  ...(secret === undefined ? subscription !== undefined && { subscription } : { secret: String(secret).trim() }),
                  headers: parseHeaders(String(headers ?? '')),
                  body: String(body ?? ''),
                };
                setResult(await call('checkSignature', request as Schemas['SignatureRequest']));
              }}
            />
          )}
        </Loaded>
      </Section>
      <Section title="Result">
        <div role="status" class="stack">
          {result ? <SignatureVerdict result={result} /> : <p class="muted">Nothing has been checked yet.</p>}
        </div>
      </Section>
    </div>
  );
}

function SignatureVerdict({ result: { valid, causes, notes, expected } }: { result: SignatureResult }) {
  return (
    <>
      <Note tone={valid ? 'good' : 'bad'}>
        <strong>{valid ? 'The signature matches this secret.' : 'The signature does not match this secret.'}</strong>
        {causes.map(({ cause, text }) => (
          <p key={cause + text}>{text}</p>
        ))}
      </Note>
      {notes.map((text) => (
        <Note key={text} tone="warn">
          {text}
        </Note>
      ))}
      {expected !== undefined && (
        <div>
          <h3>Expected signature</h3>
          <CopyLine text={expected} label="expected signature" />
        </div>
      )}
      <small>A signature is an HMAC-SHA256 of the id, the timestamp and the body, joined by dots (Standard Webhooks).</small>
    </>
  );
}

/** Parses headers that were pasted as lines, curl options or JSON. */
function parseHeaders(text: string): Record<string, string> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null)
      return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, String(value)]));
  } catch {
    // The text is not JSON, so it consists of lines.
  }
  const lines = text.split('\n').map((line) => /^\s*(?:-H\s*)?['"]?([\w-]+)['"]?\s*:\s*['"]?(.*?)['"]?,?\s*\\?\s*$/.exec(line));
  return Object.fromEntries(lines.flatMap((match) => (match === null ? [] : [[match[1] ?? '', match[2] ?? '']])));
}
