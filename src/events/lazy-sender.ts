import type { Sender, SenderOptions } from './send.ts';

/** Loads the sender and its HTTP client, undici, on the first send, because most kits never send and loading undici takes time. */
export function lazySender(options: SenderOptions): Sender {
  let loaded: Promise<Sender> | undefined;
  const load = () => {
    loaded ??= import('./send.ts').then(({ createSender }) => createSender(options));
    return loaded;
  };
  return {
    send: async (...args) => (await load()).send(...args),
    close: async () => (await loaded)?.close(),
  };
}
