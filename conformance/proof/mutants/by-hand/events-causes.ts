import { randomUUID } from 'node:crypto';
import { type EventType, eventTypes } from '../../../../src/contract/generated/events.ts';
import type { OperationId } from '../../../../src/contract/generated/operations.ts';
import { type Delivery, isSuccess, isType, type Json, parseBody, type Reply, type Request, readData, readPathId } from '../exchange.ts';
import { ACKNOWLEDGEMENT, type Kit, type RequestHandler, type StartMutant } from '../mutant.ts';

/** What caused an event: an API request, an account's deletion, a target's deletion, or another change on the platform or in a portal. */
export type Cause = 'api' | 'account' | 'target' | 'elsewhere';

/** An update can also publish `experience.connection.deactivated`. */
export const EVENTS_BY_OPERATION = {
  createExperienceConnection: 'experience.connection.created',
  updateExperienceConnection: 'experience.connection.activated',
  deleteExperienceConnection: 'experience.connection.deleted',
  createExperienceAssignment: 'experience.assignment.created',
  deleteExperienceAssignment: 'experience.assignment.deleted',
} as const satisfies Partial<Record<OperationId, EventType>>;

export function loseEvents(type: EventType, isSelected: (cause: Cause) => boolean): StartMutant {
  return changeSelectedEvents(isSelected, () => 'lost', [type]);
}

export function changeSelectedEvents(
  isSelected: (cause: Cause) => boolean,
  change: (delivery: Delivery) => Delivery | 'lost',
  types: readonly EventType[] = eventTypes,
): StartMutant {
  return () => {
    const { recordRequest, findCause } = createChangeRecorder();
    return {
      handleRequest: recordRequest,
      handleDelivery: async (delivery, subscriber, kit) => {
        const isChanged = isType(delivery, ...types) && isSelected(await findCause(delivery, kit));
        const changed = isChanged ? change(delivery) : delivery;
        return changed === 'lost' ? ACKNOWLEDGEMENT : subscriber(changed);
      },
    };
  };
}

function createChangeRecorder() {
  const pending = new Set<Promise<unknown>>();
  const changes = new Set<string>();

  const recordRequest: RequestHandler = (request, service) => {
    const reply = service(request).then((answered) => {
      changes.add(readChange(request, answered));
      return answered;
    });
    pending.add(reply.catch(() => undefined));
    return reply;
  };

  async function findCause(delivery: Delivery, kit: Kit): Promise<Cause> {
    // Wait, because an event may arrive before the reply to its request.
    await Promise.all(pending);
    return changes.has(`${parseBody(delivery).type} ${readEntityId(delivery)}`) ? 'api' : determineCause(readData(delivery), kit);
  }
  return { recordRequest, findCause };
}

/** Returns the type and entity id of a request's event, separated by a space; '' for no event. */
function readChange(request: Request, reply: Reply): string {
  const type = EVENTS_BY_OPERATION[request.operation as keyof typeof EVENTS_BY_OPERATION];
  if (type === undefined || !isSuccess(reply)) return '';
  const isDeactivated = parseBody(request).state === 'INACTIVE' && request.operation === 'updateExperienceConnection';
  return `${isDeactivated ? 'experience.connection.deactivated' : type} ${readPathId(request) || parseBody(reply).id}`;
}

export function readEntityId(delivery: Delivery): string {
  const { connectionId, assignmentId, userId } = readData(delivery);
  return String(connectionId ?? assignmentId ?? userId);
}

async function determineCause({ accountId, targetType, targetValue }: Json, { exists }: Kit): Promise<Cause> {
  if (!(await exists('accounts', String(accountId)))) return 'account';
  const collection = targetType === 'USER' ? 'users' : targetType === 'PHONE_NUMBER' ? 'telephoneNumbers' : undefined;
  return collection !== undefined && !(await exists(collection, String(targetValue))) ? 'target' : 'elsewhere';
}

export async function inventEvent({ control }: Kit, type: EventType, data: Json): Promise<Delivery> {
  const now = await control.now();
  const updatedAt = new Date(now).toISOString();
  const scope = { experienceId: data.experienceId };
  const event = { type, timestamp: updatedAt, subscriptionId: 'unknown', scope, data: { updatedAt, ...data } };
  const headers = { 'content-type': 'application/json', 'webhook-id': randomUUID(), 'webhook-timestamp': String(Math.floor(now / 1000)) };
  return { method: 'POST', headers, text: JSON.stringify(event) };
}
