import type { RequestHandler } from 'express';
import { sendRefusal } from './gate-problems.ts';

/** 405 for a path that exists but not with this method. OPTIONS is answered: it asks for just this list. */
export function methodNotAllowed(methods: readonly string[]): RequestHandler {
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return (req, res) => {
    if (req.method === 'OPTIONS') res.writeHead(204, { Allow: allow }).end();
    else sendRefusal(res, { problem: 'http.method-not-allowed', detail: `This path answers ${allow}.`, headers: { Allow: allow } });
  };
}

/** 404 for a path that no one has. */
export const unknownRoute: RequestHandler = (req, res) => {
  sendRefusal(res, { problem: 'http.unknown-route', detail: `No operation has this path with ${req.method}.` });
};
