import { setTimeout as pause } from 'node:timers/promises';
import { because, type Evidence } from '../../contract/evidence.ts';
import type { Decisions } from '../../contract/generated/decisions.ts';
import { statusOf } from '../../contract/generated/rules.ts';
import { refuse } from '../../contract/outcome.ts';
import type { AnyRefusal } from '../answer.ts';
import { INTERNAL_DETAIL } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import type { Fault, Faults } from '../faults.ts';

/** Failures of what stands before the service; they hit whoever asks. */
export const AT_THE_DOOR = ['latency', 'connection-reset', 'problem'] as const satisfies readonly Fault['fault'][];
/** A failure where permissions are asked for: a request that carries no good token does not get there. */
export const AT_AUTHORIZATION = ['authorization-service-down'] as const satisfies readonly Fault['fault'][];

/** That the connection was ended instead of an answer. */
export interface Reset {
  readonly reset: true;
  readonly evidence: Evidence;
}

/** The fault as it is at this moment: its hits go on. */
const evidenceOf = (fault: Fault): Evidence => ({ cause: 'fault', fault: { ...fault } });

/** What the operator asked to go wrong. Latency lets the request go on; a reset ends the connection without an answer. */
export async function injectFault(
  exchange: Exchange,
  faults: Faults,
  kinds: typeof AT_THE_DOOR | typeof AT_AUTHORIZATION,
  decisions: Decisions,
): Promise<AnyRefusal | Reset | undefined> {
  for (const fault of faults.hit(exchange.operationId, kinds)) {
    switch (fault.fault) {
      case 'latency':
        await pause(fault.latencyMs ?? 0);
        break;
      case 'connection-reset':
        exchange.req.socket.resetAndDestroy();
        return { reset: true, evidence: evidenceOf(fault) };
      case 'authorization-service-down':
        return because(failure(exchange, 503, 'The authorization service cannot be reached.', decisions), evidenceOf(fault));
      case 'problem': {
        const status = fault.status ?? 500;
        const detail = status === 500 ? INTERNAL_DETAIL : 'A fault was set through the control API.';
        return because(failure(exchange, status, detail, decisions), evidenceOf(fault));
      }
    }
  }
  return undefined;
}

/** The documented rule of that status, if the operation has one. */
function failure({ operationId }: Exchange, status: number, detail: string, decisions: Decisions): AnyRefusal {
  const documented = Object.entries(statusOf[operationId]).find(([, of]) => of === status);
  const refusal = refuse(status, documented?.[0] ?? 'http.injected-fault', detail);
  // What holds of a 401 or a 429 holds of one on purpose, too.
  if (status === 401) return { ...refusal, headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } };
  return status === 429 && decisions['limits.assignability.retry-after'] === 'sent'
    ? { ...refusal, headers: { 'Retry-After': '1' } }
    : refusal;
}
