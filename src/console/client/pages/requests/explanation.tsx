import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { type JournalEntry, kitUrl, RefusedError, type Schemas, sendRequest } from '../../kit/control.ts';
import { refreshKit } from '../../kit/state.ts';
import { Badge, Method } from '../../ui/badge.tsx';
import { buildHref } from '../../ui/href.ts';
import { Icon } from '../../ui/icon.tsx';
import { runAction } from '../../ui/toast.tsx';
import type { RequestFilter } from './filter.ts';
import { findResendObstacle, prepareRequest, sendPreparedRequest } from './prepare-request.ts';

interface RequestExplanationProps {
  readonly entry: JournalEntry;
  readonly explanation: Schemas['Explanation'];
  readonly filter: RequestFilter;
}

const OUTCOME_TONES = {
  succeeded: 'good',
  'empty list': 'info',
  'not assignable': 'info',
  refused: 'warn',
  'injected response': 'warn',
  'no answer': 'bad',
} as const;

export function RequestExplanation({ entry, explanation, filter }: RequestExplanationProps) {
  const { outcome, summary, reason, state, detail, change } = explanation;
  const tone = (entry.status ?? 0) >= 500 ? 'bad' : OUTCOME_TONES[outcome];
  const text = state?.text ?? detail;
  return (
    <section class="explained" data-tone={tone} aria-label="Explanation">
      <h3>{text && outcome !== 'succeeded' ? text : summary}</h3>
      {reason && <ExplanationReason reason={reason} />}
      {change && <SuggestedChange entry={entry} change={change} filter={filter} />}
    </section>
  );
}

const REASON_KINDS = { rule: 'rule', decision: 'open point', gate: 'kit-specific', oauth: 'OAuth error' };

function ExplanationReason({
  reason: { id, kind, text, level, section, inForce, alternatives = [] },
}: {
  reason: Schemas['ExplainedReason'];
}) {
  return (
    <div class="reason-box">
      <p>
        <code>{id}</code> <Badge>{level ?? REASON_KINDS[kind]}</Badge>
      </p>
      <p>{text}</p>
      {kind === 'decision' && (
        <p>
          <small>
            The specification leaves this open. Current decision: <code>{String(inForce)}</code>.{' '}
            {alternatives.length === 0 ? 'There are no alternatives.' : `Alternatives: ${alternatives.map(String).join(', ')}.`}
          </small>
        </p>
      )}
      <p class="reason-links">
        {section && <small>{section}</small>}
        <a href={buildHref('/requests', { rule: id })}>Requests with this reason</a>
      </p>
    </div>
  );
}

interface SuggestedChangeProps {
  readonly entry: JournalEntry;
  readonly change: Schemas['ExplainedChange'];
  readonly filter: RequestFilter;
}

function SuggestedChange({ entry, change: { text, control = [], request }, filter }: SuggestedChangeProps) {
  const { route } = useLocation();
  const [isBusy, setBusy] = useState(false);
  async function applySuggestedChange(sendsRequestAgain: boolean) {
    if (isBusy) return;
    setBusy(true);
    const done = sendsRequestAgain ? 'The request was sent again.' : 'The change was made.';
    const traceId = await runAction(async () => {
      for (const call of control) await performCall(call);
      if (control.length > 0) void refreshKit();
      return sendsRequestAgain ? sendPreparedRequest(await prepareRequest(entry, request)) : undefined;
    }, done);
    setBusy(false);
    if (traceId !== undefined) route(buildHref(`/requests/${traceId}`, { ...filter }));
  }
  const { token, ...edited } = request ?? {};
  const canSend = findResendObstacle(entry) === undefined;
  return (
    <div class="change">
      <h4>
        <Icon name="spark" /> How to make it succeed
      </h4>
      <p>{text}</p>
      {control.map(({ method, path, body }) => (
        <p key={`${method} ${path}`} class="call">
          <Method method={method} /> <code>{path}</code>
          {body !== undefined && <code>{JSON.stringify(body)}</code>}
        </p>
      ))}
      {Object.entries(edited).map(([name, value]) => (
        <p key={name} class="call">
          <small>{name}</small> <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>
        </p>
      ))}
      {(control.length > 0 || request !== undefined) && (
        <div class="actions">
          {canSend && (
            <button type="button" class="primary" aria-disabled={isBusy} onClick={() => void applySuggestedChange(true)}>
              {control.length > 0 ? 'Make this change and send again' : 'Send the changed request'}
            </button>
          )}
          {control.length > 0 && (
            <button type="button" aria-disabled={isBusy} onClick={() => void applySuggestedChange(false)}>
              {canSend ? 'Only make this change' : 'Make this change'}
            </button>
          )}
        </div>
      )}
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
