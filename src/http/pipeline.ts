import type { Request, RequestHandler, Response } from 'express';
import type { Clock } from '../clock/clock.ts';
import type { Evidence, Judgement } from '../contract/evidence.ts';
import type { Decisions } from '../contract/generated/decisions.ts';
import { type OperationId, operations } from '../contract/generated/operations.ts';
import { isRefused } from '../contract/outcome.ts';
import { isUnavailable } from '../store/errors.ts';
import type { AnyRefusal } from './answer.ts';
import { problemOf } from './answer.ts';
import type { Exchange } from './exchange.ts';
import type { Fault, Faults } from './faults.ts';
import { type AuthenticationContext, createAuthenticate } from './gates/authenticate.ts';
import { checkBody } from './gates/body.ts';
import { canonical } from './gates/canonical.ts';
import { AT_AUTHORIZATION, AT_THE_DOOR, INJECTED, type Injected, injectFault, sendInjected } from './gates/fault.ts';
import { checkQuery } from './gates/query.ts';
import { createRateGate } from './gates/rate.ts';
import { checkScope } from './gates/scope.ts';
import type { Observation, StepName } from './observation.ts';
import { sendProblem } from './problem-response.ts';
import { type Answer, sendAnswer } from './success-response.ts';
import { traceIdOf } from './trace.ts';

export interface PipelineContext extends AuthenticationContext {
  readonly clock: Clock;
  readonly faults: Faults;
  readonly observe?: ((observation: Observation, res: Response) => void) | undefined;
  /** Told before the answer why a request is refused, or why a list is empty. Nothing is told of what goes well. */
  readonly judged?: ((res: Response, judgement: Judgement) => void) | undefined;
}

type StepResult = AnyRefusal | Injected | undefined;
type Step = { readonly name: StepName; readonly take: (exchange: Exchange) => StepResult | Promise<StepResult> };
export type Handle = (exchange: Exchange) => Promise<Answer | AnyRefusal>;

/** One request of the service: the steps in order, the first that refuses decides. Precedence is behaviour, so it is one table. */
export function createPipeline(context: PipelineContext) {
  const { clock, decisions, faults, world } = context;
  const authenticate = createAuthenticate(context);
  const rate = createRateGate(clock, decisions);
  const onlyValidCount = decisions['limits.assignability.counts'] === 'valid';

  const steps: readonly Step[] = [
    { name: 'fault', take: (x) => (faults.any ? injectFault(x, faults, AT_THE_DOOR, decisions) : undefined) },
    { name: 'authenticate', take: authenticate },
    { name: 'scope', take: (x) => checkScope(x, decisions) },
    { name: 'fault', take: (x) => (faults.any ? injectFault(x, faults, AT_AUTHORIZATION, decisions) : undefined) },
    { name: 'rate', take: (x) => (onlyValidCount ? undefined : rate.check(x)) },
    { name: 'query', take: (x) => takeQuery(x, decisions) },
    { name: 'body', take: (x) => (x.operation.hasBody ? takeBody(x, decisions) : undefined) },
    { name: 'rate', take: (x) => (onlyValidCount ? rate.check(x) : undefined) },
  ];

  async function run(exchange: Exchange, handle: Handle): Promise<void> {
    const refreshed = world.refresh();
    if (refreshed) await refreshed;
    for (const step of steps) {
      exchange.step = step.name;
      const result = step.take(exchange);
      const refusal = result instanceof Promise ? await result : result;
      if (refusal && 'injected' in refusal) return inject(exchange, refusal.injected);
      if (refusal) return refuseExchange(exchange, refusal);
    }
    exchange.step = 'handle';
    const answer = await handle(exchange);
    if (isRefused(answer) || 'gate' in answer) return refuseExchange(exchange, answer as AnyRefusal);
    exchange.step = 'done';
    if (answer.evidence !== undefined) judged(exchange, answer.evidence);
    sendAnswer(exchange.res, answer);
    observed(exchange, answer.status);
  }

  function inject(exchange: Exchange, fault: Fault): void {
    judged(exchange, { cause: 'fault', fault }, { id: INJECTED });
    sendInjected(exchange.res, fault);
    if (fault.status !== undefined) observed(exchange, fault.status);
  }

  function refuseExchange(exchange: Exchange, refusal: AnyRefusal): void {
    const problem = problemOf(refusal, decisions);
    judged(exchange, refusal.evidence, problem);
    sendProblem(exchange.res, problem, refusal.headers);
    observed(exchange, problem.status);
  }

  function judged({ res, token, caller }: Exchange, evidence: Evidence | undefined, problem?: Judgement['problem']): void {
    if (context.judged === undefined) return;
    const asker = token && {
      clientId: token.clientId,
      principalId: token.principalId,
      providerId: caller?.providerId,
      scopes: [...token.scopes],
    };
    context.judged(res, { asker, problem, evidence });
  }

  function observed({ req, res, operationId, step, startedAt }: Exchange, status: number): void {
    context.observe?.(
      {
        traceId: traceIdOf(req),
        operationId,
        step,
        status,
        durationMs: Math.round((performance.now() - startedAt) * 1_000) / 1_000,
      },
      res,
    );
  }

  return {
    /** The Express handler of an operation. */
    serve(operationId: OperationId, handle: Handle): RequestHandler {
      const operation = operations[operationId];
      return async (req, res) => {
        const exchange = exchangeOf(operationId, operation, req, res, decisions['http.uuid-letter-case']);
        try {
          await run(exchange, handle);
        } catch (error) {
          // The app's last middleware answers it.
          observed(exchange, isUnavailable(error) ? 503 : 500);
          throw error;
        }
      };
    },
    clear: rate.clear,
  };
}

function exchangeOf(
  operationId: OperationId,
  operation: Exchange['operation'],
  req: Request,
  res: Response,
  capitals: Decisions['http.uuid-letter-case'],
): Exchange {
  const path: Record<string, string> = {};
  for (const name of operation.pathParameters) path[name] = canonical(String(req.params[name]), capitals);
  return {
    operationId,
    operation,
    req,
    res,
    startedAt: performance.now(),
    step: 'fault',
    token: undefined,
    caller: undefined,
    path,
    query: {},
    body: {},
  };
}

function takeQuery(exchange: Exchange, decisions: Decisions): AnyRefusal | undefined {
  const at = exchange.req.url.indexOf('?');
  const checked = checkQuery(exchange.operationId, at < 0 ? '' : exchange.req.url.slice(at + 1), decisions);
  if (isAnyRefusal(checked)) return checked;
  exchange.query = checked;
  return undefined;
}

async function takeBody(exchange: Exchange, decisions: Decisions): Promise<AnyRefusal | undefined> {
  const checked = await checkBody(exchange, decisions);
  if (isAnyRefusal(checked)) return checked;
  exchange.body = checked;
  return undefined;
}

function isAnyRefusal(value: object): value is AnyRefusal {
  return isRefused(value) || 'gate' in value;
}
