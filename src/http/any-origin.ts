import cors from 'cors';
import type { RequestHandler, Response } from 'express';

/** The response headers that web pages may read, besides those that every page may read. */
export const EXPOSED = 'Link,Retry-After,WWW-Authenticate';

/** The CORS headers of a response that pages of any origin may read: names and values in turn. */
export const ANY_ORIGIN = ['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', EXPOSED] as const;

/** Sets the headers of `ANY_ORIGIN`. */
export function allowAnyOrigin(res: Response): void {
  for (let i = 0; i < ANY_ORIGIN.length; i += 2) res.setHeader(ANY_ORIGIN[i]!, ANY_ORIGIN[i + 1]!);
}

/**
 * Allows CORS for any origin. The library `cors` handles only preflight requests. For other requests, it is slower than setting two
 * headers.
 */
export function anyOrigin(): RequestHandler {
  const preflight = cors({ methods: ['GET', 'POST', 'PUT', 'DELETE'], exposedHeaders: EXPOSED, maxAge: 600 });
  return (req, res, next) => {
    if (req.method === 'OPTIONS') return preflight(req, res, next);
    allowAnyOrigin(res);
    next();
  };
}
