import assert from 'node:assert/strict';

export interface Answer<Body> {
  readonly status: number;
  readonly data?: Body | undefined;
}

/** Calls of the API. The types of a generated client must be assignable to these types without a cast. */
export interface Client {
  assign(body: { experienceId: string; targetType: 'PHONE_NUMBER'; targetValue: string }): Promise<Answer<{ id: string }>>;
  list(query: {
    accountId: string;
    pageSize: number;
    cursor?: string;
  }): Promise<Answer<{ entities: readonly { id: string }[]; cursor?: string | null }>>;
  remove(assignmentId: string): Promise<Answer<unknown>>;
}

const { KIT_URL = '', TOKEN = '', ACCOUNT = '', EXPERIENCE = '' } = process.env;
export const kitUrl = KIT_URL;

export async function makeFiveCalls(connect: (token: string) => Client): Promise<void> {
  const { assign, list, remove } = connect(TOKEN);
  const body = { experienceId: EXPERIENCE, targetType: 'PHONE_NUMBER', targetValue: '+12065550103' } as const;

  const created = await assign(body);
  assert.equal(created.status, 201, 'success');
  const id = created.data?.id ?? assert.fail('The created assignment has no id.');

  assert.equal((await assign(body)).status, 409, 'conflict');

  const ids = await traverse(list);
  assert.ok(ids.length > 2 && ids.includes(id), `traversal: ${id} is not among ${ids}`);
  assert.equal(new Set(ids).size, ids.length, 'traversal: no entity is on two pages');

  assert.equal((await remove(id)).status, 204, 'delete');
  assert.ok(!(await traverse(list)).includes(id), 'delete: the assignment no longer exists');

  assert.equal((await connect('not-a-token').list({ accountId: ACCOUNT, pageSize: 1 })).status, 401, 'invalid token');
}

async function traverse(list: Client['list']): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null | undefined;
  do {
    const { status, data } = await list({ accountId: ACCOUNT, pageSize: 2, ...(cursor && { cursor }) });
    assert.ok(status === 200 && data, `traversal: ${status}`);
    ids.push(...data.entities.map((entity) => entity.id));
    cursor = data.cursor;
  } while (cursor);
  return ids;
}
