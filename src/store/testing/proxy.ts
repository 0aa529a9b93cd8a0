import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export async function startProxy(database: string) {
  const target = new URL(database);
  const sockets = new Set<Socket>();
  let isFrozen = false;

  function forward(from: Socket, to: Socket): void {
    sockets.add(from);
    // `pipe` would resume a socket that `freeze` has paused.
    from.on('data', (bytes) => void to.write(bytes));
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    if (isFrozen) from.pause();
  }

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    forward(client, upstream);
    forward(upstream, client);
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const stop = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: Object.assign(new URL(database), { port: String(port) }).href,
    /** New connections are accepted but get no response. */
    freeze(): void {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    /** Closes all connections and refuses new ones, like a stopped server. */
    stop,
    /** The port stays the same. */
    async resume(): Promise<void> {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
      if (!server.listening) await listen(port);
    },
    close: stop,
  };
}
