import type { IncomingMessage } from 'node:http';
import { type RequestHandler, Router } from 'express';
import { gates } from '../../contract/generated/gates.ts';
import type { AuthorizationContext } from './context.ts';
import { createMetadata, getIssuer } from './metadata.ts';
import type { createServer } from './server.ts';

type Server = ReturnType<typeof createServer>;

/** The handlers read request bodies, so no body parser may run before. */
export function createAuthorizationRoutes(context: AuthorizationContext): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const getMetadata = (req: IncomingMessage) => createMetadata(getIssuer(req, context), context.decisions);

  // RFC 8414 (section 3.1) defines the first path, and OpenID Connect Discovery the third. Some clients request the second.
  router.get('/.well-known/oauth-authorization-server/auth', (req, res) => void res.json(getMetadata(req)));
  router.get('/auth/.well-known/oauth-authorization-server', (req, res) => void res.json(getMetadata(req)));
  router.get('/auth/.well-known/openid-configuration', (req, res) => void res.json(getMetadata(req)));
  router.get('/auth/jwks', async (_req, res) => {
    await context.world.refresh();
    res.json({ keys: [context.getAuthority().key.publicJwk] });
  });

  const serverFor = createServers(context);
  const handle =
    (methods: { readonly GET?: keyof Server; readonly POST?: keyof Server }): RequestHandler =>
    async (req, res) => {
      const handler = methods[req.method as 'GET' | 'POST'];
      // A HEAD request would issue a code, but its response could not contain the code.
      if (handler === undefined) {
        const id = 'http.method-not-allowed';
        const Allow = [...Object.keys(methods), 'OPTIONS'].join(', ');
        context.sendProblem(
          res,
          { id, status: gates[id].status, title: gates[id].title, detail: `This path allows only these methods: ${Allow}.` },
          { Allow },
        );
        return;
      }
      // Another replica may have changed the world or the kit time.
      await context.world.refresh();
      const server = await serverFor(getIssuer(req, context));
      await server[handler](req, res);
    };
  router.all('/auth/authorize', removeCors, handle({ GET: 'authorize' }));
  router.all('/auth/authorize/:uid', removeCors, handle({ GET: 'resume' }));
  router.all('/auth/interaction/:uid', removeCors, handle({ GET: 'showLogin', POST: 'submitLogin' }));
  router.all('/auth/oauth/token', handle({ POST: 'token' }));
  return router;
}

/** Limits memory, because each host name needs its own server, and clients can use any number of host names. */
const MAX_SERVERS = 8;

let serverModule: Promise<typeof import('./server.ts')> | undefined;

/**
 * Imports the OAuth library late, so that the kit starts faster. While it is imported, the library warns about every runtime other than an
 * LTS version of Node.js. This warning is omitted, because the kit also supports other runtimes.
 */
async function importServer(): Promise<typeof import('./server.ts')> {
  const { warn } = console;
  console.warn = (...values: unknown[]) => {
    if (!String(values[0]).includes('oidc-provider WARNING: Unsupported runtime.')) warn(...values);
  };
  try {
    return await import('./server.ts');
  } finally {
    console.warn = warn;
  }
}

function createServers(context: AuthorizationContext): (issuer: string) => Promise<Server> {
  const servers = new Map<string, Server>();
  return async (issuer) => {
    serverModule ??= importServer();
    const { createServer } = await serverModule;
    const key = `${context.getAuthority().world} ${issuer}`;
    const server = servers.get(key) ?? createServer(issuer, context);
    if (servers.size >= MAX_SERVERS && !servers.has(key)) servers.clear();
    servers.set(key, server);
    return server;
  };
}

/** Removes the CORS headers, so that other sites' scripts cannot read the login pages. */
const removeCors: RequestHandler = (_req, res, next) => {
  res.removeHeader('Access-Control-Allow-Origin');
  res.removeHeader('Access-Control-Expose-Headers');
  next();
};
