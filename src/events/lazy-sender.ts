import type { Sender, SenderOptions } from './send.ts';

/** A sender that is loaded when something is sent for the first time: most kits never do, and it is a good part of a start. */
export function lazySender(options: SenderOptions): Sender {
  let loaded: Promise<Sender> | undefined;
  const load = () => {
    loaded ??= import('./send.ts').then(({ createSender }) => createSender(options));
    return loaded;
  };
  return {
    send: async (...call) => (await load()).send(...call),
    close: async () => (await loaded)?.close(),
  };
}
