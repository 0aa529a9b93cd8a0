import { createServer, type RequestListener } from 'node:http';
import type { TestContext } from 'node:test';
import { createKit, type Kit, type KitSettings } from '../kit.ts';
import { listen } from '../store/testing/listen.ts';

/** Starts a target and a proxy of it. Both end with the test. */
export async function startProxy(
  t: Pick<TestContext, 'after'>,
  answer: RequestListener,
  { upstream, ...settings }: Omit<KitSettings, 'upstream'> & { readonly upstream?: Partial<NonNullable<KitSettings['upstream']>> } = {},
) {
  const target = await listen(createServer(answer));
  t.after(target.close);
  const proxy = await openProxy(t, { ...settings, upstream: { api: target.url, ...upstream } });
  return { ...proxy, targetUrl: target.url };
}

/** Starts a proxy that ends with the test. */
export async function openProxy(t: Pick<TestContext, 'after'>, settings: KitSettings) {
  const proxy: Kit = await createKit({ port: 0, ...settings });
  t.after(proxy.close);
  const list = async () => (await proxy.control.GET('/_control/requests')).data;
  /** Waits for the entry with a path, because an entry may follow its response. */
  const waitForEntry = async (path: string) => (await proxy.control.POST('/_control/requests/wait', { body: { path } })).data;
  return { url: proxy.url, port: proxy.port, proxy, list, waitForEntry };
}
