import type { OperationId } from '../../../src/contract/generated/operations.ts';
import type { TestableRuleId } from '../../../src/contract/generated/rules.ts';
import type { Control } from '../../target/control.ts';
import { type Delivery, isSuccess, type Reply, type Request, refusedBy } from './exchange.ts';

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
  /** The status of the replies that it changes. Absent: any. */
  readonly status?: number;
  readonly start: Start;
}

/** A server that breaks one rule: a kit, and handlers in front of it. */
export interface Mutant extends Derived {
  /** Unique: the rule and which of its mutants. */
  readonly name: string;
}

/** The hand-written mutants of rules: what each does, in one sentence, and its handlers. */
export type ByHand = Readonly<Partial<Record<JudgedRule, Readonly<Record<string, Start>>>>>;

type JudgedRule = TestableRuleId['openapi' | 'authorization' | 'asyncapi'];

/** Requests of the API by their operation, and those of the authorization server. */
type Endpoint = OperationId | 'authorize' | 'token';
export type Endpoints = Endpoint | readonly Endpoint[] | 'any';

const AUTHORIZATION: Readonly<Record<string, Endpoint>> = { 'GET /auth/authorize': 'authorize', 'POST /auth/oauth/token': 'token' };

function isAmong(endpoints: Endpoints, { operation, method, url }: Request): boolean {
  const endpoint = operation ?? AUTHORIZATION[`${method} ${url.split('?', 1)[0]}`];
  return endpoints === 'any' || [endpoints].flat().some((each) => each === endpoint);
}

/** What the kit sees of a delivery that was taken. */
export const ACKNOWLEDGED: Reply = { status: 204, headers: {}, text: '' };

interface Context {
  readonly request: Request;
  readonly service: Service;
  readonly kit: Kit;
}

/** Undefined leaves a message as it is. */
type Changed<Message> = Message | undefined | Promise<Message | undefined>;
export type ReplyChange = (reply: Reply, context: Context) => Changed<Reply>;

/** Handles the requests to these endpoints, and forwards all others. */
export function onRequest(endpoints: Endpoints, handle: RequestHandler): Start {
  return () => ({
    requests: (request, service, kit) => (isAmong(endpoints, request) ? handle(request, service, kit) : service(request)),
  });
}

/** Changes replies. @param isMeant selects them; absent: all */
export function changeReply(endpoints: Endpoints, change: ReplyChange, isMeant: (reply: Reply) => boolean = () => true): Start {
  return onRequest(endpoints, async (request, service, kit) => {
    const reply = await service(request);
    return (isMeant(reply) ? await change(reply, { request, service, kit }) : undefined) ?? reply;
  });
}

/** Changes the replies to requests that succeed. */
export function changeSuccess(endpoints: Endpoints, change: ReplyChange): Start {
  return changeReply(endpoints, change, isSuccess);
}

/** Changes the replies that refuse a request by this rule, or with this status. */
export function changeRefusal(rule: string | number, endpoints: Endpoints, change: ReplyChange): Start {
  return changeReply(endpoints, change, (reply) => rule === refusedBy(reply) || rule === reply.status);
}

/** Changes requests before the kit sees them. */
export function changeRequest(endpoints: Endpoints, change: (request: Request, kit: Kit) => Changed<Request>): Start {
  return onRequest(endpoints, async (request, service, kit) => service((await change(request, kit)) ?? request));
}

/** Answers requests instead of the kit. */
export function answerInstead(endpoints: Endpoints, answer: (request: Request, kit: Kit) => Changed<Reply>): Start {
  return onRequest(endpoints, async (request, service, kit) => (await answer(request, kit)) ?? service(request));
}

/** Changes or loses deliveries. */
export function changeDelivery(change: (delivery: Delivery, kit: Kit) => Changed<Delivery | 'lost'>): Start {
  return () => ({
    deliveries: async (delivery, subscriber, kit) => {
      const changed = (await change(delivery, kit)) ?? delivery;
      return changed === 'lost' ? ACKNOWLEDGED : subscriber(changed);
    },
  });
}
