import { randomUUID } from 'node:crypto';
import { type EventType, eventTypes } from '../../../../src/contract/generated/events.ts';
import type { OperationId } from '../../../../src/contract/generated/operations.ts';
import { rules } from '../../../../src/contract/generated/rules-table.ts';
import { rulesInScope } from '../../../../src/report/scope.ts';
import { type Delivery, isSuccess, isType, type Json, parseBody, type Reply, type Request, readData } from '../exchange.ts';
import { changeDelivery, type DerivedMutant, type Kit, type StartMutant } from '../mutant.ts';

/** What caused an event: an API request, an account's deletion, a target's deletion, or another change on the platform or in a portal. */
type Cause = 'api' | 'account' | 'target' | 'elsewhere';

/** An update can also publish `experience.connection.deactivated`. */
export const EVENTS_BY_OPERATION = {
  createExperienceConnection: 'experience.connection.created',
  updateExperienceConnection: 'experience.connection.activated',
  deleteExperienceConnection: 'experience.connection.deleted',
  createExperienceAssignment: 'experience.assignment.created',
  deleteExperienceAssignment: 'experience.assignment.deleted',
} as const satisfies Partial<Record<OperationId, EventType>>;

/** A mutant that changes the events that have a selected cause. */
export function changeSelectedEvents(
  isSelected: (cause: Cause) => boolean,
  change: (delivery: Delivery) => Delivery | 'lost',
  types: readonly EventType[] = eventTypes,
): StartMutant {
  return () => {
    const pending = new Set<Promise<unknown>>();
    const changes = new Set<string>();
    return {
      handleRequest(request, service) {
        const reply = service(request).then((answered) => {
          changes.add(readChange(request, answered));
          return answered;
        });
        pending.add(reply.catch(() => undefined));
        return reply;
      },
      ...changeDelivery(async (delivery, kit) => {
        if (!isType(delivery, ...types)) return undefined;
        // Wait, because an event may arrive before the reply to its request.
        await Promise.all(pending);
        const isRequested = changes.has(`${parseBody(delivery).type} ${readEntityId(delivery)}`);
        return isSelected(isRequested ? 'api' : await determineCause(readData(delivery), kit)) ? change(delivery) : undefined;
      })(),
    };
  };
}

/** Returns the type and entity id of a request's event, separated by a space; '' for no event. */
function readChange(request: Request, reply: Reply): string {
  const type = EVENTS_BY_OPERATION[request.operation as keyof typeof EVENTS_BY_OPERATION];
  if (type === undefined || !isSuccess(reply)) return '';
  const isDeactivated = parseBody(request).state === 'INACTIVE' && request.operation === 'updateExperienceConnection';
  return `${isDeactivated ? 'experience.connection.deactivated' : type} ${request.id || parseBody(reply).id}`;
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

const CAUSES_BY_RULE_ENDING: readonly (readonly [ending: RegExp, cause: Cause])[] = [
  [/\.on-(create|update|delete)$/, 'api'],
  [/\.on-(portal|platform)-\w+$/, 'elsewhere'],
  [/\.on-account-deletion(-\S+)?$/, 'account'],
  [/\.on-(user|number)-deletion$/, 'target'],
];

/** Mutants that omit a required event. */
export const publishingMutants: readonly DerivedMutant[] = rulesInScope.flatMap(({ id: rule }) => {
  const type = rules[rule].event as EventType | undefined;
  const [, cause] = CAUSES_BY_RULE_ENDING.find(([ending]) => ending.test(rule)) ?? [];
  if (type === undefined || (cause === undefined && !/\.of-\S+$/.test(rule))) return [];
  return {
    rule,
    description: `No ${type} is published.`,
    start: changeSelectedEvents(
      (known) => cause === undefined || known === cause,
      () => 'lost',
      [type],
    ),
  };
});
