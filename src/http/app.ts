import cors from 'cors';
import express, { type Express, type RequestHandler, type Router } from 'express';
import { createErrorHandler, type ErrorLog } from './errors.ts';
import { unknownRoute } from './fallbacks.ts';

/** What the app is put together from. */
export interface AppParts {
  /** Sees every request before all others; for the journal. */
  readonly record?: RequestHandler | undefined;
  /** The control API; absent if it is removed. */
  readonly control?: Router | undefined;
  /** The origins of pages that may use the control API. Its origin guard refuses all others. */
  readonly controlOrigins?: readonly string[];
  /** The service's door and its documents, open to pages of any origin. */
  readonly open: readonly (Router | RequestHandler)[];
  readonly log: ErrorLog;
}

const EXPOSED = 'Retry-After,WWW-Authenticate';

/** CORS for any origin. The library answers preflights; on all other requests it would set just these two headers, but through closures made anew each time. */
function openToPages(): RequestHandler {
  const preflight = cors({ methods: ['GET', 'POST', 'PUT', 'DELETE'], exposedHeaders: EXPOSED, maxAge: 600 });
  return (req, res, next) => {
    if (req.method === 'OPTIONS') return preflight(req, res, next);
    res.setHeader('Access-Control-Allow-Origin', '*');
    res.setHeader('Access-Control-Expose-Headers', EXPOSED);
    next();
  };
}

/** CORS for the named origins only. It answers their preflights, as these cannot carry the control token. */
function openToNamed(origins: readonly string[]): RequestHandler {
  const allow = cors({ origin: true, methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], exposedHeaders: EXPOSED, maxAge: 600 });
  return (req, res, next) => (origins.includes(req.headers.origin ?? '') ? allow(req, res, next) : next());
}

/** The Express app: control, then everything that pages of other origins may use, then 404, then errors as problems. */
export function createApp({ record, control, controlOrigins = [], open, log }: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  if (record) app.use(record);
  if (control) app.use('/_control', openToNamed(controlOrigins), control);
  app.use(openToPages());
  for (const part of open) app.use(part);
  app.use(unknownRoute);
  app.use(createErrorHandler(log));
  return app;
}
