import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startProxy } from '../testing/proxy.ts';

const TARGETS_TRACE_ID = '0af7651916cd43dd8448eb211c80319c';

/** Explains a refusal by its target's trace id. */
async function explain(t: Parameters<typeof startProxy>[0], path: string, status: number, problem: object = {}) {
  const { url, targetUrl } = await startProxy(t, (_, res) =>
    res.writeHead(status, { 'content-type': 'application/problem+json' }).end(JSON.stringify({ traceId: TARGETS_TRACE_ID, ...problem })),
  );
  await (await fetch(`${url}${path}`)).text();
  const response = await fetch(`${url}/_control/explain/${TARGETS_TRACE_ID}`);
  const { summary, reason, refusals, state, change } = (await response.json()) as {
    summary: string;
    reason?: { id: string };
    refusals?: readonly { rule: string; status: number; text: string }[];
    state?: unknown;
    change?: unknown;
  };
  // The proxy's own world knows nothing about the target.
  assert.deepEqual([state, change], [undefined, undefined]);
  return { summary: summary.replace(targetUrl, 'TARGET'), reason: reason?.id, refusals: refusals?.map(({ rule }) => rule) };
}

test('a refusal that names a rule is explained by this rule, also in another form of the type', async (t) => {
  for (const type of ['/problems/users.get.not-found', 'https://docs.example.com/errors#users.get.not-found'])
    assert.deepEqual(await explain(t, '/users/x', 404, { title: 'Not Found', type }), {
      summary: 'TARGET answered 404.',
      reason: 'users.get.not-found',
      refusals: undefined,
    });
});

test('a refusal that names no rule is explained by what the contract documents for its status', async (t) => {
  const errors = [{ reason: 'a real service need not name a part of the request' }];
  const { summary, reason, refusals } = await explain(t, '/users/x', 404, { title: 'Not Found', type: 'about:blank', errors });
  assert.equal(
    summary,
    'TARGET answered 404. The contract documents these reasons for 404 from getUser; the proxy does not know the state of its target, so it cannot tell which one applies.',
  );
  assert.deepEqual([reason, refusals], [undefined, ['users.get.not-found']]);
});

test('a status that the contract does not document is called so', async (t) => {
  const { summary } = await explain(t, '/users/x', 418);
  assert.match(summary, /^TARGET answered 418, which the contract does not document for getUser\. Its statuses are 200, 401, /);
});

test('a refusal of an unknown path says that the contract has no such operation', async (t) => {
  assert.equal(
    (await explain(t, '/nothing', 404)).summary,
    'TARGET answered 404. The contract has no operation with this method and path.',
  );
});

test('the control API says that the kit is a proxy, and of what', async (t) => {
  const { url, proxy, targetUrl } = await startProxy(t, (_, res) => res.end());
  const { world, upstream, settings } = (await proxy.control.GET('/_control/info')).data;
  assert.deepEqual([world, upstream, settings.upstream], ['empty', { api: targetUrl }, undefined]);
  assert.equal(((await (await fetch(`${url}/_control/health`)).json()) as { proxyOf: string }).proxyOf, targetUrl);
});
