import type { Judgement } from '../../contract/evidence.ts';
import type { components } from '../../contract/generated/control.ts';
import type { JournalEntry } from '../../journal/journal.ts';
import { REDACTED } from '../../journal/secrets.ts';
import type { ControlDeps } from '../handler.ts';
import { sendAgain, smallestChange } from './attempt.ts';
import { type Case, caseOf, isSentAsJson, lost } from './case.ts';

type Schemas = components['schemas'];

interface Tried {
  readonly of: Pick<Case, 'entry' | 'evidence' | 'id' | 'operationId' | 'request'>;
  readonly change?: Schemas['ExplainedChange'];
  readonly now?: Schemas['ExplainedNow'];
}

/** More requests than these are not sent to fill the window of a rate. */
const MOST_REQUESTS = 1000;

const untested = (text: string): Schemas['ExplainedChange'] => ({ text, tested: false });

/** What comes of the request in a copy of the world: unchanged, and with the smallest change that lets it succeed. */
export async function tried(entry: JournalEntry, judgement: Judgement | undefined, deps: ControlDeps): Promise<Tried> {
  const bare = caseOf(entry, judgement, { world: '' }, deps.decisions);
  const why = whyNotTried(bare);
  if (why !== undefined) return { of: bare, change: untested(why) };
  const trial = await deps.trial();
  if ('why' in trial) return { of: bare, change: untested(`Nothing was tried. ${trial.why}`) };
  try {
    const of = caseOf(entry, judgement, trial.world, deps.decisions);
    const again = canRepeat(of) ? await sendAgain(of, trial, deps.faults.list(), hasPassed(of, deps)) : undefined;
    const now = again?.now;
    const { cause } = of.evidence ?? {};
    const byNow = now !== undefined && !now.same && (now.status ?? 500) < 300 && cause !== 'rate';
    const change = byNow
      ? { text: 'None is needed any more: the same request succeeds now.', tested: true, succeeds: true, status: now.status as number }
      : ((await smallestChange(of, trial, again?.present)) ?? untested('Nothing was found that would let it succeed.'));
    return { of, change: withWhatWasNotKept(of, change), ...(now && { now }) };
  } finally {
    await trial.close();
  }
}

/** A sentence or two where the request, or what would let it succeed, is nothing to be tried out. */
function whyNotTried({ entry, evidence, id }: Case): string | undefined {
  if (entry.door === 'authorization') return 'Nothing was tried: codes, secrets and assertions are not kept.';
  if (id === 'http.unexpected-error') return 'Nothing was tried. The kit itself failed; its log has the cause under the trace id.';
  if (id === 'http.unavailable')
    return 'Nothing was tried: the database was unavailable. Repeat the request when the database is available again.';
  const gone = lost(entry);
  if (gone !== undefined) {
    const needed = entry.step === 'body' && !isSentAsJson(entry.request?.headers);
    return needed ? `Send the header Content-Type: application/json. That was not tried. ${gone}` : `Nothing was tried. ${gone}`;
  }
  if (entry.status === undefined && !evidence) return 'Nothing was tried: whoever asked may have gone.';
  if (evidence?.cause === 'not shown yet')
    return `Wait ${evidence.lagMs} ms of kit time. Not tried: a copy of the world shows its users at once.`;
  return evidence?.cause === 'rate' && evidence.limit > MOST_REQUESTS
    ? `Wait ${evidence.waitMs} ms of kit time. Not tried: the window takes ${evidence.limit} requests to fill.`
    : undefined;
}

/** A token that cannot be had again cannot be refused again, either; nor can what was refused before its headers were read. */
const canRepeat = ({ evidence, entry }: Case): boolean =>
  !(evidence?.cause === 'token' && NOT_KEPT.includes(evidence.problem)) && Object.keys(entry.request?.headers ?? {}).length > 0;
const NOT_KEPT: readonly string[] = ['not bearer', 'invalid', 'expired', 'unknown client', 'unknown principal'];

/** Whether the window in which the request was one too many is over. */
const hasPassed = ({ evidence, entry }: Case, { clock }: ControlDeps): boolean =>
  evidence?.cause === 'rate' && clock.now() >= Date.parse(entry.at) + evidence.waitMs;

/** The change, with what of the request it was tried with was not what had been sent. */
function withWhatWasNotKept(of: Case, change: Schemas['ExplainedChange']): Schemas['ExplainedChange'] {
  const { request, evidence, standIn } = of;
  if (!change.tested) return change;
  const sentences = [change.text];
  if (standIn && request.token && evidence?.cause !== 'token') {
    const { client, principal } = request.token;
    const whose = `of the client ${client}${principal === undefined ? '' : ` and the principal ${principal}`}`;
    sentences.push(`Tried with a token ${whose}, for the one that was sent is not known.`);
  }
  if (change.request?.body === undefined && request.body?.includes(REDACTED))
    sentences.push(`Tried with ${REDACTED} for the secrets in its body, which are not kept.`);
  return { ...change, text: sentences.join(' ') };
}
