import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKit } from '../../src/kit.ts';
import { LOGIN_MODES } from '../../src/oauth/server/context.ts';
import { createFlow, MANAGER_NUMBER } from '../../src/testing/oauth-flow.ts';
import { createArrangement } from './arrangement.ts';
import { createCleanup } from './cleanup.ts';
import { createControl } from './control.ts';
import { createKitCapabilities } from './kit-capabilities.ts';
import { send } from './send.ts';
import { type Get, sendFirstRequest, type Visit } from './visit.ts';

const get: Get = (url, headers) => send('GET', url, { headers }, { headers: {}, timeoutMs: 10_000 });
const OTHERS_LOGIN = { page: /^\/auth\/interaction\//, auto: /^\/callback\?code=/, deny: /^\/callback\?error=access_denied/ };

for (const login of LOGIN_MODES) {
  test(`the suite gets a code from a kit that was started with --login ${login}, but other clients do as before`, async () => {
    await using kit = await createKit({ port: 0, login });
    const cleanup = createCleanup();
    const options = { control: createControl(kit.url), name: 'suite', cleanup, disposable: false, canReceive: true };
    const { need } = createArrangement(await createKitCapabilities(options));
    async function requestLogin(visit: Visit, hint: string, client?: string): Promise<URL> {
      const url = createFlow(kit.authUrl, 'acme-web', client).authorizeUrl({ login_hint: hint });
      return (await visit(url, get)).location ?? assert.fail('The response is not a redirect.');
    }
    try {
      const [{ id }, hint] = [await need('oauth.secret-client'), await need('oauth.login-hint')];
      assert.ok((await requestLogin(await need('oauth.approve'), hint, id)).searchParams.get('code'));
      assert.equal((await requestLogin(await need('oauth.deny'), hint, id)).searchParams.get('error'), 'access_denied');
      const { pathname, search } = await requestLogin(sendFirstRequest, MANAGER_NUMBER);
      assert.match(pathname + search, OTHERS_LOGIN[login]);
    } finally {
      await cleanup.run();
    }
  });
}
