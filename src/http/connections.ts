import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export type Connections = ReturnType<typeof trackConnections>;

export function trackConnections(server: Server) {
  const open = new Set<Duplex & { readonly bytesRead?: number }>();
  const latest = new WeakMap<Duplex, ServerResponse>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return {
    open: open as ReadonlySet<Duplex & { readonly bytesRead?: number }>,
    latestResponse: (socket: Duplex) => latest.get(socket),
    add: (req: IncomingMessage, res: ServerResponse) => void latest.set(req.socket, res),
  };
}

/** Destroys the sockets that are still open after `graceMs` milliseconds. */
export function closeGracefully(server: Server, connections: Connections, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      for (const socket of connections.open) socket.destroy();
    }, graceMs);
    // The callback's error only means that the server was not listening.
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    for (const socket of connections.open) {
      const res = connections.latestResponse(socket);
      // Close connections on which nothing was received, because Node does not treat them as idle.
      if (res === undefined && socket.bytesRead === 0) socket.destroy();
      else if (res !== undefined && !res.writableFinished) {
        if (!res.headersSent) res.setHeader('Connection', 'close');
        else res.once('close', () => socket.end());
      }
    }
  });
}
