import { randomUUID } from 'node:crypto';
import { createTimestamp, toLocalTime } from './clock.ts';
import { publish } from './events.ts';
import { Problem } from './problem.ts';
import type { Service } from './service.ts';
import type { Connection, ConnectionState } from './types.ts';

export function showConnection(service: Service, connection: Connection): object {
  const { creationNumber: _creationNumber, updatedAt, ...fields } = connection;
  return {
    kind: 'connection',
    ...fields,
    accountName: service.accounts.get(connection.accountId)?.name ?? '',
    updatedAt: service.breach === 'local-time' ? toLocalTime(updatedAt) : updatedAt,
  };
}

function publishConnectionEvent(service: Service, connection: Connection, action: string): void {
  const experience = service.experiences.get(connection.experienceId);
  publish(service, `experience.connection.${action}`, connection.experienceId, {
    connectionId: connection.id,
    experienceId: connection.experienceId,
    experienceName: experience?.name ?? '',
    providerId: experience?.providerId ?? '',
    accountId: connection.accountId,
    updatedAt: connection.updatedAt,
    state: connection.state,
  });
}

/** Creates a connection in the state ACTIVE, with the events `created` and `activated`. */
export function createConnection(service: Service, accountId: string, experienceId: string): Connection {
  for (const other of service.connections.values()) {
    if (other.accountId !== accountId || other.experienceId !== experienceId) continue;
    if (service.breach === 'second-connection-beside-inactive' && other.state === 'INACTIVE') continue;
    throw new Problem(409, 'the account and the Experience are already connected');
  }
  const connection: Connection = {
    id: randomUUID(),
    accountId,
    experienceId,
    state: 'ACTIVE',
    updatedAt: createTimestamp(),
    creationNumber: service.takeNextCreationNumber(),
  };
  service.connections.set(connection.id, connection);
  publishConnectionEvent(service, connection, 'created');
  publishConnectionEvent(service, connection, 'activated');
  return connection;
}

export function setConnectionState(service: Service, connection: Connection, state: ConnectionState, actor: 'provider' | 'portal'): void {
  if (connection.state === state) {
    if (service.breach === 'refused-update-touches') connection.updatedAt = createTimestamp();
    throw new Problem(409, `the connection is already ${state}`);
  }
  connection.state = state;
  if (service.breach !== 'updated-at-not-moved') connection.updatedAt = createTimestamp();
  if (service.breach === 'portal-deactivation-silent' && actor === 'portal' && state === 'INACTIVE') return;
  publishConnectionEvent(service, connection, state === 'ACTIVE' ? 'activated' : 'deactivated');
}

export function deleteConnection(service: Service, connection: Connection): void {
  const hasNumbers = [...service.assignments.values()].some(
    (assignment) =>
      assignment.targetType === 'PHONE_NUMBER' &&
      assignment.accountId === connection.accountId &&
      assignment.experienceId === connection.experienceId,
  );
  if (hasNumbers && !(service.breach === 'inactive-deleted-with-numbers' && connection.state === 'INACTIVE')) {
    if (service.breach === 'refused-delete-deactivates') connection.state = 'INACTIVE';
    throw new Problem(409, 'telephone numbers are still assigned to the Experience');
  }
  dropConnection(service, connection);
}

/** Deletes a connection even if assignments exist. */
export function dropConnection(service: Service, connection: Connection, silent = false): void {
  service.connections.delete(connection.id);
  connection.updatedAt = createTimestamp();
  if (!silent) publishConnectionEvent(service, connection, 'deleted');
}
