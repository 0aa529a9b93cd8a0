import type { Server } from 'node:http';
import type { Connections } from './connections.ts';

/**
 * Stops the server: nothing new is accepted, idle sockets close, answers under way finish and close theirs. Whatever is left after
 * `graceMs` milliseconds is cut off. Resolves when the last socket is gone.
 */
export function closeGracefully(server: Server, connections: Connections, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      for (const socket of connections.open) socket.destroy();
    }, graceMs);
    // An error here only says that the server was not listening.
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    for (const socket of connections.open) {
      const res = connections.newest(socket);
      // Node does not count a connection that never sent a byte as idle.
      if (res === undefined && socket.bytesRead === 0) socket.destroy();
      else if (res !== undefined && !res.writableFinished) {
        if (!res.headersSent) res.setHeader('Connection', 'close');
        else res.once('close', () => socket.end());
      }
    }
  });
}
