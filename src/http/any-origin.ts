import cors from 'cors';
import type { RequestHandler, Response } from 'express';

export const EXPOSED_HEADERS = 'Link,Retry-After,WWW-Authenticate';

export const ANY_ORIGIN_HEADERS = ['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', EXPOSED_HEADERS] as const;

export function allowAnyOrigin(res: Response): void {
  for (let i = 0; i < ANY_ORIGIN_HEADERS.length; i += 2) res.setHeader(ANY_ORIGIN_HEADERS[i]!, ANY_ORIGIN_HEADERS[i + 1]!);
}

/** Allows CORS for any origin. The `cors` library is slow, so it handles only preflight requests. */
export function createAnyOriginCors(): RequestHandler {
  const preflight = cors({ methods: ['GET', 'POST', 'PUT', 'DELETE'], exposedHeaders: EXPOSED_HEADERS, maxAge: 600 });
  return (req, res, next) => {
    if (req.method === 'OPTIONS') return preflight(req, res, next);
    allowAnyOrigin(res);
    next();
  };
}
