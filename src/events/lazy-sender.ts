import type { Sender, SenderOptions } from './send.ts';

/** Loads the sender and undici on the first send, because loading takes time and most kits never send. */
export function createLazySender(options: SenderOptions): Sender {
  let loading: Promise<Sender> | undefined;
  let loaded: Sender | undefined;
  async function load(): Promise<Sender> {
    const { createSender } = await import('./send.ts');
    loaded = createSender(options);
    return loaded;
  }
  return {
    send(...args) {
      if (loaded) return loaded.send(...args);
      loading ??= load();
      return loading.then((sender) => sender.send(...args));
    },
    close: async () => (await loading)?.close(),
  };
}
