import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { components } from '../../../contract/generated/control.ts';
import { schemaReferences } from '../../../contract/generated/schema-references.ts';
import { validator } from '../../../contract/validators.ts';
import { createKit, type Kit, type KitSettings } from '../../../kit.ts';
import { callControl } from '../../testing/call.ts';
import type { TestRequest } from './refusals.ts';
import { explainedWorld } from './world.ts';

type Schemas = components['schemas'];
export type ExplainingKit = Awaited<ReturnType<typeof explainingKit>>;

/** Starts a kit with `explainedWorld`. @returns the kit, and functions that send requests and explain the responses */
export async function explainingKit(settings: KitSettings = {}) {
  const kit: Kit = await createKit({ port: 0, fixtures: explainedWorld, ...settings });
  const ready = await kit.tokens();

  const control = <Body>(method: string, path: string, body?: unknown) => callControl<Body>(kit.url, method, path, body);

  async function mint(request: object): Promise<string> {
    const { body } = await control<Schemas['MintedToken']>('POST', '/tokens', { client: 'acme-web', principal: 'manager', ...request });
    return body.accessToken;
  }

  async function ask(request: TestRequest): Promise<{ traceId: string; status: number | undefined; text: string }> {
    const { method = 'GET', path, token = 'full', headers = {}, body, repeats = 0, fault, cursorOf } = request;
    if (fault) await control('POST', '/faults', fault);
    const cursor = cursorOf && (JSON.parse((await ask({ path: cursorOf })).text) as { cursor: string }).cursor;
    for (let sent = 0; sent < repeats; sent++) await ask({ ...request, repeats: 0 });
    const traceId = randomBytes(16).toString('hex');
    const bearer = token === 'none' ? undefined : typeof token === 'object' ? await mint(token) : ready[token];
    const response = await fetch(`${kit.url}${path}${cursor === undefined ? '' : `&cursor=${cursor}`}`, {
      method,
      redirect: 'manual',
      headers: {
        traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }).catch(() => undefined);
    return { traceId, status: response?.status, text: (await response?.text()) ?? '' };
  }

  /** Returns the explanation of a request. Asserts that the explanation matches the contract and contains no secrets. */
  async function explain(traceId: string): Promise<Schemas['Explanation']> {
    const { status, body } = await control<Schemas['Explanation']>('GET', `/explain/${traceId}`);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(validator(schemaReferences.responses.explain[200])(body), []);
    for (const secret of [...Object.values(ready), 'canary']) assert.ok(!JSON.stringify(body).includes(secret), secret);
    return body;
  }

  /** Applies a suggestion: sends the suggested control API requests, then the original request with the suggested changes. */
  async function apply(
    { cursorOf: _, fault: _set, repeats: _sent, ...request }: TestRequest,
    change: Schemas['ExplainedChange'] | undefined,
  ) {
    for (const call of change?.control ?? []) {
      const { status } = await control(call.method, call.path.slice('/_control'.length), call.body);
      assert.ok(status < 300, `${call.method} ${call.path}: ${status}`);
    }
    const { token, ...changed } = change?.request ?? {};
    const authorization = token && { authorization: `Bearer ${await mint(token)}` };
    return ask({ ...request, ...changed, headers: { ...request.headers, ...changed.headers, ...authorization } });
  }

  await control('PUT', '/snapshots/start');
  const restart = () => control('POST', '/reset', { to: 'start' });
  return { kit, control, ask, explain, apply, restart, explained: async (request: TestRequest) => explain((await ask(request)).traceId) };
}
