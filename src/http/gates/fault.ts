import { setTimeout as pause } from 'node:timers/promises';
import type { Response } from 'express';
import { addEvidence, type Failure, refuse } from '../../contract/failure.ts';
import type { Decisions } from '../../contract/generated/decisions.ts';
import type { GateId } from '../../contract/generated/gates.ts';
import { statusOf } from '../../contract/generated/rules.ts';
import { PermissionsUnavailable } from '../../domain/access.ts';
import { getErrorStatusOfRule } from '../../world/fault-checks.ts';
import { INTERNAL_DETAIL } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import type { Fault, Faults } from '../faults.ts';

/** Faults that are injected before the first check, so they can affect every request. */
export const ENTRY_FAULTS = ['latency', 'connection-reset', 'problem', 'response'] as const satisfies readonly Fault['fault'][];
/** Faults of requests that are valid so far. They are injected in the last step before the use case. */
export const AUTHORIZATION_FAULTS = ['slow-response', 'authorization-service-down'] as const satisfies readonly Fault['fault'][];

const INJECTED_FAULT = 'http.injected-fault' satisfies GateId;

export interface FaultContext {
  readonly decisions: Decisions;
  /** Ends latencies, which could otherwise keep the process alive for minutes after the kit closed. */
  readonly closing: AbortSignal;
}

export interface InjectedFault {
  readonly injected: Fault;
}

/** Applies latencies and permission faults. Returns a fault of any other kind for the caller to apply. */
export async function injectFault(
  exchange: Exchange,
  faults: Faults,
  kinds: readonly Fault['fault'][],
  { decisions, closing }: FaultContext,
): Promise<Failure | InjectedFault | undefined> {
  for (const fault of await faults.hit(exchange, kinds)) {
    switch (fault.fault) {
      case 'latency':
      case 'slow-response':
        await pause(fault.latencyMs ?? 0, undefined, { signal: closing }).catch(() => {});
        break;
      case 'connection-reset':
      case 'response':
        return { injected: fault };
      case 'authorization-service-down':
        exchange.caller = { ...exchange.caller!, outage: { cause: 'fault', fault } };
        break;
      case 'problem':
        // A slow request is also slow if another fault refuses it.
        if (exchange.req.headers.authorization !== undefined)
          await injectFault(exchange, faults, ['slow-response'], { decisions, closing });
        return addEvidence(createInjectedProblem(exchange, fault, decisions), { cause: 'fault', fault });
    }
  }
  return undefined;
}

export function sendFaultResponse(res: Response, { fault, status = 200, headers = {}, body }: Fault): void {
  if (fault === 'connection-reset') {
    res.req.socket.resetAndDestroy();
    return;
  }
  res.statusCode = status;
  res.setHeader('Cache-Control', 'no-store');
  if (body !== undefined)
    res.setHeader('Content-Type', typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8');
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  if (body === undefined) {
    res.end();
    return;
  }
  // Send the body as bytes, because with a string, Node would encode the headers in UTF-8 instead of Latin-1.
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  res.setHeader('Content-Length', bytes.length);
  res.end(bytes);
}

export function createPermissionErrorHandler({ operationId }: Exchange): (error: unknown) => Failure {
  return (error) => {
    if (!(error instanceof PermissionsUnavailable)) throw error;
    const documented = Object.entries(statusOf[operationId]).find(([, status]) => status === 503);
    return addEvidence(refuse(503, documented?.[0] ?? INJECTED_FAULT, 'The authorization service cannot be reached.'), error.outage);
  };
}

function createInjectedProblem({ operationId }: Exchange, fault: Fault, decisions: Decisions): Failure {
  const { id, rule, status: given = 500 } = fault;
  const status = rule === undefined ? given : (getErrorStatusOfRule(operationId, rule) ?? given);
  const detail = `The fault ${id} injected this response. The request itself was not evaluated.`;
  const refusal = createProblem({ status, rule, detail }, decisions);
  return fault.headers ? { ...refusal, headers: { ...refusal.headers, ...fault.headers } } : refusal;
}

interface ChosenProblem {
  readonly status: number;
  /** The rule to name in the problem's type. */
  readonly rule: string | undefined;
  /** Problems with the status 500 have a fixed detail instead. */
  readonly detail: string;
}

/** Creates a problem that does not depend on the request. */
export function createProblem({ status, rule = INJECTED_FAULT, detail }: ChosenProblem, decisions: Decisions): Failure {
  const refusal = refuse(status, rule, status === 500 ? INTERNAL_DETAIL : detail);
  // The headers of the service's own 401 and 429 responses.
  if (status === 401) return { ...refusal, headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } };
  return status === 429 && decisions['limits.assignability.retry-after'] === 'sent'
    ? { ...refusal, headers: { 'Retry-After': '1' } }
    : refusal;
}
