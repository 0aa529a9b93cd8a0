import type { Request, Response } from 'express';
import type { Clock } from '../clock/clock.ts';
import type { Evidence } from '../contract/evidence.ts';
import { type Failure, gateFailure, isFailure, type ResponseCause } from '../contract/failure.ts';
import { type OperationId, operations } from '../contract/generated/operations.ts';
import type { VerifiedToken } from '../oauth/token-claims.ts';
import { isUnavailable } from '../store/errors.ts';
import { ANY_ORIGIN, allowAnyOrigin } from './any-origin.ts';
import type { Exchange } from './exchange.ts';
import type { Fault, Faults } from './faults.ts';
import { type AuthenticationContext, createAuthenticate } from './gates/authenticate.ts';
import { checkBody } from './gates/body.ts';
import { AUTHORIZATION_FAULTS, ENTRY_FAULTS, failClosed, type Injected, injectFault, sendInjected } from './gates/fault.ts';
import { canonical, checkPath, checkQuery } from './gates/query.ts';
import { createRateGate } from './gates/rate.ts';
import { checkScope } from './gates/scope.ts';
import type { Observation, StepName } from './observation.ts';
import { problemOf, sendProblem } from './problem.ts';
import { type Answer, sendAnswer } from './success-response.ts';
import { traceIdOf } from './trace.ts';

export interface PipelineContext extends AuthenticationContext {
  readonly clock: Clock;
  readonly faults: Faults;
  readonly observe?: ((observation: Observation, res: Response, token: VerifiedToken | undefined) => void) | undefined;
  /** Called before the response if the request is refused or has an empty result. */
  readonly onCause?: ((res: Response, cause: ResponseCause) => void) | undefined;
}

type StepResult = Failure | Injected | undefined;
type Step = { readonly name: StepName; readonly run: (exchange: Exchange) => StepResult | Promise<StepResult> };
export type Handle = (exchange: Exchange) => Promise<Answer | Failure>;

const NOTHING: Readonly<Record<string, string>> = {};

/**
 * Creates the pipeline. It runs the steps for a request in order until a step refuses the request. If a request has several faults, the
 * order of the steps decides which fault is reported, so one table contains all steps in order.
 */
export function createPipeline(context: PipelineContext) {
  const { decisions, faults, world } = context;
  const authenticate = createAuthenticate(context);
  const rate = createRateGate(context);
  const onlyValidCount = decisions['limits.assignability.counts'] === 'valid';

  const steps: readonly Step[] = [
    { name: 'fault', run: (x) => (faults.none ? undefined : injectFault(x, faults, ENTRY_FAULTS, decisions)) },
    { name: 'authenticate', run: authenticate },
    { name: 'scope', run: (x) => checkScope(x, decisions) },
    { name: 'rate', run: (x) => (onlyValidCount ? undefined : rate.check(x)) },
    { name: 'query', run: (x) => checkPath(x, decisions) ?? checkQuery(x, decisions) },
    { name: 'body', run: (x) => (x.operation.hasBody ? checkBody(x, decisions) : undefined) },
    { name: 'rate', run: (x) => (onlyValidCount ? rate.check(x) : undefined) },
    { name: 'fault', run: (x) => (faults.none ? undefined : injectFault(x, faults, AUTHORIZATION_FAULTS, decisions)) },
  ];

  async function run(exchange: Exchange, handle: Handle): Promise<void> {
    const refreshed = world.refresh();
    if (refreshed) await refreshed;
    for (const step of steps) {
      exchange.step = step.name;
      const result = step.run(exchange);
      const failure = result instanceof Promise ? await result : result;
      if (failure && 'injected' in failure) return inject(exchange, failure.injected);
      if (failure) return refuseExchange(exchange, failure);
    }
    exchange.step = 'handle';
    const answer = await handle(exchange).catch(failClosed(exchange));
    if (isFailure(answer)) return refuseExchange(exchange, answer);
    exchange.step = 'done';
    if (answer.evidence !== undefined) recordCause(exchange, undefined, answer.evidence);
    sendAnswer(exchange.res, answer, ANY_ORIGIN);
    observe(exchange, answer.status);
  }

  function inject(exchange: Exchange, fault: Fault): void {
    recordCause(exchange, gateFailure('http.injected-fault'), { cause: 'fault', fault });
    allowAnyOrigin(exchange.res);
    sendInjected(exchange.res, fault);
    if (fault.status !== undefined) observe(exchange, fault.status);
  }

  function refuseExchange(exchange: Exchange, failure: Failure): void {
    const problem = problemOf(failure, decisions);
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
        traceId: traceIdOf(req),
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
    /** Returns the handler of an operation. @param parameter the value of the path parameter */
    serve(operationId: OperationId, handle: Handle): (req: Request, res: Response, parameter: string | undefined) => Promise<void> {
      const operation = operations[operationId];
      const [name] = operation.pathParameters;
      return async (req, res, parameter) => {
        const startedAt = performance.now();
        const path = name === undefined ? NOTHING : { [name]: canonical(parameter!, decisions['http.uuid-letter-case']) };
        const [token, caller, query, body] = [undefined, undefined, NOTHING, NOTHING];
        const exchange: Exchange = { operationId, operation, req, res, startedAt, step: 'fault', path, token, caller, query, body };
        try {
          await run(exchange, handle);
        } catch (error) {
          // The error is rethrown, because the error handler of the app sends the response.
          allowAnyOrigin(res);
          observe(exchange, isUnavailable(error) ? 503 : 500);
          throw error;
        }
      };
    },
    clear: rate.clear,
  };
}
