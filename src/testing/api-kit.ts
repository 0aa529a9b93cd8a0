import assert from 'node:assert/strict';
import { after, before, describe, mock } from 'node:test';
import {
  apiWorld,
  type ExperienceAlias,
  getExperienceId,
  getOwnAccount,
  type OwnAccount,
  type Target,
  type TokenName,
} from '../api/testing/world.ts';
import { createKit, type Kit, type KitSettings } from '../kit.ts';
import { createDatabase } from '../store/testing/postgres.ts';

export const ASSIGNMENTS = '/experience/assignments';
export const CONNECTIONS = '/experience/connections';

export interface Call {
  /** The name of the ready-made token to send. The default is `full`. */
  readonly token?: TokenName | 'none';
  readonly headers?: Readonly<Record<string, string>>;
  /** A string or a buffer is sent unchanged. Any other value is sent as JSON. */
  readonly body?: unknown;
}

export interface Body {
  readonly id: string;
  readonly accountId: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly createdAt: string;
  readonly updatedAt: string | null;
  readonly entities: readonly Body[];
  readonly cursor: string | null;
  readonly count: number;
  readonly type: string;
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string }[];
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export type ApiKit = ReturnType<typeof startBeforeTests>;

/** Stops wall time during a suite, so that all requests arrive in the same millisecond. */
function stopTime(): void {
  before(() => mock.timers.enable({ apis: ['Date'], now: Date.now() }));
  after(() => mock.timers.reset());
}

export function onBothEngines(title: string, tests: (api: ApiKit) => void, settings?: KitSettings): void {
  describe(title, { concurrency: true }, () => {
    stopTime();
    for (const engine of ['sqlite', 'postgres'] as const)
      describe(engine, { concurrency: 1 }, () => tests(startBeforeTests(engine, settings)));
  });
}

export function onSqlite(title: string, tests: (api: ApiKit) => void): void {
  describe(title, () => {
    stopTime();
    tests(startBeforeTests('sqlite'));
  });
}

function startBeforeTests(engine: 'sqlite' | 'postgres', settings: KitSettings = {}) {
  let kit: Kit;
  let tokens: Readonly<Record<string, string>> = {};
  let rooms = 0;
  before(async () => {
    const place = engine === 'postgres' ? { database: await createDatabase() } : {};
    kit = await createKit({ port: 0, fixtures: apiWorld, ...place, ...settings });
    tokens = await kit.tokens();
  });
  after(() => kit.close());

  async function send(method: string, path: string, { token = 'full', headers, body }: Call = {}): Promise<Reply> {
    const response = await fetch(`${kit.url}${path}`, {
      method,
      headers: {
        ...(token !== 'none' && { authorization: `Bearer ${tokens[token]}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      // Sent as bytes, because fetch would add a content type for a string.
      ...(body !== undefined && {
        body: Buffer.isBuffer(body) ? new Uint8Array(body) : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: (text === '' ? {} : JSON.parse(text)) as Body };
  }

  async function create(path: string, body: object) {
    const reply = await send('POST', path, { body });
    assert.equal(reply.status, 201, JSON.stringify(reply.body));
    return reply.body;
  }

  async function control(method: string, path: string, body?: unknown): Promise<Reply> {
    const reply = await send(method, `/_control${path}`, { token: 'none', body });
    assert.ok(reply.status < 300, JSON.stringify(reply.body));
    return reply;
  }

  return {
    get kit(): Kit {
      return kit;
    },
    send,
    control,
    advance: async (milliseconds: number) => void (await control('POST', '/clock/advance', { by: milliseconds })),
    getUnusedAccount: (): OwnAccount => getOwnAccount(++rooms),
    assign: (alias: ExperienceAlias, target: Target) => create(ASSIGNMENTS, { experienceId: getExperienceId(alias), ...target }),
    connect: (alias: ExperienceAlias, accountId: string) => create(CONNECTIONS, { experienceId: getExperienceId(alias), accountId }),
    async listPublishedEvents(accountId: string): Promise<{ type: string; entityId: string; updatedAt: string }[]> {
      const rows = await kit.store.db.selectFrom('events').select(['type', 'entity_id', 'data']).orderBy('id').execute();
      const events = rows.map(({ type, entity_id: entityId, data }) => ({ type, entityId, ...JSON.parse(data) }));
      return events.filter((event) => event.accountId === accountId);
    },
  };
}

export async function expectProblem(reply: Promise<Reply>, status: number, id: string): Promise<Body> {
  const { body, ...received } = await reply;
  assert.deepEqual([received.status, body.type], [status, `/problems/${id}`], JSON.stringify(body));
  assert.equal(received.headers.get('content-type'), 'application/problem+json');
  return body;
}

export async function countStatuses(replies: readonly Promise<Reply>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(replies)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
