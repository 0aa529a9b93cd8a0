import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { control, getResponseData, type Schemas } from '../../kit/control.ts';
import { type Resource, useResource } from '../../kit/resource.ts';
import { CopyLine } from '../../ui/copy.tsx';
import { buildHref } from '../../ui/href.ts';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNote, Section } from '../../ui/page.tsx';

type SignatureResult = Schemas['CheckedSignature'];
type Subscription = Schemas['SubscriptionInForce'];

const HEADER_NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
const MAX_RECENT_DELIVERIES = 50;

export function SignatureCheck({ subscriptions }: { subscriptions: Resource<Subscription[]> }) {
  const { query, route } = useLocation();
  const { delivery = '' } = query;
  const recent = useResource(() =>
    getResponseData(control.GET('/_control/deliveries', { params: { query: { limit: MAX_RECENT_DELIVERIES } } })),
  );
  const [headers, setHeaders] = useState('');
  const [body, setBody] = useState('');
  const [subscription, setSubscription] = useState('');
  const [secret, setSecret] = useState('');
  const [result, setResult] = useState<SignatureResult>();
  const [error, setError] = useState<Error>();
  async function runCheck(request: Schemas['SignatureRequest']): Promise<SignatureResult | undefined> {
    setError(undefined);
    const checked = await getResponseData(control.POST('/_control/signatures/check', { body: request })).catch(
      (problem: Error) => void setError(problem),
    );
    setResult(checked ?? undefined);
    return checked ?? undefined;
  }
  useEffect(() => {
    if (delivery === '') return;
    void runCheck({ deliveryId: delivery }).then((checked) => {
      if (!checked) return;
      setHeaders(
        HEADER_NAMES.flatMap((name) => (checked.headers[name] === undefined ? [] : [`${name}: ${checked.headers[name]}`])).join('\n'),
      );
      setBody(checked.body);
    });
  }, [delivery]);
  const checkSignature = () =>
    runCheck({
      ...(delivery !== '' && { deliveryId: delivery }),
      ...(secret.trim() === '' ? subscription !== '' && { subscription } : { secret: secret.trim() }),
      headers: parseHeaders(headers),
      body,
    });
  return (
    <div class="cards signature">
      <Section title="Check a signature" lead="Paste what your receiver got, or select one of this kit's deliveries.">
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            void checkSignature();
          }}
        >
          <label class="field">
            <span>Delivery from this kit</span>
            <select
              value={delivery}
              onChange={({ currentTarget }) => route(buildHref('/events/signature', { delivery: currentTarget.value }), true)}
            >
              <option value="">none, or unknown</option>
              {delivery !== '' && !recent.data?.some(({ id }) => id === delivery) && <option value={delivery}>{delivery}</option>}
              {(recent.data ?? []).map(({ id, type, subscription: to, createdAt }) => (
                <option key={id} value={id}>
                  {createdAt.slice(11, 19)} {type} to {to ?? 'a deleted subscription'}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            <span>Headers</span>
            <textarea
              rows={4}
              spellcheck={false}
              value={headers}
              onInput={({ currentTarget }) => setHeaders(currentTarget.value)}
              placeholder={HEADER_NAMES.map((name) => `${name}: …`).join('\n')}
            />
          </label>
          <label class="field">
            <span>Body, byte for byte</span>
            <textarea rows={8} spellcheck={false} value={body} onInput={({ currentTarget }) => setBody(currentTarget.value)} />
          </label>
          <div class="two-fields">
            <label class="field">
              <span>Subscription secret</span>
              <select value={subscription} onChange={({ currentTarget }) => setSubscription(currentTarget.value)}>
                <option value="">the delivery's subscription</option>
                {(subscriptions.data ?? []).map(({ id, alias }) => (
                  <option key={id} value={id}>
                    {alias}
                  </option>
                ))}
              </select>
            </label>
            <label class="field">
              <span>or another secret</span>
              <input
                value={secret}
                autocomplete="off"
                spellcheck={false}
                onInput={({ currentTarget }) => setSecret(currentTarget.value)}
                placeholder="whsec_…"
              />
            </label>
          </div>
          <div class="actions">
            <button type="submit" class="primary">
              Check
            </button>
          </div>
        </form>
      </Section>
      <Section title="Result">
        <div role="status" class="form">
          {error && <ErrorNote error={error} />}
          {result ? <SignatureVerdict result={result} /> : !error && <p class="lead">Nothing has been checked yet.</p>}
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
        <div>
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
      <p>
        <small>
          With events.delivery.signature=standard-webhooks, a delivery's signature is an HMAC-SHA256 of the id, the timestamp and the body,
          joined by dots.
        </small>
      </p>
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
