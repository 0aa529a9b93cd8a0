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
