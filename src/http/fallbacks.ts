import type { RequestHandler } from 'express';
import { gateFailure } from '../contract/failure.ts';
import { sendFailure } from './problem.ts';

/** 405 for a path that exists but not with this method. OPTIONS is answered: it asks for just this list. */
export function methodNotAllowed(methods: readonly string[]): RequestHandler {
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return (req, res) => {
    if (req.method === 'OPTIONS') res.writeHead(204, { Allow: allow }).end();
    else sendFailure(res, gateFailure('http.method-not-allowed', `This path answers ${allow}.`, { headers: { Allow: allow } }));
  };
}

/** 404 for a path that no one has. */
export const unknownRoute: RequestHandler = (req, res) => {
  sendFailure(res, gateFailure('http.unknown-route', `No operation has this path with ${req.method}.`));
};
