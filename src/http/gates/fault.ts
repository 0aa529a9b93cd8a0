import { setTimeout as pause } from 'node:timers/promises';
import type { Response } from 'express';
import { because, type Failure, refuse } from '../../contract/failure.ts';
import type { Decisions } from '../../contract/generated/decisions.ts';
import type { GateId } from '../../contract/generated/gates.ts';
import { statusOf } from '../../contract/generated/rules.ts';
import { INTERNAL_DETAIL } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import type { Fault, Faults } from '../faults.ts';

/** Faults of what stands before the service; they hit any request. */
export const AT_THE_DOOR = ['latency', 'connection-reset', 'problem', 'response'] as const satisfies readonly Fault['fault'][];
/** A fault where permissions are checked: a request without a valid token does not get there. */
export const AT_AUTHORIZATION = ['authorization-service-down'] as const satisfies readonly Fault['fault'][];

const INJECTED = 'http.injected-fault' satisfies GateId;

/** A fault that takes the place of the answer: a response of its own, or the end of the connection. */
export interface Injected {
  readonly injected: Fault;
}

/** Applies the faults that hit the request. After a latency the request goes on. */
export async function injectFault(
  exchange: Exchange,
  faults: Faults,
  kinds: typeof AT_THE_DOOR | typeof AT_AUTHORIZATION,
  decisions: Decisions,
): Promise<Failure | Injected | undefined> {
  for (const fault of faults.hit(exchange, kinds)) {
    switch (fault.fault) {
      case 'latency':
        await pause(fault.latencyMs ?? 0);
        break;
      case 'connection-reset':
      case 'response':
        return { injected: fault };
      case 'authorization-service-down':
        return because(authorizationServiceDown(exchange), { cause: 'fault', fault });
      case 'problem':
        return because(injectedProblem(fault, decisions), { cause: 'fault', fault });
    }
  }
  return undefined;
}

/** Ends the connection, or sends the response that the fault gives. */
export function sendInjected(res: Response, { fault, status = 200, headers = {}, body }: Fault): void {
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
  // Bytes, because Node writes the headers in the encoding of a body that is a string.
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  res.setHeader('Content-Length', bytes.length);
  res.end(bytes);
}

/** Names the rule of the operation's 503, because the kit answers as it would if the cause were real. */
function authorizationServiceDown({ operationId }: Exchange): Failure {
  const documented = Object.entries(statusOf[operationId]).find(([, status]) => status === 503);
  return refuse(503, documented?.[0] ?? INJECTED, 'The authorization service cannot be reached.');
}

/** Names no rule of the operation, because the request broke none. The users operations document one fixed detail for every 500. */
function injectedProblem({ id, status = 500 }: Fault, decisions: Decisions): Failure {
  const detail = status === 500 ? INTERNAL_DETAIL : `The fault ${id} injected this response. The request itself was not evaluated.`;
  const refusal = refuse(status, INJECTED, detail);
  // Headers that real responses with 401 and 429 have.
  if (status === 401) return { ...refusal, headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } };
  return status === 429 && decisions['limits.assignability.retry-after'] === 'sent'
    ? { ...refusal, headers: { 'Retry-After': '1' } }
    : refusal;
}
