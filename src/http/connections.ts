import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The open sockets of a server and the newest answer on each. Answers leave a socket in order: when the newest is out, all are. */
export interface Connections {
  readonly open: ReadonlySet<Duplex & { readonly bytesRead?: number }>;
  newest(socket: Duplex): ServerResponse | undefined;
  note(req: IncomingMessage, res: ServerResponse): void;
}

export function trackConnections(server: Server): Connections {
  const open = new Set<Duplex>();
  const newest = new WeakMap<Duplex, ServerResponse>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return { open, newest: (socket) => newest.get(socket), note: (req, res) => void newest.set(req.socket, res) };
}
