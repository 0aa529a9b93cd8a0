import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A connection without a request may delay a graceful shutdown. */
const MAX_HOLD_MS = 1000;
/** How often and how long to wait for the end of a connection after a restart. */
const [CHECKS, CHECK_MS] = [10, 20];

export type HeldConnections = ReturnType<typeof watchConnections>;

/** Watches this process's HTTP connections to a URL's host. @param open opens another connection */
export function watchConnections(url: string, open: () => Promise<Socket>) {
  const { host } = new URL(url);
  const sockets = new Set<Socket>();
  const onConnected = (message: unknown) => {
    const { connectParams, socket } = message as { readonly connectParams: { readonly host: string }; readonly socket: Socket };
    if (connectParams.host !== host) return;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  subscribe('undici:client:connected', onConnected);
  return {
    /**
     * Keeps connections, because the end of the endpoint's process closes them. Prefers those that wait for another request, because a
     * graceful shutdown closes them at once. The returned function tells whether one is still open.
     */
    async hold(): Promise<() => Promise<boolean>> {
      // The endpoint may be closing the connection of the latest delivery.
      await delay(CHECK_MS);
      const idle = [...sockets];
      const opened =
        idle.length > 0
          ? []
          : await open().then(
              (socket) => [socket.resume().on('error', () => {})],
              () => [],
            );
      const close = () => void opened.forEach((socket) => void socket.destroy());
      const timer = setTimeout(close, MAX_HOLD_MS);
      return async () => {
        const isOpen = () => [...idle, ...opened].some(({ destroyed, readableEnded }) => !destroyed && !readableEnded);
        for (let check = 0; check < CHECKS && isOpen(); check++) await delay(CHECK_MS);
        clearTimeout(timer);
        const result = isOpen();
        close();
        return result;
      };
    },
    stop: () => void unsubscribe('undici:client:connected', onConnected),
  };
}
