import type { Evidence } from '../contract/evidence.ts';
import { createControlFailure, isFailure, type ResponseCause } from '../contract/failure.ts';
import type { components } from '../contract/generated/control.ts';
import { parseTraceparent } from '../http/trace.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { FoundEntry } from '../journal/journal.ts';
import { hasUnsupportedId } from '../store/users.ts';
import { findFilter, refuseUnknownType } from './deliveries.ts';
import { explainByContract } from './explain/by-contract.ts';
import { explainEmptyList } from './explain/empty-list.ts';
import { explainEvents, findSubject } from './explain/events.ts';
import { listParts } from './explain/parts.ts';
import { describeReason } from './explain/reason.ts';
import { parseSentRequest, type SentRequest } from './explain/sent-request.ts';
import { describeState } from './explain/state.ts';
import { suggestChange } from './explain/suggestion.ts';
import type { ControlDeps, ControlHandlers } from './handler.ts';

type Explanation = components['schemas']['Explanation'];
type State = components['schemas']['ExplainedState'];

export const explainHandlers: Pick<ControlHandlers, 'explain' | 'explainEvents'> = {
  async explainEvents({ query: { type, entity, subscription: name, since } }, deps) {
    const { db } = deps.store;
    const invalid = refuseUnknownType(type);
    if (invalid) return invalid;
    const subscription = await findFilter(name, deps);
    if (isFailure(subscription)) return subscription;
    const entityId = entity === undefined ? undefined : ((await findSubject(db, entity))?.id ?? entity);
    return { status: 200, body: await explainEvents({ type, entityId, subscriptionId: subscription.id, since }, deps) };
  },
  async explain({ params }, deps) {
    const found = await deps.journal.find(parseTraceId(params.traceId ?? ''));
    return found ? { status: 200, body: await createExplanation(found, deps) } : createControlFailure('not-found', NOT_FOUND_MESSAGE);
  },
};

const NOT_FOUND_MESSAGE = `The journal has no request with this trace id. The journal contains only the last 1000 requests, no requests to the control API, and no requests to other worlds of the kit (--url KIT/w/NAME). A reset or a \
restart clears the journal. For a request with an invalid traceparent, the kit generates a new trace id and returns it in the response. List the requests with xpk logs or GET /_control/requests.`;

function parseTraceId(text: string): string {
  const plain = text.trim().toLowerCase();
  return parseTraceparent(plain.replace(/^traceparent:\s*/, '')) ?? plain;
}

async function createExplanation({ entry, cause, others }: FoundEntry, deps: ControlDeps): Promise<Explanation> {
  const { traceId, at, door, method, path, operationId, status, step, problem } = entry;
  const outcome = getOutcome(entry, cause);
  const facts = {
    traceId,
    at,
    door,
    method,
    path,
    ...(operationId !== undefined && { operationId }),
    ...(status !== undefined && { status }),
    ...(step !== undefined && { step }),
    outcome,
    ...(problem?.detail !== undefined && { detail: problem.detail }),
    ...(others.length > 0 && { others: others.map(toOtherRequest) }),
  };
  if (outcome === 'succeeded') return { ...facts, summary: OUTCOME_SUMMARIES.succeeded, request: [] };
  const sent = parseSentRequest(entry, cause);
  if (step === 'forward') return { ...facts, ...(await explainByContract(sent, deps)), request: listParts(sent, undefined) };
  const evidence = cause?.evidence;
  const completeEvidence = await loadEvidence(evidence, sent, deps);
  const reason = await describeReason(sent, deps.decisions);
  const state = completeEvidence && (await describeState(deps.store.db, completeEvidence, sent.sender));
  const change = await suggestChange(sent, completeEvidence, deps);
  return {
    ...facts,
    summary: [OUTCOME_SUMMARIES[outcome], getReason(entry, state)].filter(Boolean).join(' '),
    ...(reason && { reason }),
    request: listParts(sent, evidence?.cause),
    ...(state && { state }),
    ...(change && { change }),
  };
}

async function loadEvidence(evidence: Evidence | undefined, { sender }: SentRequest, { createContext, store }: ControlDeps) {
  if (evidence?.cause === 'empty list') return explainEmptyList(createContext(), sender, evidence);
  if (evidence?.cause !== 'unknown' || evidence.what !== 'user' || !(await hasUnsupportedId(store.db, evidence.value))) return evidence;
  return { cause: 'id style unsupported', value: evidence.value } as const;
}

const toOtherRequest = ({ number, method, path, status }: JournalEntry): components['schemas']['ExplainedOther'] => ({
  number,
  method,
  path,
  ...(status !== undefined && { status }),
});

/** For a refused access token, prefers the problem's detail, which says more than `state.text`. */
const getReason = ({ problem }: JournalEntry, state: State | undefined): string | undefined =>
  state?.cause === 'token' ? (problem?.detail ?? state.text) : (state?.text ?? problem?.detail);

const OUTCOME_SUMMARIES: Readonly<Record<Explanation['outcome'], string>> = {
  refused: 'The request was refused.',
  'empty list': 'The list was empty.',
  'not assignable': 'The target was not assignable.',
  'injected response': 'A fault produced the response.',
  'no answer': 'The connection ended without a response.',
  succeeded: 'The request succeeded: there is nothing to explain.',
};

function getOutcome({ status, response, problem }: JournalEntry, cause: ResponseCause | undefined): Explanation['outcome'] {
  if (status === undefined) return 'no answer';
  // A redirect can carry an OAuth error, so a refusal may have a status below 400.
  if (status >= 400 || problem) return 'refused';
  if (!cause?.evidence) return 'succeeded';
  if (cause.evidence.cause === 'fault') return 'injected response';
  return (response?.body as { assignable?: boolean } | undefined)?.assignable === false ? 'not assignable' : 'empty list';
}
