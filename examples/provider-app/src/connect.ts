import type { Config } from './config.ts';
import type { Customer } from './login.ts';
import { getResponseData, readList, type Service } from './service.ts';

/** Thrown if the number cannot be used with the Experience. */
export class NotAssignableError extends Error {
  override readonly name = 'NotAssignableError';
}

/**
 * Connects the Experience to a customer's account, assigns the number, and activates the connection. Skips finished steps.
 * @returns the connection's id
 */
export async function connect(api: Service, { experienceId }: Config, { accountId, number }: Customer): Promise<string> {
  const target = { targetType: 'PHONE_NUMBER', targetValue: number } as const;
  const assignments = await readList((cursor) => api.GET('/experience/assignments', { params: { query: { ...target, ...cursor } } }));
  const isAssigned = assignments.items.some((assignment) => assignment.experienceId === experienceId);
  if (!isAssigned) {
    const check = api.GET('/experience/experiences/{experienceId}/assignability', { params: { path: { experienceId }, query: target } });
    if (!(await getResponseData(check)).assignable)
      throw new NotAssignableError(`The number ${number} cannot be used with this Experience.`);
  }

  const query = { telephoneNumber: number, experienceId };
  const connections = await readList((cursor) => api.GET('/experience/connections', { params: { query: { ...query, ...cursor } } }));
  const connection =
    connections.items[0] ?? (await getResponseData(api.POST('/experience/connections', { body: { accountId, experienceId } })));
  if (!connection.id) throw new Error('The service returned a connection without an id.');
  if (!isAssigned) await getResponseData(api.POST('/experience/assignments', { body: { experienceId, ...target } }));
  if (connection.state !== 'ACTIVE') {
    const params = { path: { experienceConnectionId: connection.id } };
    await getResponseData(api.PUT('/experience/connections/{experienceConnectionId}', { params, body: { state: 'ACTIVE' } }));
  }
  return connection.id;
}
