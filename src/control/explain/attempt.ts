import { isDeepStrictEqual } from 'node:util';
import type { Evidence } from '../../contract/evidence.ts';
import type { components } from '../../contract/generated/control.ts';
import { isNestedDeeper } from '../../contract/validators.ts';
import type { Fault } from '../../http/faults.ts';
import type { Case } from './case.ts';
import type { Change } from './changes/change.ts';
import { changesOf } from './changes/changes.ts';
import { joined } from './changes/edit.ts';
import { errorsIn } from './parts.ts';
import { stateOf } from './state-in-words.ts';
import type { ControlCall, Reply, SentRequest, Trial } from './trial.ts';

type Explained = components['schemas']['ExplainedChange'];
type Now = components['schemas']['ExplainedNow'];

/** More tries would keep whoever asks waiting. */
const MOST_TRIES = 14;
/** A second mistake comes to light where the first is mended; more than these in one request are left to their own explanation. */
const DEEPEST = 3;
const MOST_FURTHER = 4;

/** What the request comes to now. */
interface Again {
  readonly now: Now;
  /** What it meets now, where that is not what it met then. */
  readonly present: Case | undefined;
}

/** The request unchanged in a copy of the present world, with the faults that are in force. */
export async function sendAgain(of: Case, trial: Trial, faults: readonly Fault[], passed: boolean): Promise<Again> {
  const { request, entry, evidence, id } = of;
  await trial.restart();
  // A fault with a probability might not hit again, so it is left out. The fault to explain is kept: it is added without its probability.
  const isCause = ({ id: faultId }: Fault) => evidence?.cause === 'fault' && evidence.fault.id === faultId;
  for (const fault of faults)
    if (fault.fault !== 'latency' && !isOver(fault) && (fault.probability === undefined || isCause(fault)))
      await trial.control(addition(fault));
  if (evidence?.cause === 'rate' && !passed) await useUp(trial, request, evidence);
  const reply = await trial.send(request);
  const same = reply.status === entry.status && problemIn(reply) === id && !succeeds(reply, entry.status);
  const then = entry.status === undefined ? 'no answer' : String(entry.status);
  const anew = PASSING.some((cause) => cause === evidence?.cause || cause === reply.judgement?.evidence?.cause);
  const present = anew ? undefined : refusedAnew(of, request, reply);
  const isGone = evidence?.cause === 'fault' && !faults.some((fault) => isCause(fault) && !isOver(fault));
  const why = isGone ? `the fault ${evidence.fault.id} is used up or was removed` : 'the state has changed since';
  const other = present?.evidence && `, but for another reason: ${stateOf(present.evidence).text}`;
  const text = same
    ? `The same request gets the same answer in the present world${other ?? '.'}`
    : `The same request gets ${said(reply)} in the present world, and got ${[then, id].filter(Boolean).join(' ')} then: ${why}.`;
  return { now: { ...(reply.status !== undefined && { status: reply.status }), same, text }, present };
}

/** What the copy of the world does not have of itself: it is set up for each try. */
const PASSING: readonly Evidence['cause'][] = ['fault', 'rate'];

const said = (reply: Reply): string =>
  reply.status === undefined ? 'no answer' : [reply.status, problemIn(reply)].filter((part) => part !== undefined).join(' ');

/** The rule, open point or reason that decided the answer. */
function problemIn({ body, judgement }: Reply): string | undefined {
  if (judgement?.problem !== undefined) return judgement.problem;
  const { type } = (body ?? {}) as { type?: unknown };
  return typeof type === 'string' ? type.slice('/problems/'.length) : undefined;
}

/**
 * Applies one change after the other to a copy of the world, until the request succeeds there.
 *
 * @param present what the request meets now. @returns that change, or the one that got furthest.
 */
export async function smallestChange(of: Case, trial: Trial, present = of): Promise<Explained | undefined> {
  const queue = changesOf(present).map((change) => ({ change, depth: 1 }));
  let furthest: Explained | undefined;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const next = queue.shift();
    if (!next) break;
    const { change, depth } = next;
    const request: SentRequest = { ...of.request, ...change.request, headers: { ...of.request.headers, ...change.request?.headers } };
    const reply = await attempt(of, trial, change, request);
    if (reply === undefined) continue;
    const explained = shown(of, change, reply);
    if (explained.succeeds) return explained;
    const met = refusedAnew(present, request, reply);
    if (met === undefined) continue;
    furthest ??= { ...explained, text: `${explained.text} It then meets ${met.id ?? 'an empty list'}.` };
    if (depth < DEEPEST) {
      const further = changesOf(met).map((one) => ({ change: joined(of.request, change, one), depth: depth + 1 }));
      // Behind the rest: what is changed in one place is smaller than what is changed in two.
      queue.push(...further.slice(0, MOST_FURTHER));
    }
  }
  return furthest;
}

/** What a changed request meets next, as a case of its own. Undefined where it is the same as before. */
function refusedAnew(of: Case, request: SentRequest, reply: Reply): Case | undefined {
  const { status = 0, body, judgement } = reply;
  const id = problemIn(reply);
  const evidence = judgement?.evidence;
  if (id === undefined && evidence === undefined) return undefined;
  if (id === of.id && isSameState(evidence, of.evidence) && isDeepStrictEqual(pointersIn(body), pointersIn(of.entry.response?.body)))
    return undefined;
  const { step: _ofTheFirst, ...entry } = of.entry;
  return { ...of, id, request, evidence, entry: { ...entry, status, response: { body } } };
}

/** Where a problem finds fault: the same rule may be broken in another place. */
const pointersIn = (body: unknown): string[] => errorsIn(body).map(({ pointer }) => pointer);

/** What has two sides, or several filters: the next may come to light where the first is mended, in the same words. */
const MANY: readonly Evidence['cause'][] = ['levels', 'unknown', 'empty list'];

/** Whether the same stood in the way. */
function isSameState(one: Evidence | undefined, other: Evidence | undefined): boolean {
  return one?.cause === other?.cause && (one === undefined || !MANY.includes(one.cause) || isDeepStrictEqual(one, other));
}

/** @returns undefined where the change cannot be made in this world. */
async function attempt({ evidence, request: original }: Case, trial: Trial, { control = [] }: Change, request: SentRequest) {
  await trial.restart();
  const ids = new Map<string, string>();
  if (evidence?.cause === 'fault') ids.set(evidence.fault.id, await setFault(trial, evidence.fault));
  if (evidence?.cause === 'rate') await useUp(trial, original, evidence);
  for (const call of control) {
    const { status = 500 } = await trial.control(inTrial(call, ids));
    if (status >= 400) return undefined;
  }
  return trial.send(request);
}

async function setFault(trial: Trial, fault: Fault): Promise<string> {
  const { times: _asOften, ...always } = fault;
  const { body } = await trial.control(addition({ ...always, hits: 0 }));
  return (body as Fault).id;
}

function addition({ id: _id, hits, times, after = 0, probability: _always, seed: _none, ...fault }: Fault): ControlCall {
  const left = times === undefined ? {} : { times: times - hits };
  return { method: 'POST', path: '/faults', body: { ...fault, ...left, ...(hits === 0 && after > 0 && { after }) } };
}

const isOver = ({ times, hits }: Fault): boolean => times !== undefined && hits >= times;

/** A fault has another id in the copy. */
function inTrial(call: ControlCall, ids: ReadonlyMap<string, string>): ControlCall {
  for (const [id, there] of ids) if (call.path === `/faults/${encodeURIComponent(id)}`) return { ...call, path: `/faults/${there}` };
  return call;
}

/** Requests at a time: the window is a second wide. */
const AT_ONCE = 20;

/** Fills the window of the client that asked, so long ago as it was. */
async function useUp(trial: Trial, request: SentRequest, { limit, window, waitMs }: Extract<Evidence, { cause: 'rate' }>): Promise<void> {
  for (let sent = 0; sent < limit; sent += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, limit - sent) }, () => trial.send(request)));
  }
  if (window === 'sliding') await trial.control({ method: 'POST', path: '/clock/advance', body: { by: Math.max(0, 1000 - waitMs) } });
}

/** A success; where one was to be explained, not an empty or a negative one again. @param then the status that is explained. */
export function succeeds({ status, body, judgement }: Reply, then: number | undefined): boolean {
  if (judgement?.evidence?.cause === 'fault') return false;
  if (status === undefined || status < 200 || status > 299) return false;
  const { entities, assignable } = (body ?? {}) as { entities?: readonly unknown[]; assignable?: boolean };
  return then === undefined || then >= 400 || (entities?.length !== 0 && assignable !== false);
}

function shown({ request: original, entry }: Case, { text, request, control }: Change, reply: Reply): Explained {
  const headers = Object.fromEntries(Object.entries(request?.headers ?? {}).filter(([name, value]) => original.headers[name] !== value));
  return {
    text,
    tested: true,
    succeeds: succeeds(reply, entry.status),
    ...(reply.status !== undefined && { status: reply.status }),
    ...(control && { control: control.map((call) => ({ ...call, path: `/_control${call.path}` })) }),
    ...(request && {
      request: {
        ...(request.method !== undefined && { method: request.method }),
        ...(request.path !== undefined && request.path !== original.path && { path: request.path }),
        ...(Object.keys(headers).length > 0 && { headers }),
        ...(request.body !== undefined && { body: parsed(request.body) }),
        ...(request.token && { token: request.token }),
      },
    }),
  };
}

function parsed(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body);
    return isNestedDeeper(value) ? body : value;
  } catch {
    return body;
  }
}
