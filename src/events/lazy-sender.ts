import type { Sender, SenderOptions } from './send.ts';

/** Loads the sender, and with it undici, on the first send. Most kits never send, and loading it takes a good part of the start. */
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
