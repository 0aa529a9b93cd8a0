import type { OperationId } from '../../../src/contract/generated/operations.ts';
import type { JudgedRuleId } from '../../../src/contract/generated/rules.ts';
import type { Control } from '../../target/control.ts';
import type { Delivery } from './delivery.ts';
import type { Reply, Request } from './exchange.ts';

/** Forwards a request to the service and returns its reply. */
export type Service = (request: Request) => Promise<Reply>;

/** The kit behind a mutant, with more than a client could know of it. */
export interface Kit {
  readonly control: Control;
  /** Whether the world has this entity, whoever asks. */
  exists(collection: Parameters<Control['create']>[0], id: string): Promise<boolean>;
  /** Delivers to every subscription of the check, in addition to what the kit delivers. */
  deliver(delivery: Delivery): Promise<void>;
}

/** Handles one request: forwards it, answers it, or changes it or its reply. */
export type RequestHandler = (request: Request, service: Service, kit: Kit) => Promise<Reply>;

/** Forwards a delivery to the subscriber and returns its reply; undefined if there was none. */
export interface Subscriber {
  (delivery: Delivery): Promise<Reply | undefined>;
  readonly destinationUrl: string;
}

/** Handles one attempt of a delivery. Returns the reply that the kit sees; undefined for no reply. */
export type DeliveryHandler = (delivery: Delivery, subscriber: Subscriber, kit: Kit) => Promise<Reply | undefined>;

/** What a mutant does between the kit and the check: to requests that come in, and to deliveries that go out. */
export interface Handlers {
  readonly requests?: RequestHandler;
  readonly deliveries?: DeliveryHandler;
}

/** Creates the handlers for one check. What they remember is forgotten after it. */
export type Start = () => Handlers;

/** What an operator derives from the contract. */
export interface Derived {
  readonly rule: string;
  /** In one sentence. */
  readonly does: string;
  readonly start: Start;
}

/** A server that breaks one rule: a kit, and handlers in front of it. */
export interface Mutant extends Derived {
  /** Unique: the rule and which of its mutants. */
  readonly name: string;
}

/** The hand-written mutants of rules: what each does, in one sentence, and its handlers. */
export type ByHand = Readonly<Partial<Record<JudgedRule, Readonly<Record<string, Start>> | { readonly none: string }>>>;

type JudgedRule = JudgedRuleId['openapi' | 'authorization' | 'asyncapi'];

export type Operations = OperationId | readonly OperationId[] | 'any';

/** What the kit sees of a delivery that was taken. */
export const ACKNOWLEDGED: Reply = { status: 204, headers: {}, text: '' };

/** Changes replies. `change` returns undefined to leave one as it is. */
export function changeReply(
  operations: Operations,
  change: (reply: Reply, request: Request, kit: Kit) => Reply | undefined | Promise<Reply | undefined>,
): Start {
  return onRequest(operations, async (request, service, kit) => {
    const reply = await service(request);
    return (await change(reply, request, kit)) ?? reply;
  });
}

/** Changes requests before the kit sees them. `change` returns undefined to leave one as it is. */
export function changeRequest(
  operations: Operations,
  change: (request: Request, kit: Kit) => Request | undefined | Promise<Request | undefined>,
): Start {
  return onRequest(operations, async (request, service, kit) => service((await change(request, kit)) ?? request));
}

/** Answers requests instead of the kit. `answer` returns undefined to forward one. */
export function answerInstead(
  operations: Operations,
  answer: (request: Request, kit: Kit) => Reply | undefined | Promise<Reply | undefined>,
): Start {
  return onRequest(operations, async (request, service, kit) => (await answer(request, kit)) ?? service(request));
}

/** Handles the requests of these operations, and forwards all others. */
export function onRequest(operations: Operations, handle: RequestHandler): Start {
  return () => ({
    requests: (request, service, kit) => (isAmong(operations, request) ? handle(request, service, kit) : service(request)),
  });
}

/** Changes or loses deliveries. `change` returns undefined to leave one as it is. */
export function changeDelivery(
  change: (delivery: Delivery, kit: Kit) => Delivery | 'lost' | undefined | Promise<Delivery | 'lost' | undefined>,
): Start {
  return () => ({
    deliveries: async (delivery, subscriber, kit) => {
      const changed = (await change(delivery, kit)) ?? delivery;
      return changed === 'lost' ? ACKNOWLEDGED : subscriber(changed);
    },
  });
}

function isAmong(operations: Operations, { operation }: Request): boolean {
  if (operations === 'any') return true;
  return operation !== undefined && [operations].flat().includes(operation);
}
