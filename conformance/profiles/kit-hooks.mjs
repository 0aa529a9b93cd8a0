// An example of hooks: here the operator is the control API of a kit. A profile names the file with hooks: { module: ./kit-hooks.mjs }.
// What each function is asked and what it answers is told in the profile that xpk conformance init writes.

const kit = process.env.XPK_URL ?? 'http://127.0.0.1:4010';

async function control(method, path, body) {
  const headers = { 'content-type': 'application/json' };
  if (process.env.XPK_CONTROL_TOKEN) headers['x-control-token'] = process.env.XPK_CONTROL_TOKEN;
  const answer = await fetch(`${kit}/_control${path}`, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  // What is thrown is told in the report: the check then ends with an error, and says nothing about the target.
  if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

export async function faultUsers({ operation, status }) {
  const fault = status === 503 ? { fault: 'authorization-service-down' } : { fault: 'problem', status };
  await control('POST', '/faults', { ...fault, operation, times: 1 });
}

export async function platformUsersCreate({ accountId, firstName, lastName }) {
  const { id } = await control('POST', '/state/users', { account: accountId, firstName, lastName });
  return { userId: id };
}

export async function platformUsersRename({ userId, firstName }) {
  await control('PATCH', `/state/users/${userId}`, { firstName });
}

export async function platformUsersRemove({ userId }) {
  await control('DELETE', `/state/users/${userId}`);
}

export async function numbers({ accountId }) {
  const telephoneNumber = `+999${String(Math.random()).slice(2, 14).padEnd(12, '0')}`;
  await control('POST', '/state/telephoneNumbers', { alias: telephoneNumber, account: accountId });
  return { telephoneNumber };
}

export async function numbersRelease({ telephoneNumber }) {
  await control('DELETE', `/state/telephoneNumbers/${encodeURIComponent(telephoneNumber)}`);
}

export async function users({ accountId }) {
  return platformUsersCreate({ accountId });
}

export async function usersRelease({ userId }) {
  await platformUsersRemove({ userId });
}

// Whose Experiences the profile names: new ones are its own, and it is who subscribes.
const provider = process.env.XPK_PROVIDER ?? 'acme';

export async function experiencesUnconnected() {
  const { id } = await control('POST', '/state/experiences', { provider, name: 'An Experience of the suite' });
  return { experienceId: id };
}

export async function experiencesUnconnectedRelease({ experienceId }) {
  await control('DELETE', `/state/experiences/${experienceId}`);
}

export async function subscriptionsCreate({ destinationUrl, types, experienceId }) {
  const { id } = await control('POST', '/state/subscriptions', { provider, destinationUrl, types, experience: experienceId });
  return { subscriptionId: id };
}

export async function subscriptionsRemove({ subscriptionId }) {
  await control('DELETE', `/state/subscriptions/${subscriptionId}`);
}

// The portal and the platform do the same things, and the control API is told who does them.
const connect =
  (as) =>
  async ({ accountId, experienceId, state }) => {
    const { id } = await control('POST', `/state/connections?as=${as}`, { account: accountId, experience: experienceId, state });
    return { connectionId: id };
  };
const setState =
  (as) =>
  async ({ connectionId, state }) => {
    await control('PATCH', `/state/connections/${connectionId}?as=${as}`, { state });
  };
const disconnect =
  (as) =>
  async ({ connectionId }) => {
    await control('DELETE', `/state/connections/${connectionId}?as=${as}`);
  };
const assign =
  (as) =>
  async ({ experienceId, targetType, targetValue }) => {
    const { id } = await control('POST', `/state/assignments?as=${as}`, { experience: experienceId, targetType, target: targetValue });
    return { assignmentId: id };
  };
const unassign =
  (as) =>
  async ({ assignmentId }) => {
    await control('DELETE', `/state/assignments/${assignmentId}?as=${as}`);
  };

export const [portalConnectionsCreate, platformConnectionsCreate] = [connect('portal'), connect('platform')];
export const [portalConnectionsUpdate, platformConnectionsUpdate] = [setState('portal'), setState('platform')];
export const [portalConnectionsRemove, platformConnectionsRemove] = [disconnect('portal'), disconnect('platform')];
export const [portalAssignmentsCreate, platformAssignmentsCreate] = [assign('portal'), assign('platform')];
export const [portalAssignmentsRemove, platformAssignmentsRemove] = [unassign('portal'), unassign('platform')];

export async function portalUsersCreate({ accountId }) {
  const { id } = await control('POST', '/state/users?as=portal', { account: accountId });
  return { userId: id };
}

export async function portalUsersRemove({ userId }) {
  await control('DELETE', `/state/users/${userId}?as=portal`);
}

export async function platformAccountsCreate() {
  const { id } = await control('POST', '/state/accounts', { name: 'An account of the suite' });
  // Whoever the profile's token was made for may manage it.
  await control('PATCH', `/state/principals/${process.env.XPK_PRINCIPAL ?? 'manager'}`, { accounts: { [id]: 'manage' } });
  return { accountId: id };
}

export async function platformAccountsRemove({ accountId }) {
  await control('DELETE', `/state/accounts/${accountId}`);
}

export async function platformNumbersCreate({ accountId }) {
  return numbers({ accountId });
}

export async function platformNumbersRemove({ telephoneNumber }) {
  await numbersRelease({ telephoneNumber });
}
