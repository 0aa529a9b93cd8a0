import type { OperationId } from '../../src/contract/generated/operations.ts';
import { problemType } from './judge.ts';
import { control, type Late, operationOf } from './known.ts';
import { curl } from './report.ts';
import type { FuzzRequest } from './request.ts';
import type { FuzzResponse } from './send.ts';
import type { Asked, Subject } from './subject.ts';

export interface Difference {
  readonly request: string;
  readonly answers: readonly string[];
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** Moves kit time past the rate windows. */
const PAST_WINDOW = '2s';
/**
 * Sends the same requests, one after the other, to two kits on different engines. Each is resolved against its own kit, whose ids are others.
 *
 * @returns where status, problem type or the content of a success differ, and every answer that none may be.
 */
export async function runInLockstep(one: Subject, two: Subject, requests: Iterable<Late<FuzzRequest>>) {
  const differences: Difference[] = [];
  const faults: Difference[] = [];
  const both = [one, two];
  const ofWorld = new Set(Object.values(one.known.values).flat());
  for (const late of requests) {
    const resolved = both.map((subject) => late(subject.known));
    const ask = () => Promise.all(both.map((subject, i) => subject.ask(resolved[i]!)));
    let asked = await ask();
    // How much fits in a second of wall time is no matter of the engine.
    if (asked.some(({ response }) => response.status === 429)) {
      await Promise.all(both.map(({ url }) => control(url, '/clock/advance', { by: PAST_WINDOW })));
      asked = await ask();
    }
    const request = resolved[0]!;
    const answers = asked.map(({ response }) => comparable(operationOf(request), response, ofWorld));
    if (answers[0] !== answers[1]) differences.push({ request: curl(one.url, request), answers });
    const wrong = asked.flatMap((answer: Asked) => answer.faults);
    if (wrong.length > 0) faults.push({ request: curl(one.url, request), answers: wrong });
  }
  return { differences, faults };
}

/** Nothing in the campaign changes users: of them all has to be the same. What was made has other ids, times and so cursors in each kit. */
function comparable(operationId: OperationId | undefined, response: FuzzResponse, ofWorld: ReadonlySet<string>): string {
  const { status, text } = response;
  if (status >= 400) return `${status} ${problemType(response)}`;
  if (operationId === 'getUsers' || operationId === 'getUser') return `${status} ${text}`;
  const masked = text.replaceAll(UUID, (id) => (ofWorld.has(id) ? id : '…')).replaceAll(/"(updatedAt|cursor)":"[^"]+"/g, '"$1":"…"');
  return `${status} ${masked}`;
}
