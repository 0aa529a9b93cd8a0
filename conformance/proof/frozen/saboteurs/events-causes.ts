import type { EventType } from '../../../../src/contract/generated/events.ts';
import { type Delivered, dataIn, eventIn, isType, withEvent } from '../delivered.ts';
import { bodyOf, isSuccess, type Json, type Reply, type Request } from '../exchange.ts';
import { ACKNOWLEDGED, atBothBoundaries, type Behind, type DeliverySabotage, type Sabotage, type Saboteur } from '../saboteur.ts';

// Why an event is published, as far as the boundaries of a server tell: what did not come in as a request was done in a portal or on the platform.

/** Through the API; with the account or the target that it belonged to; or else in a portal or on the platform, between which nothing tells. */
type Cause = 'api' | 'account' | 'target' | 'elsewhere';

/** What a saboteur knows of an event. */
export interface Told {
  readonly cause: Cause;
  readonly data: Json;
  /** How often the API did this to this entity. */
  readonly times: number;
  /** The state that the connection was last shown in. */
  readonly state: unknown;
  /** Whether a number was assigned to the Experience. */
  readonly hadNumbers: boolean;
  /** Whether it is the first one of those with the same key that are told. */
  first(key: unknown): boolean;
}

/**
 * A server that loses an event, or tells it as something else.
 * @param fate how it tells it. @param where which of the events of the type it means, if not all
 */
export function misreporting(
  does: string,
  type: EventType,
  fate: 'lost' | EventType,
  where: (told: Told) => boolean = () => true,
): Saboteur {
  return atBothBoundaries(does, () => {
    const memory = remember();
    return {
      requests: memory.requests,
      async deliveries(delivery, subscriber, behind) {
        if (!isType(delivery, type) || !where(await memory.told(delivery, behind))) return subscriber(delivery);
        return fate === 'lost' ? ACKNOWLEDGED : subscriber(withEvent(delivery, { type: fate }));
      },
    };
  });
}

/** A server that delivers events of these types in another way where they have one of these causes. */
export function deliveringOf(does: string, types: readonly EventType[], causes: readonly Cause[], deliver: DeliverySabotage): Saboteur {
  return atBothBoundaries(does, () => {
    const memory = remember();
    return {
      requests: memory.requests,
      async deliveries(delivery, subscriber, behind) {
        const isMeant = isType(delivery, ...types) && causes.includes((await memory.told(delivery, behind)).cause);
        return isMeant ? deliver(delivery, subscriber, behind) : subscriber(delivery);
      },
    };
  });
}

/** A server that changes events of these types where they have one of these causes. */
export function ofCauses(
  does: string,
  types: readonly EventType[],
  causes: readonly Cause[],
  change: (delivery: Delivered) => Delivered,
): Saboteur {
  return deliveringOf(does, types, causes, (delivery, subscriber) => subscriber(change(delivery)));
}

/** With the account or the target that it belonged to. */
export const GOING_ALONG: readonly Cause[] = ['account', 'target'];
export const ELSEWHERE: readonly Cause[] = ['elsewhere'];

function remember() {
  const answered = new Set<Promise<unknown>>();
  const [times, states, numbered, firsts] = [
    new Map<string, number>(),
    new Map<string, string>(),
    new Set<string>(),
    new Map<unknown, string>(),
  ];

  function see(request: Request, reply: Reply): void {
    if (!isSuccess(reply)) return;
    const change = changeBy(request, reply);
    if (change !== undefined) times.set(change, (times.get(change) ?? 0) + 1);
    const { id, state, experienceId, targetType } = bodyOf(reply);
    if (state !== undefined) states.set(id, state);
    if (targetType === 'PHONE_NUMBER') numbered.add(experienceId);
  }

  const requests: Sabotage = (request, service) => {
    const reply = service(request);
    const seen = reply.then((known) => see(request, known));
    answered.add(seen.catch(() => undefined));
    return seen.then(() => reply);
  };

  async function told(delivery: Delivered, behind: Behind): Promise<Told> {
    // An event may be there before the answer to what caused it.
    await Promise.all(answered);
    const [data, id] = [dataIn(delivery), subjectOf(delivery)];
    const often = times.get(changeOf(eventIn(delivery).type, id)) ?? 0;
    return {
      cause: often > 0 ? 'api' : await causeOf(data, behind),
      data,
      times: often,
      state: states.get(id) ?? (await behind.control.find('connections', id))?.state,
      hadNumbers: numbered.has(data.experienceId),
      first(key) {
        const known = firsts.get(key) ?? id;
        firsts.set(key, known);
        return known === id;
      },
    };
  }
  return { requests, told };
}

const changeOf = (type: unknown, id: unknown) => `${String(type)} ${String(id)}`;

/** The id of what the event is about. */
function subjectOf(delivery: Delivered): string {
  const { connectionId, assignmentId, userId } = dataIn(delivery);
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

async function causeOf({ accountId, targetType, targetValue }: Json, { exists }: Behind): Promise<Cause> {
  if (!(await exists('accounts', String(accountId)))) return 'account';
  const collection = targetType === 'USER' ? 'users' : targetType === 'PHONE_NUMBER' ? 'telephoneNumbers' : undefined;
  return collection !== undefined && !(await exists(collection, String(targetValue))) ? 'target' : 'elsewhere';
}
