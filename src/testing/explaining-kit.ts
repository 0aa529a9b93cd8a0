import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { stableUuid } from '../clock/ids.ts';
import type { components } from '../contract/generated/control.ts';
import { schemaReferences } from '../contract/generated/schema-references.ts';
import { getValidator } from '../contract/validators.ts';
import { callControl } from '../control/testing/call.ts';
import { createKit, type Kit, type KitSettings } from '../kit.ts';
import type { ApiRequest, Scenario } from '../refusals/scenario.ts';
import { type Collection, DEFAULT_EPOCH, SINGULAR_NOUNS } from '../world/world.ts';

type Schemas = components['schemas'];
export type ExplainingKit = Awaited<ReturnType<typeof startExplainingKit>>;

/** References such as `{users/ada}` become ids. */
export type TestRequest = Omit<ApiRequest, 'method'> & { readonly method?: string } & Pick<Scenario, 'fault' | 'cursorOf' | 'copies'>;

const replaceReferencesByIds = <Value>(value: Value): Value =>
  JSON.parse(
    JSON.stringify(value).replaceAll(/\{([a-zA-Z]+)\/([^{}"]+)\}/g, (_, collection: Collection, alias: string) => getId(collection, alias)),
  ) as Value;

export const getId = (collection: Collection, alias: string): string =>
  stableUuid('demo', SINGULAR_NOUNS[collection], alias, Date.parse(DEFAULT_EPOCH));

/** An account and a connection, managed by the caller with the token `full`. */
const SPARE_ENTITIES = {
  experiences: { spare: { provider: 'acme', name: 'Spare', type: 'GENERAL' } },
  connections: { spare: { account: 'contoso', experience: 'spare', state: 'ACTIVE' } },
  accounts: { spare: { name: 'Spare' } },
  principals: { manager: { accounts: { northwind: 'manage', contoso: 'manage', fabrikam: 'read', spare: 'manage' } } },
} as const;

export async function startExplainingKit(settings: KitSettings = {}) {
  const kit: Kit = await createKit({ port: 0, extend: SPARE_ENTITIES, ...settings });
  const ready = await kit.tokens();

  const control = <Body>(method: string, path: string, body?: unknown) => callControl<Body>(kit.url, method, path, body);

  async function mint(request: object): Promise<string> {
    const { body } = await control<Schemas['MintedToken']>('POST', '/tokens', { client: 'acme-web', principal: 'manager', ...request });
    return body.accessToken;
  }

  async function ask(request: TestRequest): Promise<{ traceId: string; status: number | undefined; text: string }> {
    const { method = 'GET', path, token = 'full', headers = {}, body, copies = 1, fault, cursorOf } = replaceReferencesByIds(request);
    if (fault) await control('POST', '/faults', fault);
    const cursor = cursorOf && (JSON.parse((await ask({ path: cursorOf })).text) as { cursor: string }).cursor;
    for (let sent = 1; sent < copies; sent++) await ask({ ...request, copies: 1 });
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

  async function explain(traceId: string): Promise<Schemas['Explanation']> {
    const { status, body } = await control<Schemas['Explanation']>('GET', `/explain/${traceId}`);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(getValidator(schemaReferences.responses.explain[200])(body), []);
    for (const secret of [...Object.values(ready), 'canary']) assert.ok(!JSON.stringify(body).includes(secret), secret);
    return body;
  }

  async function apply(
    { cursorOf: _, fault: _set, copies: _sent, ...request }: TestRequest,
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

  // An account and an Experience that a request can connect.
  await control('DELETE', '/state/connections/contoso-concierge');
  await control('PUT', '/snapshots/start');
  const restart = () => control('POST', '/reset', { to: 'start' });
  return { kit, control, ask, explain, apply, restart, explained: async (request: TestRequest) => explain((await ask(request)).traceId) };
}
