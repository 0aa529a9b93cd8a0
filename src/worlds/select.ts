import type { IncomingMessage, RequestListener } from 'node:http';
import { createGateFailure } from '../contract/failure.ts';
import { createErrorHandler } from '../http/errors.ts';
import { sendFailure } from '../http/problem.ts';
import type { Host } from '../running-world.ts';
import type { WorldLife } from './life.ts';

interface Selection extends Pick<Host, 'logFailure'> {
  /** Returns a world that this replica has opened. */
  getOpen(name: string): WorldLife | undefined;
  /** Opens a world of another replica. */
  open(name: string): Promise<WorldLife | undefined>;
}

/** A request to a world, or for the metadata of its authorization server (RFC 8414, section 3.1). */
const WORLD_PATH = /^(\/\.well-known\/oauth-authorization-server)?\/w\/([^/?#]*)(?=[/?#]|$)/;
const NAME = /^[a-z0-9-]{1,63}$/;

/** Returns a function that finds the listener of the world that a path names. The listener gets the path without the world's prefix. */
export function createSelector({ getOpen, open, logFailure }: Selection) {
  const handleError = createErrorHandler((error, traceId) => logFailure(error, 'a world could not be opened', traceId));

  return (req: IncomingMessage): RequestListener | undefined => {
    const { url = '/' } = req;
    if (!url.startsWith('/w/') && !url.startsWith('/.well-known/oauth-authorization-server/w/')) return undefined;
    const [all, document = '', name = ''] = WORLD_PATH.exec(url) ?? [];
    const rest = url.slice(all!.length);

    function prepare({ listener }: WorldLife): RequestListener {
      // The world's page has relative links.
      if (!rest.startsWith('/')) return redirectTo(`${name}/${rest}`);
      req.url = document + rest;
      return listener;
    }

    const known = getOpen(name);
    if (known) return prepare(known);
    return async (_, res) => {
      try {
        const life = NAME.test(name) ? await open(name) : undefined;
        const listener = life ? prepare(life) : refuseUnknown(name);
        listener(req, res);
      } catch (error) {
        handleError(error, req as never, res as never, () => {});
      }
    };
  };
}

const refuseUnknown =
  (name: string): RequestListener =>
  (_, res) =>
    void sendFailure(
      res,
      createGateFailure('http.unknown-route', `There is no world ${JSON.stringify(name)}: it was never created, or it has ended.`),
    );

const redirectTo =
  (location: string): RequestListener =>
  (_, res) =>
    void res.writeHead(308, { Location: location }).end();
