import { setTimeout as pause } from 'node:timers/promises';
import { statusOf } from '../../contract/generated/rules.ts';
import { refuse } from '../../contract/outcome.ts';
import type { AnyRefusal } from '../answer.ts';
import { INTERNAL_DETAIL } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import type { Faults } from '../faults.ts';

/** What the operator asked to go wrong. Latency lets the request go on; a reset ends the connection without an answer. */
export async function injectFault(exchange: Exchange, faults: Faults): Promise<AnyRefusal | 'reset' | undefined> {
  for (const fault of faults.hit(exchange.operationId)) {
    switch (fault.fault) {
      case 'latency':
        await pause(fault.latencyMs ?? 0);
        break;
      case 'connection-reset':
        exchange.req.socket.resetAndDestroy();
        return 'reset';
      case 'authorization-service-down':
        return failure(exchange, 503, 'The authorization service cannot be reached.');
      case 'problem': {
        const status = fault.status ?? 500;
        return failure(exchange, status, status === 500 ? INTERNAL_DETAIL : 'A fault was set through the control API.');
      }
    }
  }
  return undefined;
}

/** The documented rule of that status, if the operation has one. */
function failure({ operationId }: Exchange, status: number, detail: string): AnyRefusal {
  const documented = Object.entries(statusOf[operationId]).find(([, of]) => of === status);
  const refusal = refuse(status, documented?.[0] ?? 'http.injected-fault', detail);
  // auth.challenge holds of failures on purpose, too.
  return status === 401 ? { ...refusal, headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } } : refusal;
}
