import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createKit, type Kit } from 'experience-provider-kit';
import { createApp } from '../src/app.ts';
import type { View } from '../src/view.ts';

const WORLD = fileURLToPath(new URL('../world.yaml', import.meta.url));
/** The application's URL in the world file. */
const PUBLIC_URL = 'http://127.0.0.1:3000';

/** The customers' accounts, each with a number that can be assigned. */
export const CUSTOMERS = [
  ['bakery', '+12065550111'],
  ['clinic', '+12065550121'],
  ['florist', '+12065550131'],
] as const;

/** Starts a kit with this application's world. */
export const startKit = (): Promise<Kit> => createKit({ port: 0, fixtures: WORLD });

/** Starts the application on a free port. */
export async function startApp(kit: Pick<Kit, 'url' | 'authUrl'>, now = Date.now) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  /** Returns an entity's id, or the alias itself if the world has no such entity. */
  const findId = async (collection: string, alias: string) => {
    const response = await fetch(`${kit.url}/_control/state/${collection}/${alias}`);
    return ((await response.json()) as { id?: string }).id ?? alias;
  };
  const config = {
    serviceUrl: kit.url,
    authUrl: kit.authUrl,
    clientId: await findId('clients', 'app'),
    clientSecret: 'a-secret-for-tests',
    experienceId: await findId('experiences', 'assistant'),
    publicUrl: PUBLIC_URL,
    dataFolder: mkdtempSync(join(tmpdir(), 'provider-app-')),
  };
  let app = createApp(config, now);
  server.on('request', (req, res) => app.express(req, res));

  /**
   * Opens one of the application's paths with cookies and redirects, like a browser.
   * @returns the last response
   */
  async function browse(path: string): Promise<Response> {
    const cookies = new Map<string, string>();
    for (let next = url + path; ; ) {
      const { host } = new URL(next);
      const response = await fetch(next, { redirect: 'manual', headers: { cookie: cookies.get(host) ?? '' } });
      for (const cookie of response.headers.getSetCookie()) cookies.set(host, cookie.split(';', 1)[0] ?? '');
      const location = response.headers.get('location');
      if (location === null) return response;
      next = location.replace(PUBLIC_URL, url);
    }
  }

  return {
    url,
    state: async () => (await fetch(`${url}/state`)).json() as Promise<ReturnType<View['state']>>,

    /** Connects like a customer who uses a browser. @returns the last response's status and JSON */
    async connect(account: string, number: string) {
      const query = new URLSearchParams({ account: await findId('accounts', account), number });
      const response = await browse(`/connect?${query}`);
      return { status: response.status, ...((await response.json()) as { connectionId: string; error?: string }) };
    },

    rebuild: async () => (await fetch(`${url}/rebuild`, { method: 'POST' })).status,

    /** Stops the application and starts it again with the same data. */
    restart(): void {
      app.close();
      app = createApp(config, now);
    },

    close(): void {
      server.close();
      server.closeAllConnections();
      app.close();
      rmSync(config.dataFolder, { recursive: true });
    },
  };
}
