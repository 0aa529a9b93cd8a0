import { useLocation } from 'preact-iso/router';
import { type JournalEntry, kitUrl, RefusedError, type Schemas, sendRequest } from '../../kit/control.ts';
import { refreshKit } from '../../kit/state.ts';
import { Action } from '../../ui/action.tsx';
import { Badge, Method } from '../../ui/badge.tsx';
import { buildHref, pickQuery } from '../../ui/href.ts';
import { Icon } from '../../ui/icon.tsx';
import { findResendObstacle, prepareRequest, sendPreparedRequest } from './prepare-request.ts';
import { filterNames } from './rows.ts';

/** Returns a function that shows a request, with the same filters in the URL. */
export function useShowRequest(): (traceId: string) => void {
  const { query, route } = useLocation();
  return (traceId) => route(buildHref(`/requests/${traceId}`, pickQuery(query, filterNames)));
}

const OUTCOME_TONES = {
  succeeded: 'good',
  'empty list': 'info',
  'not assignable': 'info',
  refused: 'warn',
  'injected response': 'warn',
  'no answer': 'bad',
} as const;

export function RequestExplanation({ entry, explanation }: { entry: JournalEntry; explanation: Schemas['Explanation'] }) {
  const { outcome, summary, reason, state, detail, change } = explanation;
  const text = state?.text ?? detail;
  return (
    <section class="stack callout" data-tone={(entry.status ?? 0) >= 500 ? 'bad' : OUTCOME_TONES[outcome]} aria-label="Explanation">
      <h3>{text && outcome !== 'succeeded' ? text : summary}</h3>
      {reason && <ExplanationReason reason={reason} />}
      {change && <SuggestedChange entry={entry} change={change} />}
    </section>
  );
}

const REASON_KINDS = { rule: 'rule', decision: 'open point', gate: 'kit-specific', oauth: 'OAuth error' };

function ExplanationReason({ reason }: { reason: Schemas['ExplainedReason'] }) {
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
        <a href={buildHref('/requests', { rule: id })}>Requests with this reason</a>
      </p>
    </div>
  );
}

function SuggestedChange({ entry, change }: { entry: JournalEntry; change: Schemas['ExplainedChange'] }) {
  const { text, control = [], request } = change;
  const showRequest = useShowRequest();
  const makeChange = async () => {
    for (const each of control) await performCall(each);
    if (control.length > 0) void refreshKit();
    return 'The change was made.';
  };
  const makeChangeAndSend = async () => {
    await makeChange();
    showRequest(await sendPreparedRequest(await prepareRequest(entry, request)));
    return 'The request was sent again.';
  };
  const { token, ...edited } = request ?? {};
  const canSend = findResendObstacle(entry) === undefined;
  return (
    <div class="stack part">
      <h4 class="row accent">
        <Icon name="spark" /> How to make it succeed
      </h4>
      <p>{text}</p>
      {control.map(({ method, path, body }) => (
        <p key={`${method} ${path}`} class="row text-2">
          <Method method={method} /> <code>{path}</code>
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
        {control.length > 0 && <Action run={makeChange}>{canSend ? 'Only make this change' : 'Make this change'}</Action>}
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
