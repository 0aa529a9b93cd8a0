import { createKit } from '../../src/kit.ts';
import type { OpenServer } from './server.ts';

/** Describes a kit, or a proxy in front of kits, with an enabled control API. */
export const createKitTarget = (url: string, close: () => Promise<unknown>): OpenServer => ({
  settings: { baseUrl: url, headers: {}, timeoutMs: 10_000, control: { url, disposable: true }, profile: {} },
  shown: { baseUrl: url, kind: 'kit' },
  notApplicable: [],
  [Symbol.asyncDispose]: async () => void (await close()),
});

export async function openKit(options: Parameters<typeof createKit>[0]): Promise<OpenServer> {
  const kit = await createKit({ port: 0, ...options });
  return createKitTarget(kit.url, () => kit.close());
}
