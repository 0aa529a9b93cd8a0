import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { call, type Schemas } from '../../kit/control.ts';
import { type Resource, useResource } from '../../kit/resource.ts';
import { CopyLine } from '../../ui/code.tsx';
import { buildHref } from '../../ui/href.ts';
import { Icon } from '../../ui/icon.tsx';
import { ChoiceInput, TextInput } from '../../ui/inputs.tsx';
import { ErrorNote, Section } from '../../ui/page.tsx';

type SignatureResult = Schemas['CheckedSignature'];

const HEADER_NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
const MAX_RECENT_DELIVERIES = 50;
const NOTHING = { headers: '', body: '', subscription: '', secret: '' };

export function SignatureCheck({ subscriptions }: { subscriptions: Resource<Schemas['SubscriptionInForce'][]> }) {
  const { query, route } = useLocation();
  const { delivery: deliveryId } = query;
  const recent = useResource(() => call('listDeliveries', { limit: MAX_RECENT_DELIVERIES }));
  const [entered, enter] = useState(NOTHING);
  const [outcome, setOutcome] = useState<{ result?: SignatureResult; error?: Error }>({});
  const { headers, body, subscription, secret } = entered;
  const setText = (name: keyof typeof NOTHING) => (text: unknown) => enter((before) => ({ ...before, [name]: text ?? '' }));
  const runCheck = (request: Schemas['SignatureRequest']) =>
    call('checkSignature', request).then(
      (result) => {
        setOutcome({ result });
        return result;
      },
      (error: Error) => setOutcome({ error }),
    );
  useEffect(() => {
    if (!deliveryId) return;
    void runCheck({ deliveryId }).then((checked) => {
      if (!checked) return;
      const lines = HEADER_NAMES.filter((name) => checked.headers[name] !== undefined).map((name) => `${name}: ${checked.headers[name]}`);
      enter((before) => ({ ...before, headers: lines.join('\n'), body: checked.body }));
    });
  }, [deliveryId]);
  const checkSignature = () =>
    runCheck({
      ...(deliveryId && { deliveryId }),
      ...(secret.trim() === '' ? subscription !== '' && { subscription } : { secret: secret.trim() }),
      headers: parseHeaders(headers),
      body,
    });
  const headerHint = HEADER_NAMES.map((name) => `${name}: …`).join('\n');
  return (
    <div class="cards">
      <Section title="Check a signature" lead="Paste what your receiver got, or select one of this kit's deliveries.">
        <form
          class="stack form"
          onSubmit={(event) => {
            event.preventDefault();
            void checkSignature();
          }}
        >
          <ChoiceInput
            label="Delivery from this kit"
            placeholder="none, or unknown"
            value={deliveryId}
            onChange={(id) => route(buildHref('/events/signature', { delivery: id as string | undefined }), true)}
            options={(recent.data ?? []).map(({ id, type, subscription: to, createdAt }) => [
              id,
              `${createdAt.slice(11, 19)} ${type} to ${to ?? 'a deleted subscription'}`,
            ])}
          />
          <TextInput label="Headers" rows={4} value={headers} placeholder={headerHint} onChange={setText('headers')} />
          <TextInput label="Body, byte for byte" rows={8} value={body} onChange={setText('body')} />
          <div class="side-by-side">
            <ChoiceInput
              label="Subscription secret"
              placeholder="the delivery's subscription"
              value={subscription}
              onChange={setText('subscription')}
              options={(subscriptions.data ?? []).map(({ id, alias }) => [id, alias])}
            />
            <TextInput label="or another secret" placeholder="whsec_…" value={secret} onChange={setText('secret')} />
          </div>
          <div class="row">
            <button type="submit" class="primary">
              Check
            </button>
          </div>
        </form>
      </Section>
      <Section title="Result">
        <div role="status" class="stack">
          {outcome.error && <ErrorNote error={outcome.error} />}
          {outcome.result && <SignatureVerdict result={outcome.result} />}
          {!outcome.result && !outcome.error && <p class="muted">Nothing has been checked yet.</p>}
        </div>
      </Section>
    </div>
  );
}

function SignatureVerdict({ result: { valid, causes, notes, expected } }: { result: SignatureResult }) {
  return (
    <>
      <div class="note" data-tone={valid ? 'good' : 'bad'}>
        <Icon name={valid ? 'check' : 'alert'} />
        <div class="stack tight">
          <strong>{valid ? 'The signature matches this secret.' : 'The signature does not match this secret.'}</strong>
          {causes.map(({ cause, text }) => (
            <p key={cause + text}>{text}</p>
          ))}
        </div>
      </div>
      {notes.map((text) => (
        <div key={text} class="note" data-tone="warn">
          <Icon name="clock" />
          <p>{text}</p>
        </div>
      ))}
      {expected !== undefined && (
        <div>
          <h3>Expected signature</h3>
          <CopyLine text={expected} label="expected signature" />
        </div>
      )}
      <small>
        With events.delivery.signature=standard-webhooks, a delivery's signature is an HMAC-SHA256 of the id, the timestamp and the body,
        joined by dots.
      </small>
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
