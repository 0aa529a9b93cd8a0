import { randomUUID } from 'node:crypto';
import type { EventType } from '../../../../src/contract/generated/events.ts';
import { bodyOf, type Delivery, dataOf, isSuccess, isType, type Json, type Reply, type Request } from '../exchange.ts';
import { ACKNOWLEDGED, type Handlers, type Kit, type Start } from '../mutant.ts';

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
  /** The last known state of the connection. */
  readonly state: unknown;
  /** Whether a number was assigned to the Experience. */
  readonly hadNumbers: boolean;
  /** Whether this is the first entity that is asked about with this key. */
  isFirst(key: unknown): boolean;
}

type Where = (known: Known) => boolean;

/** Loses events of this type that `where` selects. */
export function lose(type: EventType, where: Where): Start {
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
  const times = new Map<string, number>();
  const states = new Map<string, string>();
  const numbered = new Set<string>();
  const firsts = new Map<unknown, string>();

  function record(request: Request, reply: Reply): void {
    if (!isSuccess(reply)) return;
    const change = changeBy(request, reply);
    if (change !== undefined) times.set(change, (times.get(change) ?? 0) + 1);
    const { id, state, experienceId, targetType } = bodyOf(reply);
    if (state !== undefined) states.set(id, state);
    if (targetType === 'PHONE_NUMBER') numbered.add(experienceId);
  }

  const requests: Handlers['requests'] = (request, service) => {
    const reply = service(request).then((answered) => {
      record(request, answered);
      return answered;
    });
    pending.add(reply.catch(() => undefined));
    return reply;
  };

  async function knownOf(delivery: Delivery, kit: Kit): Promise<Known> {
    // An event may arrive before the reply to the request that caused it.
    await Promise.all(pending);
    const data = dataOf(delivery);
    const id = subjectOf(delivery);
    const count = times.get(changeOf(bodyOf(delivery).type, id)) ?? 0;
    return {
      cause: count > 0 ? 'api' : await causeOf(data, kit),
      data,
      times: count,
      state: states.get(id) ?? (await kit.control.find('connections', id))?.state,
      hadNumbers: numbered.has(data.experienceId),
      isFirst(key) {
        const first = firsts.get(key) ?? id;
        firsts.set(key, first);
        return first === id;
      },
    };
  }
  return { requests, knownOf };
}

const changeOf = (type: unknown, id: unknown) => `${String(type)} ${String(id)}`;

/** The id of the entity that an event is about. */
export function subjectOf(delivery: Delivery): string {
  const { connectionId, assignmentId, userId } = dataOf(delivery);
  return String(connectionId ?? assignmentId ?? userId);
}

/** The change that a request made. */
function changeBy(request: Request, reply: Reply): string | undefined {
  const { assignmentId, experienceConnectionId } = request.path;
  switch (request.operation) {
    case 'createExperienceConnection':
      return changeOf('experience.connection.created', bodyOf(reply).id);
    case 'updateExperienceConnection':
      return changeOf(`experience.connection.${bodyOf(request).state === 'ACTIVE' ? 'activated' : 'deactivated'}`, experienceConnectionId);
    case 'deleteExperienceConnection':
      return changeOf('experience.connection.deleted', experienceConnectionId);
    case 'createExperienceAssignment':
      return changeOf('experience.assignment.created', bodyOf(reply).id);
    case 'deleteExperienceAssignment':
      return changeOf('experience.assignment.deleted', assignmentId);
    default:
      return undefined;
  }
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
  const event = {
    type,
    timestamp: updatedAt,
    subscriptionId: 'unknown',
    scope: { experienceId: data.experienceId },
    data: { updatedAt, ...data },
  };
  const headers = { 'content-type': 'application/json', 'webhook-id': randomUUID(), 'webhook-timestamp': String(Math.floor(now / 1000)) };
  return { method: 'POST', headers, text: JSON.stringify(event) };
}
