import cors from 'cors';
import express, { type Express, type RequestHandler, type Router } from 'express';
import { createAnyOriginCors, EXPOSED_HEADERS } from './any-origin.ts';
import { createErrorHandler, type ErrorLog, refuseUnknownRoute } from './errors.ts';

export interface AppParts {
  /** The path below which the app is served. Requests do not contain it. */
  readonly prefix?: string;
  readonly record?: RequestHandler | undefined;
  /** The control API router; undefined if the control API is disabled. */
  readonly control?: Router | undefined;
  readonly controlOrigins?: readonly string[];
  /** Undefined if the control API is disabled. */
  readonly console?: Router | undefined;
  /** The service's routes. They set the CORS headers themselves, and do not handle OPTIONS. */
  readonly service: RequestHandler;
  /** The documents and the authorization server, which web pages of any origin may use. */
  readonly open: readonly (Router | RequestHandler)[];
  readonly log: ErrorLog;
}

/** Must run before the origin guard, because preflight requests cannot contain the control token. */
function createCors(origins: readonly string[]): RequestHandler {
  const allow = cors({ origin: true, methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], exposedHeaders: EXPOSED_HEADERS, maxAge: 600 });
  return (req, res, next) => (origins.includes(req.headers.origin ?? '') ? allow(req, res, next) : next());
}

export function createApp({ prefix = '', record, control, controlOrigins = [], console, service, open, log }: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.locals.prefix = prefix;
  if (record) app.use(record);
  if (control) app.use('/_control', createCors(controlOrigins), control);
  app.use(service);
  // Mounted after the service, so that service requests skip the console's path check.
  if (console) {
    app.locals.hasConsole = true;
    app.use('/_console', console);
  }
  app.use(createAnyOriginCors());
  for (const part of open) app.use(part);
  app.use(refuseUnknownRoute);
  app.use(createErrorHandler(log));
  return app;
}
