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

/** Records every request that is sent with `fetch` while `run` runs. */
export async function recordHar(run: () => Promise<void>): Promise<RecordedEntry[]> {
  const entries: RecordedEntry[] = [];
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const body = await request.clone().text();
    const [startedDateTime, start] = [new Date().toISOString(), performance.now()];
    const response = await fetch(request);
    const text = await response.clone().text();
    entries.push({
      startedDateTime,
      time: performance.now() - start,
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
  return entries;
}

/** Sends valid requests to all operations, in both path forms, of which each depends on earlier ones. */
export async function useService(kit: Kit): Promise<void> {
  const client = await createCorrectClient(kit);
  const { access_token: token } = await client.login();
  const other = await kit.id('experiences', 'reception');
  const send = (path: string, body?: object, method?: string) => client.send(token, path, body, method);
  for (const forms of [
    { assignments: '/experience/assignments', connections: '/experience/connections' },
    { assignments: '/experience-assignments', connections: '/experience-connections' },
  ]) {
    const { accountId, experienceId } = client;
    await send(client.check());
    await send(`/experience${client.check('+12065550103')}`);
    const target = { targetType: 'PHONE_NUMBER', targetValue: '+12065550103' };
    const { id } = (await send(forms.assignments, { experienceId, ...target })).body;
    await send(forms.assignments, { experienceId, ...target });
    const second = (await send(forms.assignments, { experienceId: other, ...target })).body;
    await send(`${forms.assignments}/${id}`);
    await send(`/experience/assignments/${id}`);
    const account = (await send(forms.assignments, { id: accountId, experienceId, targetType: 'ACCOUNT', targetValue: accountId })).body;
    for (const query of [
      { accountId },
      { accountId, experienceId },
      { accountId, targetType: 'USER' },
      { accountId, experienceId, targetType: 'PHONE_NUMBER' },
      target,
      { accountId, pageSize: '2' },
      { accountId, pageSize: '100' },
    ])
      await readAll(`${forms.assignments}?${new URLSearchParams(query)}`);
    const connection = (await send(forms.connections, { accountId, experienceId })).body;
    await send(forms.connections, { accountId, experienceId });
    const path = `${forms.connections}/${connection.id}`;
    for (const state of ['ACTIVE', 'ACTIVE', 'INACTIVE']) {
      await send(path);
      await send(path, { state }, 'PUT');
      await send(path);
    }
    for (const query of [
      { accountId },
      { accountId, experienceId },
      { accountId, telephoneNumber: 'x' },
      { telephoneNumber: '+12065550100' },
      { accountId, pageSize: '1' },
    ])
      await readAll(`${forms.connections}?${new URLSearchParams(query)}`);
    await send(path, undefined, 'DELETE');
    await send(path);
    for (const each of [id, second.id, account.id]) await send(`${forms.assignments}/${each}`, undefined, 'DELETE');
    await send(`${forms.assignments}/${id}`, undefined, 'DELETE');
    await send(`${forms.assignments}/${id}`);
    await send(`${forms.assignments}?${new URLSearchParams(target)}`);
    await send(path, undefined, 'DELETE');
    await send(path, undefined, 'DELETE');
    await send(path);
    await readAll(`${forms.connections}?${new URLSearchParams({ accountId })}`);
    await send(forms.assignments, { experienceId, ...target });
  }
  await readAll(client.users({ pageSize: '1' }));
  await readAll(client.users({ pageSize: '3', sortBy: 'createdAt', sortOrder: 'desc' }));
  await readAll(client.users());
  const [user] = (await send(client.users())).body.entities as { id: string }[];
  for (const id of [user!.id, user!.id, '2065550001']) await send(`/users/${id}`);
  await send(`/users?accountId=00000000-0000-4000-8000-000000000000`);

  /** Follows the cursor. */
  async function readAll(path: string): Promise<void> {
    for (let cursor: unknown = ''; typeof cursor === 'string'; )
      cursor = (await send(cursor === '' ? path : `${path}&cursor=${encodeURIComponent(cursor)}`)).body.cursor;
  }
}

/** Causes every refusal of the demo world. */
export async function causeRefusals(kit: Kit): Promise<void> {
  for (const scenario of listScenarios()) await runScenario(scenario, kit);
}
