import type { Request, Response } from 'express';
import type { Clock } from '../clock/clock.ts';
import { type Failure, isFailure } from '../contract/failure.ts';
import type { Decisions } from '../contract/generated/decisions.ts';
import { type OperationId, operations } from '../contract/generated/operations.ts';
import { PermissionsUnavailable } from '../domain/access.ts';
import type { Recorder } from '../journal/recorder.ts';
import type { ServiceContext } from '../service/context.ts';
import { allowAnyOrigin } from './any-origin.ts';
import type { Exchange } from './exchange.ts';
import type { Fault, Faults } from './faults.ts';
import { type AuthenticationContext, createAuthenticate, readValidToken } from './gates/authenticate.ts';
import { checkBody } from './gates/body.ts';
import {
  AUTHORIZATION_FAULTS,
  createPermissionErrorHandler,
  ENTRY_FAULTS,
  type FaultContext,
  type InjectedFault,
  injectFault,
} from './gates/fault.ts';
import { createPreferenceGate } from './gates/preference.ts';
import { canonicalize, checkPath, checkQuery } from './gates/query.ts';
import { createRateGate } from './gates/rate.ts';
import { checkScope } from './gates/scope.ts';
import type { StepName } from './observation.ts';
import type { OriginGuard } from './origin-guard.ts';
import { createResponder, type Outcome, type ResponderContext } from './responder.ts';
import { type SuccessResponse, toBodyText } from './success-response.ts';

export interface PipelineContext extends AuthenticationContext, FaultContext, ResponderContext {
  readonly clock: Clock;
  readonly faults: Faults;
  /** Undefined if the kit has no control API. */
  readonly controlGuard: OriginGuard | undefined;
  readonly recorder: Pick<Recorder, 'conclude' | 'withEntry'>;
  service(): ServiceContext;
}

type StepResult = Failure | InjectedFault | undefined;
type Step = { readonly name: StepName; readonly run: (exchange: Exchange) => StepResult | Promise<StepResult> };

export interface UseCase {
  /** The status of a success. A function returns the status that depends on a decision. */
  readonly status: number | ((decisions: Decisions) => number);
  run(context: ServiceContext, exchange: Exchange): Promise<UseCaseResult>;
}

type UseCaseResult = Omit<SuccessResponse, 'status'> | Failure;

/** @param parameter the path parameter, decoded */
export type OperationHandler = (req: Request, res: Response, parameter: string | undefined) => Promise<void>;

type Forward = (req: Request, res: Response) => Promise<void>;

const EMPTY_OBJECT: Readonly<Record<string, string>> = {};

/** If a request has several errors, the order of the steps determines which one is reported. */
export function createPipeline(context: PipelineContext) {
  const { decisions, faults, recorder, world } = context;
  const responder = createResponder(context);
  const authenticate = createAuthenticate(context);
  const checkPreference = createPreferenceGate(context);
  const rate = createRateGate(context);
  const onlyValidCount = decisions['limits.assignability.counts'] === 'valid';

  const injectFaults = (exchange: Exchange, kinds: readonly Fault['fault'][]) =>
    faults.isEmpty ? undefined : injectFault(exchange, faults, kinds, context);

  const steps: readonly Step[] = [
    { name: 'fault', run: (x) => checkPreference(x) ?? injectFaults(x, ENTRY_FAULTS) },
    { name: 'authenticate', run: authenticate },
    { name: 'scope', run: (x) => checkScope(x, decisions) },
    { name: 'rate', run: (x) => (onlyValidCount ? undefined : rate.check(x)) },
    { name: 'query', run: (x) => checkPath(x, decisions) ?? checkQuery(x, decisions) },
    { name: 'body', run: (x) => (x.operation.hasBody ? checkBody(x, decisions) : undefined) },
    { name: 'rate', run: (x) => (onlyValidCount ? rate.check(x) : undefined) },
    { name: 'fault', run: (x) => injectFaults(x, AUTHORIZATION_FAULTS) },
  ];

  async function answer(exchange: Exchange, useCase: UseCase): Promise<void> {
    const refreshed = world.refresh();
    if (refreshed) await refreshed;
    responder.send(exchange, await runSteps(exchange, useCase));
  }

  async function runSteps(exchange: Exchange, useCase: UseCase): Promise<Outcome> {
    for (const step of steps) {
      exchange.step = step.name;
      const result = step.run(exchange);
      const failure = result instanceof Promise ? await result : result;
      // The journal has the client of each valid token, even if a fault answers before the kit needs the token.
      if (failure && step.name === 'fault') exchange.token ??= await readValidToken(exchange.req, context.verifier());
      if (failure) return failure;
    }
    exchange.step = 'handle';
    const outcome = await runUseCase(exchange, useCase).catch(createPermissionErrorHandler(exchange));
    if (!isFailure(outcome)) exchange.step = 'done';
    return outcome;
  }

  /** Only the faults of the pipeline precede the target of a proxy. */
  async function runForwarding(exchange: Exchange, forward: Forward, takesFaults: boolean): Promise<void> {
    const refreshed = world.refresh();
    if (refreshed) await refreshed;
    for (const kinds of takesFaults ? [ENTRY_FAULTS, AUTHORIZATION_FAULTS] : []) {
      const result = await injectFaults(exchange, kinds);
      if (result) return responder.send(exchange, result);
    }
    const { outage } = exchange.caller ?? {};
    if (outage) return responder.send(exchange, createPermissionErrorHandler(exchange)(new PermissionsUnavailable(outage)));
    exchange.step = 'forward';
    await forward(exchange.req, exchange.res);
    if (exchange.res.writableFinished) responder.observe(exchange, exchange.res.statusCode);
  }

  async function runUseCase(exchange: Exchange, { status: given, run }: UseCase): Promise<SuccessResponse | Failure> {
    const status = typeof given === 'number' ? given : given(decisions);
    const service = context.service();
    const store = recorder.withEntry?.(service.store, exchange.res, (result: UseCaseResult) =>
      // A refusal changes nothing, so its entry is stored later.
      isFailure(result)
        ? undefined
        : { status, body: toBodyText(toResponse(result, status)), conclusion: { step: 'done', token: exchange.token } },
    );
    const result = await run(store ? { ...service, store } : service, exchange);
    return isFailure(result) ? result : toResponse(result, status);
  }

  function createExchange(operationId: OperationId, req: Request, res: Response, parameter: string | undefined): Exchange {
    const operation = operations[operationId];
    const [name] = operation.pathParameters;
    const path = name === undefined ? EMPTY_OBJECT : { [name]: canonicalize(parameter!, decisions['http.uuid-letter-case']) };
    const [token, caller, query, body] = [undefined, undefined, EMPTY_OBJECT, EMPTY_OBJECT];
    return { operationId, operation, req, res, startedAt: performance.now(), step: 'fault', path, token, caller, query, body };
  }

  async function prepareError(exchange: Exchange, handling: Promise<void>): Promise<void> {
    try {
      await handling;
    } catch (error) {
      responder.prepareError(exchange, error);
      throw error;
    }
  }

  return {
    handleOperation(operationId: OperationId, useCase: UseCase): OperationHandler {
      return async (req, res, parameter) => {
        const exchange = createExchange(operationId, req, res, parameter);
        // Set the CORS headers before the body is read, so that web pages can read the HTTP server's response to a malformed or slow body.
        if (exchange.operation.hasBody) allowAnyOrigin(res);
        await prepareError(exchange, answer(exchange, useCase));
      };
    },
    /** @param takesFaults whether faults affect the requests */
    forwardOperation(operationId: OperationId, forward: Forward, takesFaults: boolean): OperationHandler {
      return async (req, res, parameter) => {
        const exchange = createExchange(operationId, req, res, parameter);
        await prepareError(exchange, runForwarding(exchange, forward, takesFaults));
      };
    },
    /** Tells the journal whose token a request has that no operation handles. */
    async identify(req: Request, res: Response): Promise<void> {
      const token = await readValidToken(req, context.verifier());
      if (token) recorder.conclude(res, { token });
    },
    clear: rate.clear,
  };
}

function toResponse(result: Omit<SuccessResponse, 'status'>, status: number): SuccessResponse {
  return { ...result, ...(status === 204 && { body: undefined }), status };
}
