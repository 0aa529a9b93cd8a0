import type { Request, Response } from 'express';
import type { Clock } from '../clock/clock.ts';
import type { Evidence } from '../contract/evidence.ts';
import { createGateFailure, type Failure, isFailure, type ResponseCause } from '../contract/failure.ts';
import { type OperationId, operations } from '../contract/generated/operations.ts';
import type { VerifiedToken } from '../oauth/token-claims.ts';
import { isUnavailable } from '../store/errors.ts';
import { ANY_ORIGIN_HEADERS, allowAnyOrigin } from './any-origin.ts';
import type { Exchange } from './exchange.ts';
import type { Fault, Faults } from './faults.ts';
import { type AuthenticationContext, createAuthenticate } from './gates/authenticate.ts';
import { checkBody } from './gates/body.ts';
import {
  AUTHORIZATION_FAULTS,
  createPermissionErrorHandler,
  ENTRY_FAULTS,
  type FaultContext,
  type InjectedFault,
  injectFault,
  sendFaultResponse,
} from './gates/fault.ts';
import { canonicalize, checkPath, checkQuery } from './gates/query.ts';
import { createRateGate } from './gates/rate.ts';
import { checkScope } from './gates/scope.ts';
import type { Observation, StepName } from './observation.ts';
import { sendProblem, toProblem } from './problem.ts';
import { type SuccessResponse, sendSuccess } from './success-response.ts';
import { getTraceId } from './trace.ts';

export interface PipelineContext extends AuthenticationContext, FaultContext {
  readonly clock: Clock;
  readonly faults: Faults;
  readonly observe?: ((observation: Observation, res: Response, token: VerifiedToken | undefined) => void) | undefined;
  /** Called before the response is sent, if the request is refused or the result is empty. */
  readonly onCause?: ((res: Response, cause: ResponseCause) => void) | undefined;
}

type StepResult = Failure | InjectedFault | undefined;
type Step = { readonly name: StepName; readonly run: (exchange: Exchange) => StepResult | Promise<StepResult> };
export type OperationHandler = (exchange: Exchange) => Promise<SuccessResponse | Failure>;

const EMPTY_OBJECT: Readonly<Record<string, string>> = {};

/** If a request has several errors, the order of the steps determines which one is reported. */
export function createPipeline(context: PipelineContext) {
  const { decisions, faults, world } = context;
  const authenticate = createAuthenticate(context);
  const rate = createRateGate(context);
  const onlyValidCount = decisions['limits.assignability.counts'] === 'valid';

  const steps: readonly Step[] = [
    { name: 'fault', run: (x) => (faults.isEmpty ? undefined : injectFault(x, faults, ENTRY_FAULTS, context)) },
    { name: 'authenticate', run: authenticate },
    { name: 'scope', run: (x) => checkScope(x, decisions) },
    { name: 'rate', run: (x) => (onlyValidCount ? undefined : rate.check(x)) },
    { name: 'query', run: (x) => checkPath(x, decisions) ?? checkQuery(x, decisions) },
    { name: 'body', run: (x) => (x.operation.hasBody ? checkBody(x, decisions) : undefined) },
    { name: 'rate', run: (x) => (onlyValidCount ? rate.check(x) : undefined) },
    { name: 'fault', run: (x) => (faults.isEmpty ? undefined : injectFault(x, faults, AUTHORIZATION_FAULTS, context)) },
  ];

  async function runSteps(exchange: Exchange, handle: OperationHandler): Promise<void> {
    const refreshed = world.refresh();
    if (refreshed) await refreshed;
    for (const step of steps) {
      exchange.step = step.name;
      const result = step.run(exchange);
      const failure = result instanceof Promise ? await result : result;
      if (failure && 'injected' in failure) return sendFault(exchange, failure.injected);
      if (failure) return refuseExchange(exchange, failure);
    }
    exchange.step = 'handle';
    const response = await handle(exchange).catch(createPermissionErrorHandler(exchange));
    if (isFailure(response)) return refuseExchange(exchange, response);
    exchange.step = 'done';
    if (response.evidence !== undefined) recordCause(exchange, undefined, response.evidence);
    sendSuccess(exchange.res, response, ANY_ORIGIN_HEADERS);
    observe(exchange, response.status);
  }

  function sendFault(exchange: Exchange, fault: Fault): void {
    recordCause(exchange, createGateFailure('http.injected-fault'), { cause: 'fault', fault });
    allowAnyOrigin(exchange.res);
    sendFaultResponse(exchange.res, fault);
    if (fault.status !== undefined) observe(exchange, fault.status);
  }

  function refuseExchange(exchange: Exchange, failure: Failure): void {
    const problem = toProblem(failure, decisions);
    recordCause(exchange, failure, failure.evidence);
    allowAnyOrigin(exchange.res);
    sendProblem(exchange.res, problem, failure.headers);
    observe(exchange, problem.status);
  }

  function recordCause({ res, token, caller }: Exchange, failure: Failure | undefined, evidence: Evidence | undefined): void {
    if (context.onCause === undefined) return;
    const asker = token && {
      clientId: token.clientId,
      principalId: token.principalId,
      providerId: caller?.providerId,
      scopes: [...token.scopes],
    };
    context.onCause(res, { asker, failure, evidence });
  }

  function observe({ req, res, operationId, step, startedAt, token }: Exchange, status: number): void {
    context.observe?.(
      {
        traceId: getTraceId(req),
        operationId,
        step,
        status,
        durationMs: Math.round((performance.now() - startedAt) * 1_000) / 1_000,
      },
      res,
      token,
    );
  }

  return {
    handleOperation(
      operationId: OperationId,
      handle: OperationHandler,
    ): (req: Request, res: Response, parameter: string | undefined) => Promise<void> {
      const operation = operations[operationId];
      const [name] = operation.pathParameters;
      return async (req, res, parameter) => {
        const startedAt = performance.now();
        // Set the CORS headers before the body is read, so that web pages can read the HTTP server's response to a malformed or slow body.
        if (operation.hasBody) allowAnyOrigin(res);
        const path = name === undefined ? EMPTY_OBJECT : { [name]: canonicalize(parameter!, decisions['http.uuid-letter-case']) };
        const [token, caller, query, body] = [undefined, undefined, EMPTY_OBJECT, EMPTY_OBJECT];
        const exchange: Exchange = { operationId, operation, req, res, startedAt, step: 'fault', path, token, caller, query, body };
        try {
          await runSteps(exchange, handle);
        } catch (error) {
          // The app's error handler sends the response.
          allowAnyOrigin(res);
          observe(exchange, isUnavailable(error) ? 503 : 500);
          throw error;
        }
      };
    },
    clear: rate.clear,
  };
}
