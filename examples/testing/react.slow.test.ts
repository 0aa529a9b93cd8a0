import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { createKit } from '../../src/kit.ts';
import { getChromiumOptions } from '../../src/oauth/server/testing/chromium.ts';

const playwright = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');
/** The server of the example that the page shares. Not a literal, because JavaScript has no types. */
const SERVER: string = '../frontend/server.mjs';
/** Preact takes the place of React, because it is installed. */
const alias = { react: 'preact/compat', 'react-dom/client': 'preact/compat/client' };

test('the page with React in docs/frontend.md passes its test in a browser', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'xpk-react-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const files = readFileSync('docs/frontend.md', 'utf8').matchAll(/^```(?:tsx?|html) (\S+)\n(.*?)^```/gms);
  for (const [, name = '', text = ''] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const entry = join(folder, 'src/main.tsx');
  const options = { bundle: true, write: false, format: 'esm', jsx: 'automatic', jsxImportSource: 'preact' } as const;
  const { outputFiles } = await build({ ...options, entryPoints: [entry], alias });
  const page = { '/': ['text/html', readFileSync(join(folder, 'index.html'))], '/src/main.tsx': ['text/javascript', outputFiles[0]!.text] };

  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const pageUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await using kit = await createKit({ port: 0, extend: { clients: { 'acme-web': { redirectUris: [`${pageUrl}/callback`] } } } });
  const { createHandler } = await import(SERVER);
  const login = createHandler({ apiUrl: kit.url, authUrl: kit.authUrl, pageUrl });
  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    const [type, text] = page[req.url as keyof typeof page] ?? [];
    if (type === undefined) void login(req, res);
    else res.writeHead(200, { 'content-type': type as string }).end(text);
  });

  const config = { testDir: 'tests', use: { baseURL: pageUrl, launchOptions: await getChromiumOptions() } };
  writeFileSync(join(folder, 'own.config.ts'), `export default ${JSON.stringify(config)};`);
  // Unset NODE_TEST_CONTEXT. Otherwise, the started process would behave as a child of this test runner.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, XPK_URL: kit.url };
  const args = [playwright, 'test', '--config', join(folder, 'own.config.ts'), '--reporter', 'line'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, cwd: folder }).catch((error) =>
    assert.fail(error.stdout + error.stderr),
  );
  assert.match(stdout, /1 passed/);
});
