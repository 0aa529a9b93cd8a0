import type { IncomingMessage } from 'node:http';

/** Far more than any request here needs: an assertion has a kilobyte or two. */
const LARGEST = 64 * 1024;
const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

/** The parameters of a body in the form encoding, or what is wrong with it, in a sentence. Undefined where the client has gone. */
export async function readForm(req: IncomingMessage): Promise<URLSearchParams | string | undefined> {
  const type = req.headers['content-type'];
  if (type === undefined || !FORM.test(type)) return 'The body must be sent with the content type application/x-www-form-urlencoded.';
  const charset = CHARSET.exec(type)?.[1];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') return 'The body must be encoded in UTF-8, the only charset understood.';
  const coding = req.headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity') return 'The body must not be compressed.';
  const body = await readBody(req);
  if (body === 'too-large') return `The body is larger than ${LARGEST} bytes.`;
  if (body === undefined) return undefined;
  try {
    return new URLSearchParams(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    return 'The body is not encoded in UTF-8.';
  }
}

/** Not by `for await`, which would close the connection of one who sends too much before the answer is on its way. */
function readBody(req: IncomingMessage): Promise<Buffer | 'too-large' | undefined> {
  if (Number(req.headers['content-length'] ?? 0) > LARGEST) return Promise.resolve('too-large');
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve) => {
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > LARGEST) resolve('too-large');
      else chunks.push(chunk);
    });
    req.on('end', () => resolve(Buffer.concat(chunks)));
    req.on('close', () => resolve(undefined));
  });
}
