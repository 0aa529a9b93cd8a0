import { createKit } from '../../src/kit.ts';
import type { KnownServer } from './server.ts';

type KitTargetOptions = Parameters<typeof createKit>[0];

export async function openKit(options: KitTargetOptions): ReturnType<KnownServer['open']> {
  const kit = await createKit({ port: 0, ...options });
  const control = { url: kit.url, disposable: true } as const;
  return {
    settings: { baseUrl: kit.url, headers: {}, timeoutMs: 10_000, control, profile: {} },
    shown: { baseUrl: kit.url, kind: 'kit' },
    notApplicable: [],
    close: () => kit.close(),
  };
}
