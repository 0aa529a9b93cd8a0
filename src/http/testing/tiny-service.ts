import { randomBytes } from 'node:crypto';
import express from 'express';
import { createGateFailure } from '../../contract/failure.ts';
import type { RefusedRequest } from '../../journal/recorder.ts';
import { createErrorHandler } from '../errors.ts';
import { createHostGuard } from '../host-guard.ts';
import { sendFailure } from '../problem.ts';
import { createHttpServer, type HttpServerOptions } from '../server.ts';

export async function startTinyService(t: { after(close: () => Promise<void>): void }, options: Partial<HttpServerOptions> = {}) {
  const logged: unknown[] = [];
  const refused: RefusedRequest[] = [];
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const app = express().disable('x-powered-by').disable('etag').set('query parser', false);
  app.get('/hello', async (req, res) => {
    await null; // Lets the parser process all received bytes before the response.
    res.json({ hello: req.url });
  });
  app.get('/users/:id', (req, res) => void res.json({ id: req.params.id }));
  app.post('/echo', express.json({ limit: 1_000 }), (req, res) => {
    if (!req.is('json')) return void sendFailure(res, createGateFailure('http.unsupported-media-type'));
    res.json({ body: req.body ?? null });
  });
  app.all('/held', async (_req, res) => {
    held.resolve();
    await released.promise;
    res.json({ released: true });
  });
  app.get('/stream', async (_req, res) => {
    res.write('begun');
    await released.promise;
    res.end('ended');
  });
  app.get('/half', async (_req, res) => {
    res.setHeader('Content-Length', 100);
    await new Promise((written) => res.write('half', written));
    throw new Error('broken in the middle');
  });
  app.get('/broken', () => {
    throw new Error('an internal secret');
  });
  for (const [path, allow] of [['/hello', 'GET, HEAD'] as const, ['/echo', 'POST'] as const]) {
    app.all(
      path,
      (_req, res) => void sendFailure(res, createGateFailure('http.method-not-allowed', undefined, { headers: { Allow: allow } })),
    );
  }
  app.use((_req, res) => void sendFailure(res, createGateFailure('http.unknown-route')));
  app.use(createErrorHandler((error) => logged.push(error)));

  const server = createHttpServer({
    listener: app,
    generateTraceId: () => randomBytes(16).toString('hex'),
    hostGuard: createHostGuard(),
    onRefused: (one) => refused.push(one),
    ...options,
  });
  t.after(() => server.close(0));
  const { port } = await server.listen(0);
  return {
    ...server,
    port,
    logged,
    refused,
    /** Resolves when a request for `/held` arrives. Until `release` is called, `/held` and `/stream` do not end. */
    held: held.promise,
    release: () => released.resolve(),
  };
}
