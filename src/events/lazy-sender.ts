import type { Sender, SenderOptions } from './send.ts';

/** Loads the sender and the HTTP client undici on the first send. Loading undici takes time, and most kits never send. */
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
