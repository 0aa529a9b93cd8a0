import { createServer, type OutgoingHttpHeaders } from 'node:http';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { listen } from '../store/testing/listen.ts';

const CHUNK = Buffer.alloc(1_000_000, ' ');
/** The body has an end, so that a test also ends if the client has no limit. */
const CHUNKS = 300;

export interface EndlessServer extends AsyncDisposable {
  readonly url: string;
  /** The number of bytes, before compression, that clients have taken. */
  readonly taken: number;
}

/** Starts a server that responds to every request with a body of 300 MB. */
export async function startEndlessServer(headers: OutgoingHttpHeaders = {}, compress?: () => Transform): Promise<EndlessServer> {
  let taken = 0;
  function* createBody() {
    for (let number = 0; number < CHUNKS; number++) {
      yield CHUNK;
      taken += CHUNK.length;
    }
  }
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, headers);
    const streams = [Readable.from(createBody(), { highWaterMark: 1 }), ...(compress ? [compress()] : []), response];
    pipeline(streams as [Readable, typeof response]).catch(() => {});
  });
  return {
    ...(await listen(server)),
    get taken() {
      return taken;
    },
  };
}
