import { randomUUID } from 'node:crypto';
import { createTimestamp } from './clock.ts';
import { publish } from './events.ts';
import { isE164, parseObject, parseUuid, readQueryUuid } from './format.ts';
import { readPageSize, takePage } from './paging.ts';
import { Problem } from './problem.ts';
import type { Call, Connection, ConnectionState, Reply, Service } from './service.ts';

function showConnection(service: Service, { creationNumber: _, ...fields }: Connection): object {
  return { kind: 'connection', ...fields, accountName: service.accounts.get(fields.accountId)?.name ?? '' };
}

function publishConnectionEvent(service: Service, connection: Connection, action: string): void {
  const { id: connectionId, creationNumber: _, ...fields } = connection;
  const { name: experienceName, providerId } = service.experiences.get(connection.experienceId)!;
  const data = { connectionId, experienceName, providerId, ...fields };
  publish(service, `experience.connection.${action}`, connection.experienceId, data);
}

/** Creates a connection in the state ACTIVE, with the events `created` and `activated`. */
export function createConnection(service: Service, accountId: string, experienceId: string): Connection {
  for (const other of service.connections.values()) {
    if (other.accountId !== accountId || other.experienceId !== experienceId) continue;
    throw new Problem(409, 'the account and the Experience are already connected');
  }
  const connection: Connection = {
    id: randomUUID(),
    accountId,
    experienceId,
    state: 'ACTIVE',
    updatedAt: createTimestamp(),
    creationNumber: ++service.creationCount,
  };
  service.connections.set(connection.id, connection);
  publishConnectionEvent(service, connection, 'created');
  publishConnectionEvent(service, connection, 'activated');
  return connection;
}

export function setConnectionState(service: Service, connection: Connection, state: ConnectionState): void {
  if (connection.state === state) throw new Problem(409, `the connection is already ${state}`);
  connection.state = state;
  connection.updatedAt = createTimestamp();
  publishConnectionEvent(service, connection, state === 'ACTIVE' ? 'activated' : 'deactivated');
}

export function deleteConnection(service: Service, connection: Connection): void {
  const hasNumbers = [...service.assignments.values()].some(
    (assignment) =>
      assignment.targetType === 'PHONE_NUMBER' &&
      assignment.accountId === connection.accountId &&
      assignment.experienceId === connection.experienceId,
  );
  if (hasNumbers) throw new Problem(409, 'telephone numbers are still assigned to the Experience');
  dropConnection(service, connection);
}

/** Deletes a connection even if assignments exist. */
export function dropConnection(service: Service, connection: Connection): void {
  service.connections.delete(connection.id);
  connection.updatedAt = createTimestamp();
  publishConnectionEvent(service, connection, 'deleted');
}

/** Returns the account's id from the query, or looks it up by the telephone number ('' if the number is unknown). */
function selectAccount({ service, query }: Call): string {
  const accountId = readQueryUuid(query, 'accountId');
  if (accountId !== undefined) return accountId;
  const number = query.get('telephoneNumber') ?? query.get('tn');
  if (number === null) throw new Problem(400, 'accountId or telephoneNumber is required');
  if (!isE164(number)) throw new Problem(400, 'the telephone number is not in E.164 format');
  return service.numbers.get(number)?.accountId ?? '';
}

export function getExperienceConnections(call: Call): Reply {
  const { service, query, token } = call;
  const accountId = selectAccount(call);
  const experienceId = readQueryUuid(query, 'experienceId');
  const pageSize = readPageSize(query, 100);
  const items = [...service.connections.values()].filter(
    (connection) =>
      connection.accountId === accountId &&
      (experienceId === undefined || connection.experienceId === experienceId) &&
      service.getPermission(token.principalId, connection) !== 'none',
  );
  const listing = {
    items,
    compare: (a: Connection, b: Connection) => b.creationNumber - a.creationNumber,
    binding: JSON.stringify(['connections', accountId, experienceId]),
  };
  const page = takePage(service, listing, query.get('cursor'), pageSize);
  if (page === undefined) throw new Problem(400, 'the cursor cannot be used');
  const entities = page.entities.map((connection) => showConnection(service, connection));
  return { status: 200, body: { kind: 'page', ...page, entities } };
}

function findConnection({ service, token, id }: Call, isChange: boolean): Connection {
  const connection = service.connections.get(id.toLowerCase());
  const permission = connection === undefined ? 'none' : service.getPermission(token.principalId, connection);
  if (connection === undefined || permission === 'none') throw new Problem(404);
  if (isChange && permission === 'read') throw new Problem(403);
  return connection;
}

function readBody(text: string): Record<string, unknown> {
  const body = parseObject(text);
  if (body === undefined) throw new Problem(400, 'the body is not a JSON object');
  return body;
}

function readReference(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null && 'id' in value ? parseUuid(value.id) : undefined;
}

export function getExperienceConnection(call: Call): Reply {
  return { status: 200, body: showConnection(call.service, findConnection(call, false)) };
}

export function createExperienceConnection({ service, token, text }: Call): Reply {
  const body = readBody(text);
  const accountId = readReference(body.account);
  const experienceId = readReference(body.experience);
  if (accountId === undefined || !service.accounts.has(accountId)) throw new Problem(422, 'account.id is missing or not valid');
  if (experienceId === undefined || !service.experiences.has(experienceId)) throw new Problem(422, 'experience.id is missing or not valid');
  if (service.getPermission(token.principalId, { accountId, experienceId }) !== 'manage') throw new Problem(403);
  const connection = createConnection(service, accountId, experienceId);
  const location = `${service.baseUrl}/experience/connections/${connection.id}`;
  return { status: 202, body: { kind: 'created', connection: showConnection(service, connection) }, headers: { LOCATION: location } };
}

export function updateExperienceConnection(call: Call): Reply {
  const connection = findConnection(call, true);
  const { desired } = readBody(call.text);
  if (desired !== 'ACTIVE' && desired !== 'INACTIVE') throw new Problem(422, 'desired must be ACTIVE or INACTIVE');
  setConnectionState(call.service, connection, desired);
  return { status: 204 };
}

export function deleteExperienceConnection(call: Call): Reply {
  const connection = findConnection(call, true);
  deleteConnection(call.service, connection);
  return { status: 200, body: { kind: 'removed', connection: { id: connection.id } } };
}
