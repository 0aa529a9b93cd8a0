import cors from 'cors';
import express, { type Express, type RequestHandler, type Router } from 'express';
import { anyOrigin, EXPOSED } from './any-origin.ts';
import { createErrorHandler, type ErrorLog, unknownRoute } from './errors.ts';

export interface AppParts {
  /** The middleware that records requests in the journal. It runs before all other middleware. */
  readonly record?: RequestHandler | undefined;
  /** The router of the control API; undefined if the control API is disabled. */
  readonly control?: Router | undefined;
  /** Web pages of these origins may use the control API. The origin guard of the control API refuses pages of all other origins. */
  readonly controlOrigins?: readonly string[];
  /** The router of the console, which uses the control API; undefined if the control API is disabled. */
  readonly console?: Router | undefined;
  /** The routes of the API. They set the CORS headers themselves, and do not handle OPTIONS. */
  readonly service: RequestHandler;
  /** The other routes that web pages of any origin may use: the documents and the authorization server. */
  readonly open: readonly (Router | RequestHandler)[];
  readonly log: ErrorLog;
}

/**
 * Allows CORS only for the given origins. Responds to preflight requests before the origin guard runs, because a preflight request cannot
 * contain the control token.
 */
function allowOrigins(origins: readonly string[]): RequestHandler {
  const allow = cors({ origin: true, methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], exposedHeaders: EXPOSED, maxAge: 600 });
  return (req, res, next) => (origins.includes(req.headers.origin ?? '') ? allow(req, res, next) : next());
}

/**
 * Creates the Express app. The middleware order is: the control API, the API of the service, the console, the other routes for pages of any
 * origin, the 404 response for other paths, the error handler.
 */
export function createApp({ record, control, controlOrigins = [], console, service, open, log }: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  if (record) app.use(record);
  if (control) app.use('/_control', allowOrigins(controlOrigins), control);
  app.use(service);
  // After the service, so that its requests do not pass one more route.
  if (console) {
    app.locals.hasConsole = true;
    app.use('/_console', console);
  }
  app.use(anyOrigin());
  for (const part of open) app.use(part);
  app.use(unknownRoute);
  app.use(createErrorHandler(log));
  return app;
}
