import type { Judgement } from '../contract/evidence.ts';
import type { components } from '../contract/generated/control.ts';
import type { JournalEntry } from '../journal/journal.ts';
import { sendAgain, smallestChange } from './explain/attempt.ts';
import { type Case, caseOf, lost, problemId } from './explain/case.ts';
import { partsOf } from './explain/parts.ts';
import { reasonOf } from './explain/reason.ts';
import { stateOf } from './explain/state-in-words.ts';
import { type ControlDeps, type ControlHandlers, cannot } from './handler.ts';

type Schemas = components['schemas'];
type Explanation = Schemas['Explanation'];

/** GET /_control/explain/{traceId}: why a request got its answer, and what would have let it succeed. */
export const explain: Pick<ControlHandlers, 'explain'> = {
  async explain({ params }, deps) {
    const found = deps.journal.findJudged(params.traceId ?? '');
    if (!found) {
      const detail = 'The journal has no request of this trace id: it keeps the last 1000 alone. GET /_control/requests lists them.';
      return cannot('not-found', detail);
    }
    return { status: 200, body: await explanationOf(found.entry, found.judgement, deps) };
  },
};

async function explanationOf(entry: JournalEntry, judgement: Judgement | undefined, deps: ControlDeps): Promise<Explanation> {
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
  };
  if (outcome === 'succeeded') return { ...told, summary: 'It succeeded: there is nothing to explain.', request: [] };
  const reason = await reasonOf(entry, judgement, deps.decisions);
  const state = judgement?.evidence && stateOf(judgement.evidence);
  const { of, change, now } = await tried(entry, judgement, deps);
  return {
    ...told,
    summary: [WORDS[outcome](entry, problemId(entry, judgement)), state?.text ?? entry.problem?.detail].filter(Boolean).join(' '),
    ...(reason && { reason }),
    request: partsOf(of),
    ...(state && { state }),
    ...(change && { change }),
    ...(now && { now }),
  };
}

const WORDS: Readonly<Record<Explanation['outcome'], (entry: JournalEntry, id: string | undefined) => string>> = {
  refused: ({ status }, id) => `It was refused with ${status}${id === undefined ? '' : `, by ${id}`}.`,
  'empty list': () => 'The list was empty.',
  'not assignable': () => 'The target was not assignable.',
  'no answer': () => 'The connection ended without an answer.',
  succeeded: () => 'It succeeded.',
};

function outcomeOf({ status, response }: JournalEntry, judgement: Judgement | undefined): Explanation['outcome'] {
  if (status === undefined) return 'no answer';
  if (status >= 400) return 'refused';
  if (!judgement?.evidence) return 'succeeded';
  return (response?.body as { assignable?: boolean } | undefined)?.assignable === false ? 'not assignable' : 'empty list';
}

interface Tried {
  readonly of: Pick<Case, 'entry' | 'evidence' | 'id' | 'operationId' | 'request'>;
  readonly change?: Schemas['ExplainedChange'];
  readonly now?: Schemas['ExplainedNow'];
}

/** More requests than these are not sent to fill the window of a rate. */
const MOST_REQUESTS = 1000;

const untested = (text: string): Schemas['ExplainedChange'] => ({ text, tested: false });

/** What comes of the request in a copy of the world: unchanged, and with the smallest change that lets it succeed. */
async function tried(entry: JournalEntry, judgement: Judgement | undefined, deps: ControlDeps): Promise<Tried> {
  const evidence = judgement?.evidence;
  const bare = caseOf(entry, judgement, { world: '' }, deps.decisions);
  if (entry.door === 'authorization')
    return { of: bare, change: untested('Nothing was tried: codes, secrets and assertions are not kept.') };
  const why =
    problemId(entry, judgement) === 'http.unexpected-error'
      ? 'The kit itself failed; its log has the cause under the trace id.'
      : lost(entry);
  if (why !== undefined) return { of: bare, change: untested(`Nothing was tried. ${why}`) };
  if (entry.status === undefined && !evidence) return { of: bare, change: untested('Nothing was tried: whoever asked may have gone.') };
  if (evidence?.cause === 'not shown yet') {
    const text = `Wait ${evidence.lagMs} ms of kit time. Not tried: a copy of the world shows its users at once.`;
    return { of: bare, change: untested(text) };
  }
  if (evidence?.cause === 'rate' && evidence.limit > MOST_REQUESTS) {
    const text = `Wait ${evidence.waitMs} ms of kit time. Not tried: the window takes ${evidence.limit} requests to fill.`;
    return { of: bare, change: untested(text) };
  }
  const trial = await deps.trial();
  if ('why' in trial) return { of: bare, change: untested(`Nothing was tried. ${trial.why}`) };
  try {
    const of = caseOf(entry, judgement, trial.world, deps.decisions);
    const now = canRepeat(of) ? await sendAgain(of, trial, deps.faults.list(), hasPassed(of, deps)) : undefined;
    const byNow = now !== undefined && !now.same && (now.status ?? 500) < 300 && evidence?.cause !== 'fault' && evidence?.cause !== 'rate';
    const change = byNow
      ? { text: 'None is needed any more: the same request succeeds now.', tested: true, succeeds: true, status: now.status as number }
      : ((await smallestChange(of, trial)) ?? untested('Nothing was found that would let it succeed.'));
    return { of, change: of.standIn ? withStandIn(of, change) : change, ...(now && { now }) };
  } finally {
    await trial.close();
  }
}

/** A token that cannot be had again cannot be refused again, either. */
const canRepeat = ({ evidence }: Case): boolean => !(evidence?.cause === 'token' && BAD.includes(evidence.problem));
const BAD: readonly string[] = ['invalid', 'expired', 'unknown client', 'unknown principal'];

/** Whether the window in which the request was one too many is over. */
const hasPassed = ({ evidence, entry }: Case, { clock }: ControlDeps): boolean =>
  evidence?.cause === 'rate' && clock.now() >= Date.parse(entry.at) + evidence.waitMs;

function withStandIn({ request: { token }, evidence }: Case, change: Schemas['ExplainedChange']): Schemas['ExplainedChange'] {
  if (!change.tested || !token || evidence?.cause === 'token') return change;
  const whose = `of the client ${token.client}${token.principal === undefined ? '' : ` and the principal ${token.principal}`}`;
  return { ...change, text: `${change.text} Tried with a token ${whose}, for the one that was sent is not known.` };
}
