import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { components } from '../../../contract/generated/control.ts';
import { schemaReferences } from '../../../contract/generated/schema-references.ts';
import { validator } from '../../../contract/validators.ts';
import { createKit, type Kit, type KitSettings } from '../../../kit.ts';
import { explainedWorld } from './world.ts';

export type Explanation = components['schemas']['Explanation'];
type ReadyToken = keyof typeof explainedWorld.tokens;

/** A request as a test writes it. */
export interface Ask {
  readonly method?: string;
  readonly path: string;
  /** A ready token, `none`, or any other text. Default full. */
  readonly token?: ReadyToken | 'none' | { readonly text: string };
  readonly headers?: Readonly<Record<string, string>>;
  /** Text goes as it is; anything else as JSON. */
  readonly body?: unknown;
}

export interface Answered {
  readonly traceId: string;
  /** Undefined where the connection ended. */
  readonly status: number | undefined;
  readonly text: string;
}

/** A kit on the world of explanations, and what tests do with it. */
export async function explainingKit(settings: KitSettings = {}) {
  const kit: Kit = await createKit({ port: 0, fixtures: explainedWorld, ...settings });
  const tokens = await kit.tokens();

  async function control<Body>(method: string, path: string, body?: unknown): Promise<{ status: number; body: Body }> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${kit.url}/_control${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as Body };
  }

  async function ask({ method = 'GET', path, token = 'full', headers = {}, body }: Ask): Promise<Answered> {
    const traceId = randomBytes(16).toString('hex');
    const bearer = typeof token === 'object' ? token.text : tokens[token];
    const response = await fetch(kit.url + path, {
      method,
      redirect: 'manual',
      headers: {
        traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
        ...(token !== 'none' && { authorization: `Bearer ${bearer}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }).catch(() => undefined);
    return { traceId, status: response?.status, text: (await response?.text()) ?? '' };
  }

  /** The explanation of a trace, which is as control.yaml says and holds no secret. */
  async function explain(traceId: string): Promise<Explanation> {
    const { status, body } = await control<Explanation>('GET', `/explain/${traceId}`);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(validator(schemaReferences.responses.explain[200])(body), []);
    const text = JSON.stringify(body);
    for (const secret of [...Object.values(tokens), 'canary']) assert.ok(!text.includes(secret), `${text} holds a secret`);
    return body;
  }

  return { kit, control, ask, explain, explained: async (request: Ask) => explain((await ask(request)).traceId) };
}

export type ExplainingKit = Awaited<ReturnType<typeof explainingKit>>;
