import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createEndpoint } from './endpoint.ts';
import { callHook } from './hooks.ts';
import { ScenarioEnd } from './result.ts';

for (const keepsConnections of [true, false])
  test(`a restart command that leaves the connection to the endpoint open makes the scenario not testable (${keepsConnections ? 'keep-alive' : 'one request for each connection'})`, async (t) => {
    const server = createServer((request, response) => {
      // As if the process ended and were started again.
      if (request.url === '/restart') server.closeAllConnections();
      else response.writeHead(204, { connection: keepsConnections ? 'keep-alive' : 'close' }).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const endpoint = createEndpoint({ url: `${origin}/events`, mode: 'local', answerWithinMs: 5000, secret: undefined, now: Date.now });
    t.after(async () => {
      await endpoint.close();
      server.closeAllConnections();
      server.close();
    });
    await endpoint.deliver({ webhookId: '1', body: '{}' });
    const restart = (command: string) => callHook({ restart: { command } }, 'restart', endpoint);
    await assert.rejects(
      restart('exit 0'),
      (error) => error instanceof ScenarioEnd && /^The --restart command did not close the connection/.test(error.result.reason ?? ''),
    );
    await restart(`${process.execPath} -e "fetch('${origin}/restart').catch(() => {})"`);
  });
