import type { OperationId } from '../../../src/contract/generated/operations.ts';
import type { Control } from '../../target/control.ts';
import type { Delivered } from './delivered.ts';
import type { Reply, Request } from './exchange.ts';

/** Passes a request on to the service and gives its answer. */
export type Service = (request: Request) => Promise<Reply>;

/** What a saboteur may know of the service behind it: that of a kit. */
export interface Behind {
  /** The control API: what there is, and tokens of any kind. */
  readonly control: Control;
  /** Whether the world has this entity; who asks does not matter. */
  exists(collection: Parameters<Control['create']>[0], id: string): Promise<boolean>;
  /** Sends a delivery to every subscription of the check, whatever the service sends. */
  deliver(made: Delivered): Promise<void>;
}

/** Answers one request: by the service, by itself, or by changing what goes either way. */
export type Sabotage = (request: Request, service: Service, behind: Behind) => Promise<Reply>;

/** Passes a delivery on to the subscriber and gives its answer; undefined where there was none. */
export interface Subscriber {
  (delivery: Delivered): Promise<Reply | undefined>;
  /** Its destinationUrl. */
  readonly destinationUrl: string;
}

/** Does with one attempt of a delivery what it likes, and says what the service hears of it; undefined: no answer. */
export type DeliverySabotage = (delivery: Delivered, subscriber: Subscriber, behind: Behind) => Promise<Reply | undefined>;

/** What a saboteur does at the boundaries of the service: where requests come in, and where deliveries go out. */
export interface AtBoundaries {
  readonly requests?: Sabotage;
  readonly deliveries?: DeliverySabotage;
}

/** A server that breaks one rule, and keeps the others as far as that goes: the service with something at its boundary. */
export interface Saboteur {
  /** What it does, in one sentence. */
  readonly does: string;
  /** Where it cannot but redden many other rules: how many at most, and why. */
  readonly reddens?: { readonly most: number; readonly because: string };
  /** A new one for each check that it stands before; what it remembers is its own. */
  start(): AtBoundaries;
}

/** Why there is no server that breaks this rule alone. */
export interface NoSaboteur {
  readonly none: string;
}

/** Each rule with the servers that break it; the checks of the rule have to catch every one of them. */
export type SaboteursOf<Rule extends string> = Readonly<Record<Rule, readonly [Saboteur, ...Saboteur[]] | NoSaboteur>>;

export type Operations = OperationId | readonly OperationId[] | 'any';

/** A saboteur that changes answers. @param change gives undefined for an answer that it leaves as it is. */
export function saboteur(
  does: string,
  operations: Operations,
  change: (reply: Reply, request: Request, behind: Behind) => Reply | undefined | Promise<Reply | undefined>,
): Saboteur {
  return remembering(does, () => async (request, service, behind) => {
    const reply = await service(request);
    return concerns(operations, request) ? ((await change(reply, request, behind)) ?? reply) : reply;
  });
}

/** A saboteur that changes requests before the service sees them. @param change gives undefined for a request that it leaves as it is. */
export function misreading(
  does: string,
  operations: Operations,
  change: (request: Request, behind: Behind) => Request | undefined | Promise<Request | undefined>,
): Saboteur {
  return remembering(
    does,
    () => async (request, service, behind) =>
      service(concerns(operations, request) ? ((await change(request, behind)) ?? request) : request),
  );
}

/** A saboteur that answers requests itself. @param answer gives undefined for a request that it passes on. */
export function insteadOf(
  does: string,
  operations: Operations,
  answer: (request: Request, behind: Behind) => Reply | undefined | Promise<Reply | undefined>,
): Saboteur {
  return remembering(
    does,
    () => async (request, service, behind) =>
      (concerns(operations, request) ? await answer(request, behind) : undefined) ?? service(request),
  );
}

/** A saboteur with a memory, or with more to do than to change one message. @param start is called for each check. */
export function remembering(does: string, start: () => Sabotage): Saboteur {
  return { does, start: () => ({ requests: start() }) };
}

/** A saboteur that sees requests as well as deliveries. @param start is called for each check. */
export function atBothBoundaries(does: string, start: () => AtBoundaries): Saboteur {
  return { does, start };
}

/** What becomes of a delivery: another one, or `lost`: the service hears that it was acknowledged. */
export type Fate = Delivered | 'lost' | undefined;

/** A saboteur that changes or loses deliveries, each repeat anew. @param change gives undefined for a delivery that it leaves as it is. */
export function delivering(does: string, change: (delivery: Delivered, behind: Behind) => Fate | Promise<Fate>): Saboteur {
  return rememberingDeliveries(does, () => async (delivery, subscriber, behind) => {
    const fate = (await change(delivery, behind)) ?? delivery;
    return fate === 'lost' ? ACKNOWLEDGED : subscriber(fate);
  });
}

/** A saboteur at deliveries with a memory, or with more to do than to change one. @param start is called for each check. */
export function rememberingDeliveries(does: string, start: () => DeliverySabotage): Saboteur {
  return { does, start: () => ({ deliveries: start() }) };
}

/** What the service hears where a delivery was taken. */
export const ACKNOWLEDGED: Reply = { status: 204, headers: {}, text: '' };

function concerns(operations: Operations, { operation }: Request): boolean {
  if (operations === 'any') return true;
  return operation !== undefined && (typeof operations === 'string' ? operations === operation : operations.includes(operation));
}

/** The same saboteur, which reddens more rules than others may. @param because why nothing that breaks its rule reddens fewer. */
export function reddening(most: number, because: string, server: Saboteur): Saboteur {
  return { ...server, reddens: { most, because } };
}
