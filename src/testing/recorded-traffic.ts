import { listScenarios } from '../checks/scenarios/list-scenarios.ts';
import { runScenario } from '../checks/scenarios/run-scenario.ts';
import type { Kit } from '../kit.ts';
import { createCorrectClient } from './scripted-client.ts';

export interface HarHeader {
  readonly name: string;
  readonly value: string;
}

/** An entry of a HAR, as Playwright writes it. */
export interface RecordedEntry {
  startedDateTime: string;
  time: number;
  request: { method: string; url: string; headers: HarHeader[]; postData?: { mimeType: string; text: string } };
  response: { status: number; headers: HarHeader[]; content: { size: number; mimeType: string; text?: string }; redirectURL: string };
}

const toHeaders = (headers: Headers): HarHeader[] => [...headers].map(([name, value]) => ({ name, value }));

const START = '2026-03-01T12:00:00.000Z';

/** Records every request that is sent with `fetch` while `run` runs. */
export async function recordHar(run: () => Promise<void>): Promise<RecordedEntry[]> {
  const entries: RecordedEntry[] = [];
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const body = await request.clone().text();
    const response = await fetch(request);
    const text = await response.clone().text();
    entries.push({
      startedDateTime: START,
      time: 10,
      request: {
        method: request.method,
        url: request.url,
        headers: toHeaders(request.headers),
        ...(body !== '' && { postData: { mimeType: request.headers.get('content-type') ?? '', text: body } }),
      },
      response: {
        status: response.status,
        headers: toHeaders(response.headers),
        content: { size: Buffer.byteLength(text), mimeType: response.headers.get('content-type') ?? '', text },
        redirectURL: response.headers.get('location') ?? '',
      },
    });
    return response;
  };
  try {
    await run();
  } finally {
    globalThis.fetch = fetch;
  }
  // A HAR has whole milliseconds, so that requests to a kit on the same machine would seem to overlap.
  return entries.map((entry, index) => ({ ...entry, startedDateTime: new Date(Date.parse(START) + 20 * index).toISOString(), time: 10 }));
}

const FORMS = [
  { assignments: '/experience/assignments', connections: '/experience/connections', other: '/experience-assignments' },
  { assignments: '/experience-assignments', connections: '/experience-connections', other: '/experience/assignments' },
] as const;

/** Sends requests to all operations in both path forms. Most of them succeed. */
export async function useService(kit: Kit): Promise<void> {
  const client = await createCorrectClient(kit);
  const { access_token: token } = await client.login();
  const [accountId, contoso] = [client.accountId, await kit.id('accounts', 'contoso')];
  const [experienceId, reception] = [client.experienceId, await kit.id('experiences', 'reception')];
  const send = (path: string, body?: object, method?: string) => client.send(token, path, body, method);
  const remove = (path: string) => send(path, undefined, 'DELETE');

  async function readAll(path: string, query: Readonly<Record<string, string>>): Promise<{ readonly id: string }[]> {
    const all: { readonly id: string }[] = [];
    for (let cursor: unknown; cursor !== null; ) {
      const { body } = await send(`${path}?${new URLSearchParams({ ...query, ...(typeof cursor === 'string' && { cursor }) })}`);
      all.push(...((body.entities as typeof all | undefined) ?? []));
      cursor = body.cursor ?? null;
    }
    return all;
  }

  for (const { assignments, connections, other } of FORMS) {
    await send(client.check());
    await send(`/experience${client.check()}`);
    const target = { targetType: 'PHONE_NUMBER', targetValue: '+12065550103' };
    const { id } = (await send(assignments, { experienceId, ...target })).body;
    await send(assignments, { experienceId, ...target });
    await send(`${assignments}/${id}`);
    await send(`${other}/${id}`);
    const second = (await send(assignments, { experienceId: reception, ...target })).body;
    const ofAccount = { id: contoso, experienceId, targetType: 'ACCOUNT', targetValue: accountId };
    const account = (await send(assignments, ofAccount)).body;
    const byAccount = { accountId, experienceId };
    await readAll(assignments, { accountId });
    await readAll(assignments, byAccount);
    await readAll(assignments, { accountId, targetType: 'USER' });
    await readAll(assignments, { ...byAccount, targetType: 'PHONE_NUMBER' });
    await readAll(assignments, target);
    await readAll(assignments, { accountId, pageSize: '2' });
    for (const each of [id, second.id, account.id]) await remove(`${assignments}/${each}`);
    await send(`${assignments}/${id}`);
    await remove(`${assignments}/${id}`);
    await readAll(assignments, target);
    const again = (await send(assignments, { experienceId, ...target })).body;
    await remove(`${assignments}/${again.id}`);

    const pair = { accountId: contoso, experienceId: reception };
    for (const found of await readAll(connections, pair)) await remove(`${connections}/${found.id}`);
    const path = `${connections}/${(await send(connections, pair)).body.id}`;
    await send(connections, pair);
    for (const state of ['ACTIVE', 'ACTIVE', 'INACTIVE', 'paused']) {
      await send(path);
      await send(path, { state }, 'PUT');
    }
    await send(path);
    await readAll(connections, { accountId: contoso });
    await readAll(connections, { accountId, telephoneNumber: 'x' });
    await readAll(connections, { telephoneNumber: '+12065550130' });
    await readAll(connections, { accountId, pageSize: '1' });
    const number = (await send(assignments, { experienceId: reception, targetType: 'PHONE_NUMBER', targetValue: '+12065550131' })).body;
    await send(`${assignments}/${number.id}`);
    await remove(path);
    await send(path);
    await send(`${assignments}/${number.id}`);
    await remove(`${assignments}/${number.id}`);
    await remove(path);
    await send(path);
    await remove(path);
    await readAll(connections, { accountId: contoso });
    await send(connections, pair);
  }

  const users = await readAll('/users', { accountId, pageSize: '7' });
  await readAll('/users', { accountId, pageSize: '50', sortBy: 'createdAt', sortOrder: 'desc' });
  await readAll('/users', { accountId, pageSize: '50', sortBy: 'createdAt', sortOrder: 'asc' });
  await readAll('/users', { accountId });
  await readAll('/users', { accountId: '00000000-0000-4000-8000-000000000000' });
  await readAll('/users', { accountId, cursor: 'x' });
  for (const id of [users[0]!.id, users[0]!.id, '2065550001', '7Xk2_mQ9-bLw4ZtR']) await send(`/users/${id}`);
}

/** Causes every refusal of the demo world. */
export async function causeRefusals(kit: Kit): Promise<void> {
  for (const scenario of listScenarios()) await runScenario(scenario, kit);
}
