import cors from 'cors';
import express, { type Express, type RequestHandler, type Router } from 'express';
import { createErrorHandler, type ErrorLog, unknownRoute } from './errors.ts';

export interface AppParts {
  /** The middleware that records requests in the journal. It runs first for every request. */
  readonly record?: RequestHandler | undefined;
  /** The control API; undefined if it is disabled. */
  readonly control?: Router | undefined;
  /** The origins whose pages may use the control API. The origin guard of the control API refuses all other origins. */
  readonly controlOrigins?: readonly string[];
  /** The routes that pages of any origin may use: the API of the service, its documents and the authorization server. */
  readonly open: readonly (Router | RequestHandler)[];
  readonly log: ErrorLog;
}

const EXPOSED = 'Retry-After,WWW-Authenticate';

/** Allows CORS for any origin. The library `cors` handles only preflights, because for all other requests it is slower than setting the two headers here. */
function allowAnyOrigin(): RequestHandler {
  const preflight = cors({ methods: ['GET', 'POST', 'PUT', 'DELETE'], exposedHeaders: EXPOSED, maxAge: 600 });
  return (req, res, next) => {
    if (req.method === 'OPTIONS') return preflight(req, res, next);
    res.setHeader('Access-Control-Allow-Origin', '*');
    res.setHeader('Access-Control-Expose-Headers', EXPOSED);
    next();
  };
}

/** Allows CORS for these origins only. Responds to preflights before the origin guard runs, because a preflight cannot contain the control token. */
function allowOrigins(origins: readonly string[]): RequestHandler {
  const allow = cors({ origin: true, methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], exposedHeaders: EXPOSED, maxAge: 600 });
  return (req, res, next) => (origins.includes(req.headers.origin ?? '') ? allow(req, res, next) : next());
}

/** Creates the Express app. The order is: the control API, the routes for pages of any origin, 404 for other paths, the error handler. */
export function createApp({ record, control, controlOrigins = [], open, log }: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  if (record) app.use(record);
  if (control) app.use('/_control', allowOrigins(controlOrigins), control);
  app.use(allowAnyOrigin());
  for (const part of open) app.use(part);
  app.use(unknownRoute);
  app.use(createErrorHandler(log));
  return app;
}
