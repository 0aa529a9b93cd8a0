import type { Judgement } from '../contract/evidence.ts';
import type { components } from '../contract/generated/control.ts';
import type { JournalEntry, Judged } from '../journal/journal.ts';
import { problemId } from './explain/case.ts';
import { partsOf } from './explain/parts.ts';
import { reasonOf } from './explain/reason.ts';
import { stateOf } from './explain/state-in-words.ts';
import { traceIdMeant } from './explain/trace-id.ts';
import { tried } from './explain/tried.ts';
import { type ControlDeps, type ControlHandlers, cannot } from './handler.ts';

type Schemas = components['schemas'];
type Explanation = Schemas['Explanation'];

/** GET /_control/explain/{traceId}: why a request got its answer, and what would have let it succeed. */
export const explain: Pick<ControlHandlers, 'explain'> = {
  async explain({ params }, deps) {
    const found = deps.journal.findJudged(traceIdMeant(params.traceId ?? ''));
    return found ? { status: 200, body: await explanationOf(found, deps) } : cannot('not-found', NOT_THERE);
  },
};

const NOT_THERE = `The journal has no request with this trace id. It keeps only the last 1000 requests and none of the control API, and a reset or a \
restart empties it. A request with an invalid traceparent gets a new trace id, which its response shows. GET /_control/requests lists the requests.`;

async function explanationOf({ entry, judgement, others }: Judged, deps: ControlDeps): Promise<Explanation> {
  const { traceId, at, door, method, path, operationId, status, step } = entry;
  const outcome = outcomeOf(entry, judgement);
  const told = {
    traceId,
    at,
    door,
    method,
    path,
    ...(operationId !== undefined && { operationId }),
    ...(status !== undefined && { status }),
    ...(step !== undefined && { step }),
    outcome,
    ...(entry.problem?.detail !== undefined && { detail: entry.problem.detail }),
    ...(others.length > 0 && { others: others.map(otherOf) }),
  };
  if (outcome === 'succeeded') return { ...told, summary: 'It succeeded: there is nothing to explain.', request: [] };
  const reason = await reasonOf(entry, judgement, deps.decisions);
  const state = judgement?.evidence && stateOf(judgement.evidence);
  const { of, change, now } = await tried(entry, judgement, deps);
  return {
    ...told,
    summary: [WORDS[outcome](entry, problemId(entry, judgement)), whyOf(entry, state)].filter(Boolean).join(' '),
    ...(reason && { reason }),
    request: partsOf(of),
    ...(state && { state }),
    ...(change && { change }),
    ...(now && { now }),
  };
}

const otherOf = ({ number, method, path, status }: JournalEntry): Schemas['ExplainedOther'] => ({
  number,
  method,
  path,
  ...(status !== undefined && { status }),
});

/** Of a token the state says less than the answer, which read it. */
const whyOf = ({ problem }: JournalEntry, state: Schemas['ExplainedState'] | undefined): string | undefined =>
  state?.cause === 'token' ? (problem?.detail ?? state.text) : (state?.text ?? problem?.detail);

const WORDS: Readonly<Record<Explanation['outcome'], (entry: JournalEntry, id: string | undefined) => string>> = {
  refused: ({ status = 500, problem }, id) =>
    status < 400
      ? `It was refused: the redirect (${status}) takes the error ${problem?.title} to the client.`
      : `It was refused with ${status}${id === undefined ? '' : `, by ${id}`}.`,
  'empty list': () => 'The list was empty.',
  'not assignable': () => 'The target was not assignable.',
  'injected response': ({ status }) => `A fault sent the response (${status}).`,
  'no answer': () => 'The connection ended without an answer.',
  succeeded: () => 'It succeeded.',
};

function outcomeOf({ status, response, problem }: JournalEntry, judgement: Judgement | undefined): Explanation['outcome'] {
  if (status === undefined) return 'no answer';
  // An OAuth error goes to the client by a redirect.
  if (status >= 400 || problem) return 'refused';
  if (!judgement?.evidence) return 'succeeded';
  if (judgement.evidence.cause === 'fault') return 'injected response';
  return (response?.body as { assignable?: boolean } | undefined)?.assignable === false ? 'not assignable' : 'empty list';
}
