import cors from 'cors';
import express, { type Express, type RequestHandler, type Router } from 'express';
import { createErrorHandler, type ErrorLog, unknownRoute } from './errors.ts';

/** The parts of the app. */
export interface AppParts {
  /** Runs first for every request; for the journal. */
  readonly record?: RequestHandler | undefined;
  /** The control API, unless it is disabled. */
  readonly control?: Router | undefined;
  /** The origins whose pages may use the control API. Its origin guard refuses all others. */
  readonly controlOrigins?: readonly string[];
  /** The API of the service and its documents, open to pages of any origin. */
  readonly open: readonly (Router | RequestHandler)[];
  readonly log: ErrorLog;
}

const EXPOSED = 'Retry-After,WWW-Authenticate';

/** CORS for any origin. The library handles preflights. For all other requests it would set the same two headers, but with new closures per request. */
function allowAnyOrigin(): RequestHandler {
  const preflight = cors({ methods: ['GET', 'POST', 'PUT', 'DELETE'], exposedHeaders: EXPOSED, maxAge: 600 });
  return (req, res, next) => {
    if (req.method === 'OPTIONS') return preflight(req, res, next);
    res.setHeader('Access-Control-Allow-Origin', '*');
    res.setHeader('Access-Control-Expose-Headers', EXPOSED);
    next();
  };
}

/** CORS for these origins only. Responds to their preflights, which cannot contain the control token. */
function allowOrigins(origins: readonly string[]): RequestHandler {
  const allow = cors({ origin: true, methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], exposedHeaders: EXPOSED, maxAge: 600 });
  return (req, res, next) => (origins.includes(req.headers.origin ?? '') ? allow(req, res, next) : next());
}

/** The Express app: the control API, then everything that pages of other origins may use, then 404, then errors as problems. */
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
