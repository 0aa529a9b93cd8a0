import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

/** The maximum number of connections that wait to be accepted, as in `server.listen`. */
const BACKLOG = 511;

export type Connections = ReturnType<typeof trackConnections>;

export function trackConnections(server: Server) {
  const open = new Set<Duplex & { readonly bytesRead?: number }>();
  const latest = new WeakMap<Duplex, ServerResponse>();
  let accepted = 0;
  server.on('connection', (socket) => {
    accepted++;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return {
    get accepted() {
      return accepted;
    },
    open: open as ReadonlySet<Duplex & { readonly bytesRead?: number }>,
    latestResponse: (socket: Duplex) => latest.get(socket),
    add: (req: IncomingMessage, res: ServerResponse) => void latest.set(req.socket, res),
  };
}

/**
 * Answers every request that arrived before the call, even if it has not been read yet. Destroys the sockets that are still open after
 * `graceMs` milliseconds.
 * @param refuseRequests called when everything that had arrived is read
 */
export async function closeGracefully(
  server: Server,
  connections: Connections,
  graceMs: number,
  refuseRequests: () => void,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    for (const socket of connections.open) socket.destroy();
  }, graceMs);
  for (const socket of connections.open) {
    const res = connections.latestResponse(socket);
    if (res?.headersSent === false) res.setHeader('Connection', 'close');
  }
  await acceptWaiting(connections);
  // The callback's error only means that the server was not listening. Unlike `Server.close` of node:http, this does not close connections
  // whose next request has arrived but has not been read. In Bun, an HTTP server is no `net.Server`.
  const { close }: NetServer = (server as NetServer) instanceof NetServer ? NetServer.prototype : server;
  close.call(server, () => resolve());
  await readWaiting(connections);
  refuseRequests();
  server.close();
  for (const socket of connections.open) {
    const res = connections.latestResponse(socket);
    // Close connections on which nothing was received, because Node does not treat them as idle.
    if (res === undefined && socket.bytesRead === 0) socket.destroy();
    else if (res?.headersSent && !res.writableFinished) res.once('close', () => socket.end());
  }
  await promise;
  clearTimeout(timer);
}

/**
 * Waits until the server has accepted the connections that clients have opened, because closing the server would reset them. Node accepts
 * only some in each turn of the event loop.
 */
async function acceptWaiting(connections: Connections): Promise<void> {
  // The current turn may already have accepted connections.
  await setImmediate();
  for (let turns = 0, before = -1; connections.accepted !== before && turns < BACKLOG; turns++) {
    before = connections.accepted;
    await setImmediate();
  }
}

/** Waits until a turn of the event loop reads nothing. Each turn reads what has arrived on all sockets. */
async function readWaiting({ open }: Connections): Promise<void> {
  const countBytes = () => [...open].reduce((total, { bytesRead = 0 }) => total + bytesRead, 0);
  for (let before = -1, read = countBytes(); read !== before; read = countBytes()) {
    before = read;
    await setImmediate();
  }
}
