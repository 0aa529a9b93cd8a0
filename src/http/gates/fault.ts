import { setTimeout as pause } from 'node:timers/promises';
import { because, type Evidence } from '../../contract/evidence.ts';
import type { Decisions } from '../../contract/generated/decisions.ts';
import { statusOf } from '../../contract/generated/rules.ts';
import { refuse } from '../../contract/outcome.ts';
import type { AnyRefusal } from '../answer.ts';
import { INTERNAL_DETAIL } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import type { Fault, Faults } from '../faults.ts';
import type { GateProblemId } from '../gate-problems.ts';

/** Failures of what stands before the service; they hit whoever asks. */
export const AT_THE_DOOR = ['latency', 'connection-reset', 'problem'] as const satisfies readonly Fault['fault'][];
/** A failure where permissions are asked for: a request that carries no good token does not get there. */
export const AT_AUTHORIZATION = ['authorization-service-down'] as const satisfies readonly Fault['fault'][];

const INJECTED = 'http.injected-fault' satisfies GateProblemId;

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
        return because(authorizationServiceDown(exchange), evidenceOf(fault));
      case 'problem':
        return because(injectedProblem(fault, decisions), evidenceOf(fault));
    }
  }
  return undefined;
}

/** Has the rule of the operation's 503, because the kit behaves as it would if the cause were real. */
function authorizationServiceDown({ operationId }: Exchange): AnyRefusal {
  const documented = Object.entries(statusOf[operationId]).find(([, status]) => status === 503);
  return refuse(503, documented?.[0] ?? INJECTED, 'The authorization service cannot be reached.');
}

/** Names no rule of the operation, because the request broke none. The users operations document one fixed detail for every 500. */
function injectedProblem({ id, status = 500 }: Fault, decisions: Decisions): AnyRefusal {
  const detail = status === 500 ? INTERNAL_DETAIL : `The fault ${id} injected this response. The request itself was not evaluated.`;
  const refusal = refuse(status, INJECTED, detail);
  // Headers that every 401 and 429 of the service has.
  if (status === 401) return { ...refusal, headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } };
  return status === 429 && decisions['limits.assignability.retry-after'] === 'sent'
    ? { ...refusal, headers: { 'Retry-After': '1' } }
    : refusal;
}
