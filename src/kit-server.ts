import { createConsoleRoutes } from './console/routes.ts';
import { getPathOfHost } from './contract/world-url.ts';
import { createApp } from './http/app.ts';
import { MAX_CONTROL_BODY_BYTES } from './http/framing.ts';
import { createHostGuard, createNamedHosts, parseHost } from './http/host-guard.ts';
import { createFailureLog, createLog } from './http/log.ts';
import { createHttpServer, type HttpServer, type HttpServerOptions } from './http/server.ts';
import type { Host, RunningWorld } from './running-world.ts';
import type { Settings } from './settings.ts';

const PROXY_REQUEST_TIMEOUT_MS = 600_000;

/** Creates the part of a kit that a process has once, whatever worlds it carries: the HTTP server, its guards and the log. */
export function createKitServer(settings: Settings) {
  const log = createLog(settings.logLevel);
  const draining = new AbortController();
  const closing = new AbortController();
  let server: HttpServer | undefined;
  let port = 0;

  const formatUrl = (host: string) => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const getUrl = () => settings.publicUrl ?? formatUrl(settings.host);
  const host: Host = {
    log,
    logFailure: createFailureLog(log),
    draining: draining.signal,
    closing: closing.signal,
    baseUrl: getUrl,
    // The server's own address, because the public URL may point to a proxy that is not running. A wildcard address is replaced, because
    // not every client can connect to it.
    localUrl: () => formatUrl(settings.host.replace(/^(0\.0\.0\.0|::)$/, (all) => (all === '::' ? '::1' : '127.0.0.1'))),
    publicUrl: settings.publicUrl,
    prefix: '',
  };
  const createListener = ({ routes }: RunningWorld) =>
    createApp({ ...routes, controlOrigins: settings.allowOrigin, console: settings.control ? createConsoleRoutes() : undefined });

  return {
    host,
    createListener,

    /** @throws Error if the port is in use */
    async listen(world: RunningWorld, select: HttpServerOptions['select']): Promise<void> {
      const { ids, recorder } = world;
      // Host names that the settings contain are names of the kit, not of worlds.
      const names = { allow: settings.allowHost, publicUrl: settings.publicUrl };
      const isNamed = createNamedHosts(names);
      const isFirstWorld = (authority: string) => isNamed(parseHost(authority) ?? '');
      server = createHttpServer({
        listener: createListener(world),
        select:
          select &&
          ((req, res) => {
            const path = getPathOfHost(req.headers.host);
            if (path !== undefined && !isFirstWorld(req.headers.host!)) req.url = `${path}${req.url}`;
            return select(req, res);
          }),
        generateTraceId: ids.traceId,
        hostGuard: createHostGuard({ ...names, bind: settings.host }),
        // The target of a proxy decides how large and how slow a body may be.
        maxBodyBytes: settings.upstream ? Number.POSITIVE_INFINITY : MAX_CONTROL_BODY_BYTES,
        // If a client goes away, its request to the target ends.
        ...(settings.upstream && { requestTimeoutMs: PROXY_REQUEST_TIMEOUT_MS, allowsHalfOpen: false }),
        // The path is not logged, because its query may contain secrets.
        onRefused(request) {
          recorder.recordRefusal(request);
          log.debug({ traceId: request.traceId, problem: request.gate, method: request.method }, 'a request was refused');
        },
        draining,
        closing,
        ...settings.timeouts,
      });
      server.node.on('connection', recorder.assignConnectionNumber);
      ({ port } = await server.listen(settings.port, settings.host).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'EADDRINUSE') error.message += '. Set another port, or port: 0 for any free port.';
        throw error;
      }));
    },

    getAddress: () => ({
      url: getUrl(),
      port,
      localUrl: host.localUrl(),
    }),

    /** Makes the server end its streams, and close each connection after its next response. */
    drain: () => draining.abort(),

    close: async (graceMs?: number) => server?.close(graceMs),
  };
}
