import { randomUUID } from 'node:crypto';
import type { EventType } from '../../../../src/contract/generated/events.ts';
import type { OperationId } from '../../../../src/contract/generated/operations.ts';
import { bodyOf, type Delivery, dataOf, idOf, isSuccess, isType, type Json, type Reply, type Request } from '../exchange.ts';
import { ACKNOWLEDGED, type Kit, type RequestHandler, type Start } from '../mutant.ts';

/**
 * Why an event was published: a request to the API; the deletion of the account or of the target that the entity belonged to; or else a change
 * in a portal or by the platform. A mutant cannot tell these two apart.
 */
export type Cause = 'api' | 'account' | 'target' | 'elsewhere';

/** What a mutant knows of an event. */
export interface Known {
  readonly cause: Cause;
  readonly data: Json;
  /** How often the API made this change to this entity. */
  readonly times: number;
  /** The path form of the last request that did. */
  readonly form: Request['form'];
  /** Whether this is the first entity that is asked about with this key. */
  isFirst(key: unknown): boolean;
}

/** The events that requests publish. An update publishes one of two. */
export const EVENTS = {
  createExperienceConnection: 'experience.connection.created',
  updateExperienceConnection: 'experience.connection.activated',
  deleteExperienceConnection: 'experience.connection.deleted',
  createExperienceAssignment: 'experience.assignment.created',
  deleteExperienceAssignment: 'experience.assignment.deleted',
} as const satisfies Partial<Record<OperationId, EventType>>;

/** Loses events of this type that `where` selects. */
export function lose(type: EventType, where: (known: Known) => boolean): Start {
  return () => {
    const { requests, knownOf } = remember();
    return {
      requests,
      deliveries: async (delivery, subscriber, kit) =>
        isType(delivery, type) && where(await knownOf(delivery, kit)) ? ACKNOWLEDGED : subscriber(delivery),
    };
  };
}

function remember() {
  const pending = new Set<Promise<unknown>>();
  const changes = new Map<string, Pick<Known, 'times' | 'form'>>();
  const firsts = new Map<unknown, string>();

  const requests: RequestHandler = (request, service) => {
    const reply = service(request).then((answered) => {
      const change = changeBy(request, answered);
      changes.set(change, { times: (changes.get(change)?.times ?? 0) + 1, form: request.form });
      return answered;
    });
    pending.add(reply.catch(() => undefined));
    return reply;
  };

  async function knownOf(delivery: Delivery, kit: Kit): Promise<Known> {
    // An event may arrive before the reply to the request that caused it.
    await Promise.all(pending);
    const [data, id] = [dataOf(delivery), subjectOf(delivery)];
    const change = changes.get(`${bodyOf(delivery).type} ${id}`);
    return {
      cause: change ? 'api' : await causeOf(data, kit),
      data,
      times: change?.times ?? 0,
      form: change?.form,
      isFirst(key) {
        const first = firsts.get(key) ?? id;
        firsts.set(key, first);
        return first === id;
      },
    };
  }
  return { requests, knownOf };
}

/** The event that a request caused, and the id of its entity; '' for none. */
function changeBy(request: Request, reply: Reply): string {
  const type = EVENTS[request.operation as keyof typeof EVENTS];
  if (type === undefined || !isSuccess(reply)) return '';
  const isDeactivated = bodyOf(request).state === 'INACTIVE' && request.operation === 'updateExperienceConnection';
  return `${isDeactivated ? 'experience.connection.deactivated' : type} ${idOf(request) || bodyOf(reply).id}`;
}

/** The id of the entity that an event is about. */
export function subjectOf(delivery: Delivery): string {
  const { connectionId, assignmentId, userId } = dataOf(delivery);
  return String(connectionId ?? assignmentId ?? userId);
}

async function causeOf({ accountId, targetType, targetValue }: Json, { exists }: Kit): Promise<Cause> {
  if (!(await exists('accounts', String(accountId)))) return 'account';
  const collection = targetType === 'USER' ? 'users' : targetType === 'PHONE_NUMBER' ? 'telephoneNumbers' : undefined;
  return collection !== undefined && !(await exists(collection, String(targetValue))) ? 'target' : 'elsewhere';
}

/** A delivery of an event that did not happen. */
export async function invent({ control }: Kit, type: EventType, data: Json): Promise<Delivery> {
  const now = await control.now();
  const updatedAt = new Date(now).toISOString();
  const scope = { experienceId: data.experienceId };
  const event = { type, timestamp: updatedAt, subscriptionId: 'unknown', scope, data: { updatedAt, ...data } };
  const headers = { 'content-type': 'application/json', 'webhook-id': randomUUID(), 'webhook-timestamp': String(Math.floor(now / 1000)) };
  return { method: 'POST', headers, text: JSON.stringify(event) };
}
