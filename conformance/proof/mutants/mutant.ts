import type { OperationId } from '../../../src/contract/generated/operations.ts';
import type { TestableRuleId } from '../../../src/contract/generated/rules.ts';
import type { Control } from '../../target/control.ts';
import { type Delivery, isSuccess, type Reply, type Request, readRefusal } from './exchange.ts';

export type Service = (request: Request) => Promise<Reply>;

export interface Kit {
  readonly control: Control;
  /** Whether the world contains an entity, even if hidden from the API's caller. */
  exists(collection: Parameters<Control['create']>[0], id: string): Promise<boolean>;
  /** Sends an additional delivery to all the check's receivers. */
  deliver(delivery: Delivery): Promise<void>;
}

export type RequestHandler = (request: Request, service: Service, kit: Kit) => Promise<Reply>;

/** Forwards a delivery, and returns the subscriber's reply, if any. */
export interface Subscriber {
  (delivery: Delivery): Promise<Reply | undefined>;
  readonly destinationUrl: string;
}

/** Handles one delivery attempt. If it returns undefined, the connection is closed without a reply. */
type DeliveryHandler = (delivery: Delivery, subscriber: Subscriber, kit: Kit) => Promise<Reply | undefined>;

export interface Handlers {
  readonly handleRequest?: RequestHandler;
  readonly handleDelivery?: DeliveryHandler;
}

/** Creates the handlers for one check run, so that runs share no state. */
export type StartMutant = () => Handlers;

export interface DerivedMutant {
  readonly rule: string;
  readonly description: string;
  /** Another rule, whose checks detect this mutant if the checks of `rule` cannot. */
  readonly shownBy?: string;
  readonly start: StartMutant;
}

/** A server that breaks one rule: a kit with handlers in front of it. */
export interface Mutant extends DerivedMutant {
  /** The rule id and the mutant's number, such as `users.list.count#2`. */
  readonly name: string;
}

/** The hand-written mutants, by rule id and then by a description of the fault. */
export type MutantsByRule = Readonly<Partial<Record<TestedRule, Readonly<Record<string, StartMutant>>>>>;

type TestedRule = TestableRuleId['openapi' | 'authorization' | 'asyncapi'];

type Endpoint = OperationId | 'authorize' | 'token';
type Endpoints = Endpoint | readonly Endpoint[] | 'any';

const AUTHORIZATION_ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  'GET /auth/authorize': 'authorize',
  'POST /auth/oauth/token': 'token',
};

function isOneOfEndpoints(endpoints: Endpoints, { operation, method, url }: Request): boolean {
  const endpoint = operation ?? AUTHORIZATION_ENDPOINTS[`${method} ${url.split('?', 1)[0]}`];
  return endpoints === 'any' || [endpoints].flat().some((each) => each === endpoint);
}

export const ACKNOWLEDGEMENT: Reply = { status: 204, headers: {}, text: '' };

interface Context {
  readonly request: Request;
  readonly service: Service;
  readonly kit: Kit;
}

/** Undefined: unchanged. */
type ChangedReply<Message> = Message | undefined | Promise<Message | undefined>;
export type ReplyChange = (reply: Reply, context: Context) => ChangedReply<Reply>;

export function handleRequests(endpoints: Endpoints, handle: RequestHandler): StartMutant {
  return () => ({
    handleRequest: (request, service, kit) => (isOneOfEndpoints(endpoints, request) ? handle(request, service, kit) : service(request)),
  });
}

export function changeReply(endpoints: Endpoints, change: ReplyChange, isSelected: (reply: Reply) => boolean = () => true): StartMutant {
  return handleRequests(endpoints, async (request, service, kit) => {
    const reply = await service(request);
    return (isSelected(reply) ? await change(reply, { request, service, kit }) : undefined) ?? reply;
  });
}

export function changeSuccess(endpoints: Endpoints, change: ReplyChange): StartMutant {
  return changeReply(endpoints, change, isSuccess);
}

/** @param refusal the status of the refusals to change, or their problem type without `/problems/` */
export function changeRefusal(refusal: string | number, endpoints: Endpoints, change: ReplyChange): StartMutant {
  return changeReply(endpoints, change, (reply) => refusal === readRefusal(reply) || refusal === reply.status);
}

export function changeRequest(endpoints: Endpoints, change: (request: Request) => Request | undefined): StartMutant {
  return handleRequests(endpoints, (request, service) => service(change(request) ?? request));
}

/** If `createReply` returns undefined, the kit replies. */
export function replaceReply(endpoints: Endpoints, createReply: (request: Request, context: Context) => ChangedReply<Reply>): StartMutant {
  return handleRequests(
    endpoints,
    async (request, service, kit) => (await createReply(request, { request, service, kit })) ?? service(request),
  );
}

export function handleDeliveries(handle: DeliveryHandler): StartMutant {
  return () => ({ handleDelivery: handle });
}

/** If `change` returns 'lost', the mutant acknowledges the delivery, but does not forward it. */
export function changeDelivery(change: (delivery: Delivery, kit: Kit) => ChangedReply<Delivery | 'lost'>): StartMutant {
  return handleDeliveries(async (delivery, subscriber, kit) => {
    const changed = (await change(delivery, kit)) ?? delivery;
    return changed === 'lost' ? ACKNOWLEDGEMENT : subscriber(changed);
  });
}
