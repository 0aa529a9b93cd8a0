import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { type JournalEntry, kitUrl, RefusedError, type Schemas, sendRequest } from '../../kit/control.ts';
import { Action } from '../../ui/button.tsx';
import { formatLabel } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { buildHref, Facts, pickQuery } from '../../ui/page.tsx';
import { showToast } from '../../ui/toast.ts';
import { Badge, EntityName, getTone, Method, Named } from '../../ui/values.tsx';
import { findResendObstacle, prepareRequest, sendPreparedRequest } from './prepare-request.ts';
import { filterNames } from './rows.ts';

/** Returns a function that sends a request again, and shows it with the same filters in the URL. */
export function useSendAgain() {
  const { query, route } = useLocation();
  return async (entry: JournalEntry, edit?: Schemas['ExplainedRequest']): Promise<void> => {
    const { traceId, status } = await sendPreparedRequest(await prepareRequest(entry, edit));
    route(buildHref(`/requests/${traceId}`, pickQuery(query, filterNames)));
    if (status === undefined) showToast('The request was sent again. The connection ended without a response.', 'bad');
    else showToast(`The request was sent again. The response is ${status}.`, status < 400 ? 'good' : 'warn');
  };
}

export function RequestExplanation({ entry, explanation }: { entry: JournalEntry; explanation: Schemas['Explanation'] }) {
  const { outcome, summary, reason, refusals = [], state, detail, change } = explanation;
  const text = state?.text ?? detail;
  return (
    <section class="stack callout" data-tone={(entry.status ?? 0) >= 500 ? 'bad' : getTone(outcome)} aria-label="Explanation">
      <h3>{text && outcome !== 'succeeded' ? text : summary}</h3>
      {state && <StateFacts state={state} />}
      {reason && <ExplanationReason reason={reason} />}
      {refusals.length > 0 && <p>{summary}</p>}
      {refusals.map(({ rule, ...refusal }) => (
        <ExplanationReason key={rule} reason={{ id: rule, kind: 'rule', ...refusal }} />
      ))}
      {change && <SuggestedChange entry={entry} change={change} />}
    </section>
  );
}

/** The ids, levels, numbers and times on which the response depended. */
function StateFacts({ state: { facts, names } }: { state: Schemas['ExplainedState'] }) {
  const shown = Object.entries(facts).filter(([, value]) => typeof value !== 'object');
  const showValue = (value: string) => (names[value] ? <EntityName id={value} /> : value);
  return <Facts class="text-2" of={Object.fromEntries(shown.map(([name, value]) => [formatLabel(name), showValue(String(value))]))} />;
}

const REASON_KINDS = { rule: 'rule', decision: 'open point', gate: 'kit-specific', oauth: 'OAuth error' };

/** @param children what the page knows about the reason besides */
export function ExplanationReason({ reason, children }: { reason: Schemas['ExplainedReason']; children?: ComponentChildren }) {
  const { id, kind, text, level, section, inForce, alternatives = [] } = reason;
  return (
    <div class="stack tight text-2">
      <p>
        <code>{id}</code> <Badge>{level ?? REASON_KINDS[kind]}</Badge>
      </p>
      <p>{text}</p>
      {kind === 'decision' && (
        <small>
          The specification leaves this open. Current decision: <code>{String(inForce)}</code>.{' '}
          {alternatives.length === 0 ? 'There are no alternatives.' : `Alternatives: ${alternatives.map(String).join(', ')}.`}
        </small>
      )}
      <p class="row facts">
        {section && <small>{section}</small>}
        {children ?? <a href={buildHref('/requests', { rule: id })}>Requests with this reason</a>}
      </p>
    </div>
  );
}

function SuggestedChange({ entry, change }: { entry: JournalEntry; change: Schemas['ExplainedChange'] }) {
  const { text, control = [], request } = change;
  const sendAgain = useSendAgain();
  const makeChange = async () => {
    for (const each of control) await performCall(each);
    if (control.length > 0) showToast('The change was made.');
  };
  const makeChangeAndSend = async () => {
    await makeChange();
    await sendAgain(entry, request);
  };
  const { token, ...edited } = request ?? {};
  const canSend = findResendObstacle(entry) === undefined;
  return (
    <div class="stack part">
      <h4 class="row">
        <Icon name="spark" /> How to make it succeed
      </h4>
      <p>
        <Named text={text} />
      </p>
      {control.map(({ method, path, body }) => (
        <p key={`${method} ${path}`} class="row text-2">
          <Method method={method} />{' '}
          <code>
            <Named text={path} />
          </code>
          {body !== undefined && <code>{JSON.stringify(body)}</code>}
        </p>
      ))}
      {Object.entries(edited).map(([name, value]) => (
        <p key={name} class="row text-2">
          <small>{name}</small> <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>
        </p>
      ))}
      <div class="row">
        {canSend && (control.length > 0 || request !== undefined) && (
          <Action class="primary" run={makeChangeAndSend}>
            {control.length > 0 ? 'Make this change and send again' : 'Send the changed request'}
          </Action>
        )}
        {control.length > 0 && <Action run={makeChange} text={canSend ? 'Only make this change' : 'Make this change'} />}
      </div>
    </div>
  );
}

async function performCall({ method, path, body }: Schemas['ExplainedCall']): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await sendRequest(
    new Request(`${kitUrl}${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }),
  );
  // A 404 for a deletion means that the entity has already been deleted.
  if (response.ok || (method === 'DELETE' && response.status === 404)) return;
  throw new RefusedError(await response.json());
}
