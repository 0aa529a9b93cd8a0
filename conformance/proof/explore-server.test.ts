import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { defaultDecisions } from '../../src/contract/generated/decisions.ts';
import { formatCounterexample } from '../../src/oracle/message.ts';
import { listen } from '../../src/store/testing/listen.ts';
import { exploreServer } from './explore-server.ts';
import { openKit } from './kit-target.ts';

const OPTIONS = { seconds: 60, commands: 16, parallel: true };

test('a kit and its twin give the same answers and events', async () => {
  await using kit = await openKit({});
  const { found, steps, looks } = await exploreServer(kit.settings, defaultDecisions, { ...OPTIONS, seed: 1, maxSequences: 3 });
  assert.deepEqual(found.map(formatCounterexample), []);
  assert.ok(steps > 10 && looks > 100, `${steps} steps, ${looks} looks`);
});

test('a connection that the API does not show if the portal has created it is found, with few steps', async () => {
  await using kit = await openKit({});
  await using proxy = await openForgetfulProxy(kit.settings.baseUrl);
  const settings = { ...kit.settings, baseUrl: proxy.url };
  const { found } = await exploreServer(settings, defaultDecisions, { ...OPTIONS, seed: 2, maxSequences: 2 });
  // If nobody has looked at it before the next step, that step seems to have removed it.
  const example = found.find(({ difference: { rule } }) => ['connections.get.found', 'connections.only-changed'].includes(rule));
  assert.ok(example, `Found: ${found.map(formatCounterexample).join('\n')}`);
  const message = formatCounterexample(example);
  assert.match(
    message,
    /^Expected 200, not 404 \(There is no such connection\.\)\nStep [2-6] shows it, and no shorter sequence was found:\n/,
  );
  assert.match(message, /\. The (portal|platform) connects account \d with experience \d \(new connection \d\) → done\n/);
  assert.match(
    message,
    /\. GET \S+\/new connection \d, as the \w+\n +Expected 200, not 404 \(There is no such connection\.\)\n(.+\n)*What is .+\nThe suite acts .+\nEverything else .+\nTo repeat the sequence, add to the xpk command: --seed \d+ --path [\d:]+$/,
  );
});

/** Hides single connections that were not created through the proxy. */
async function openForgetfulProxy(origin: string) {
  const created = new Set<string>();
  return listen(
    createServer(async (request, response) => {
      const { method = '', url = '', headers } = request;
      const [, id] = /connections\/([\w-]+)$/.exec(url) ?? [];
      const isHidden = method === 'GET' && id !== undefined && !created.has(id);
      const target = origin + (isHidden ? url.replace(id, randomUUID()) : url);
      const sent = Object.entries(headers).filter(([name]) => ['authorization', 'content-type'].includes(name)) as [string, string][];
      const content = await text(request);
      const answer = await fetch(target, { method, headers: sent, ...(content !== '' && { body: content }) });
      const body = await answer.text();
      if (method === 'POST') for (const [, each = ''] of body.matchAll(/"id":"([^"]+)"/g)) created.add(each);
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' }).end(body);
    }),
  );
}
