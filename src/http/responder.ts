import type { Evidence, RequestSender } from '../contract/evidence.ts';
import { createGateFailure, type Failure, isFailure } from '../contract/failure.ts';
import type { Decisions } from '../contract/generated/decisions.ts';
import type { Recorder } from '../journal/recorder.ts';
import { isUnavailable } from '../store/errors.ts';
import { ANY_ORIGIN_HEADERS, allowAnyOrigin } from './any-origin.ts';
import type { Exchange } from './exchange.ts';
import type { Fault } from './faults.ts';
import { type InjectedFault, sendFaultResponse } from './gates/fault.ts';
import type { Observation } from './observation.ts';
import { sendProblem, toProblem } from './problem.ts';
import { type SuccessResponse, sendSuccess } from './success-response.ts';
import { getTraceId } from './trace.ts';

/** What the pipeline decided. */
export type Outcome = SuccessResponse | Failure | InjectedFault;

export interface ResponderContext {
  readonly decisions: Decisions;
  readonly recorder: Pick<Recorder, 'conclude'>;
  /** Called after the response was sent, or before the response to an error. */
  readonly observe: (observation: Observation) => void;
}

/** Sends responses, and tells the journal and the metrics about them. */
export function createResponder(context: ResponderContext) {
  const { decisions, recorder } = context;

  function send(exchange: Exchange, outcome: Outcome): void {
    if ('injected' in outcome) sendFault(exchange, outcome.injected);
    else if (isFailure(outcome)) sendFailure(exchange, outcome);
    else sendResponse(exchange, outcome);
  }

  function sendResponse(exchange: Exchange, response: SuccessResponse): void {
    conclude(exchange, undefined, response.evidence);
    sendSuccess(exchange.res, response, ANY_ORIGIN_HEADERS);
    observe(exchange, response.status);
  }

  function sendFault(exchange: Exchange, fault: Fault): void {
    conclude(exchange, createGateFailure('http.injected-fault'), { cause: 'fault', fault });
    allowAnyOrigin(exchange.res);
    sendFaultResponse(exchange.res, fault);
    if (fault.status !== undefined) observe(exchange, fault.status);
  }

  function sendFailure(exchange: Exchange, failure: Failure): void {
    const problem = toProblem(failure, decisions);
    conclude(exchange, failure, failure.evidence);
    allowAnyOrigin(exchange.res);
    sendProblem(exchange.res, problem, failure.headers);
    observe(exchange, problem.status);
  }

  /** Prepares the response to an error, which the app's error handler sends. */
  function prepareError(exchange: Exchange, error: unknown): void {
    allowAnyOrigin(exchange.res);
    conclude(exchange);
    observe(exchange, isUnavailable(error) ? 503 : 500);
  }

  /** Tells the journal how far the request came, and the cause of a refusal, a fault or an empty result. */
  function conclude(exchange: Exchange, failure?: Failure, evidence?: Evidence): void {
    const { res, step, token } = exchange;
    const hasCause = failure !== undefined || evidence !== undefined;
    recorder.conclude(res, { step, token, cause: hasCause ? { asker: describeSender(exchange), failure, evidence } : undefined });
  }

  function observe({ req, operationId, step, startedAt }: Exchange, status: number): void {
    const durationMs = Math.round((performance.now() - startedAt) * 1_000) / 1_000;
    context.observe({ traceId: getTraceId(req), operationId, step, status, durationMs });
  }

  return { send, prepareError, observe };
}

function describeSender({ token, caller }: Exchange): RequestSender | undefined {
  return (
    token && {
      clientId: token.clientId,
      principalId: token.principalId,
      providerId: caller?.providerId,
      scopes: [...token.scopes],
    }
  );
}
