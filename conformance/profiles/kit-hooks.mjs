// An example of a hooks module, in which a kit's control API acts as the operator.
// To use the module, add hooks: { module: ./kit-hooks.mjs } to a profile. The output of xpk conformance init describes each function.

const kit = process.env.XPK_URL ?? 'http://127.0.0.1:4010';
// The provider of the profile's Experiences, and the principal of the profile's token.
const provider = process.env.XPK_PROVIDER ?? 'acme';
const principal = process.env.XPK_PRINCIPAL ?? 'manager';

async function control(method, path, body) {
  const headers = { 'content-type': 'application/json' };
  if (process.env.XPK_CONTROL_TOKEN) headers['x-control-token'] = process.env.XPK_CONTROL_TOKEN;
  const response = await fetch(`${kit}/_control${path}`, { method, headers, body: body && JSON.stringify(body) });
  const text = await response.text();
  // This error and its message appear in the report, with the verdict "error".
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

// The `as` query parameter says who makes the change: the portal or the platform.
const create = async (collection, entity, origin = 'platform') => (await control('POST', `/state/${collection}?as=${origin}`, entity)).id;
const update = (collection, id, members, origin = 'platform') => control('PATCH', `/state/${collection}/${id}?as=${origin}`, members);
const remove = (collection, id, origin = 'platform') => control('DELETE', `/state/${collection}/${encodeURIComponent(id)}?as=${origin}`);

export async function faultUsers({ operation, status, ...match }) {
  await control('POST', '/faults', { fault: 'problem', status, operation, match, times: 1 });
}
export async function faultAuthorization({ operation, ...match }) {
  await control('POST', '/faults', { fault: 'authorization-service-down', operation, match, times: 1 });
}

export async function numbers({ accountId }) {
  const telephoneNumber = `+999${String(Math.random()).slice(2, 14).padEnd(12, '0')}`;
  await create('telephoneNumbers', { alias: telephoneNumber, account: accountId });
  return { telephoneNumber };
}
export const numbersRelease = ({ telephoneNumber }) => remove('telephoneNumbers', telephoneNumber);
export { numbers as platformNumbersCreate, numbersRelease as platformNumbersRemove };

export async function users({ accountId, firstName, lastName }) {
  return { userId: await create('users', { account: accountId, firstName, lastName }) };
}
export const usersRelease = ({ userId }) => remove('users', userId);
export { users as platformUsersCreate, usersRelease as platformUsersRemove };
export const platformUsersRename = ({ userId, firstName }) => update('users', userId, { firstName });
export const portalUsersCreate = async ({ accountId }) => ({ userId: await create('users', { account: accountId }, 'portal') });
export const portalUsersRemove = ({ userId }) => remove('users', userId, 'portal');

export async function experiencesUnconnected() {
  const name = 'An Experience of the suite';
  const { id: providerId } = await control('GET', `/state/providers/${provider}`);
  return { experienceId: await create('experiences', { provider, name }), name, providerId };
}
export const experiencesUnconnectedRelease = ({ experienceId }) => remove('experiences', experienceId);

export async function subscriptionsCreate({ destinationUrl, types, experienceId }) {
  return { subscriptionId: await create('subscriptions', { provider, destinationUrl, types, experience: experienceId }) };
}
export const subscriptionsRemove = ({ subscriptionId }) => remove('subscriptions', subscriptionId);

export async function platformAccountsCreate() {
  const accountId = await create('accounts', { name: 'An account of the suite' });
  await update('principals', principal, { accounts: { [accountId]: 'manage' } });
  return { accountId };
}
export const platformAccountsRemove = ({ accountId }) => remove('accounts', accountId);

const createConnectionHooks = (origin) => ({
  create: async ({ accountId, experienceId, state }) => ({
    connectionId: await create('connections', { account: accountId, experience: experienceId, state }, origin),
  }),
  update: ({ connectionId, state }) => update('connections', connectionId, { state }, origin),
  remove: ({ connectionId }) => remove('connections', connectionId, origin),
});
export const {
  create: portalConnectionsCreate,
  update: portalConnectionsUpdate,
  remove: portalConnectionsRemove,
} = createConnectionHooks('portal');
export const {
  create: platformConnectionsCreate,
  update: platformConnectionsUpdate,
  remove: platformConnectionsRemove,
} = createConnectionHooks('platform');

const createAssignmentHooks = (origin) => ({
  create: async ({ experienceId, targetType, targetValue }) => ({
    assignmentId: await create('assignments', { experience: experienceId, targetType, target: targetValue }, origin),
  }),
  remove: ({ assignmentId }) => remove('assignments', assignmentId, origin),
});
export const { create: portalAssignmentsCreate, remove: portalAssignmentsRemove } = createAssignmentHooks('portal');
export const { create: platformAssignmentsCreate, remove: platformAssignmentsRemove } = createAssignmentHooks('platform');
