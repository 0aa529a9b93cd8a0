import type { IncomingMessage } from 'node:http';

/** Bytes. A request with an assertion has one or two kilobytes. */
const MAX_BYTES = 64 * 1024;
const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

/** Reads the parameters of a form. Returns a sentence if the body is no form, and undefined if the client has disconnected. */
export async function readForm(req: IncomingMessage): Promise<URLSearchParams | string | undefined> {
  const type = req.headers['content-type'];
  if (type === undefined || !FORM.test(type)) return 'The body must be sent with the content type application/x-www-form-urlencoded.';
  const charset = CHARSET.exec(type)?.[1];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') return 'The body must be encoded in UTF-8, the only supported charset.';
  const coding = req.headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity') return 'The body must not be compressed.';
  const body = await readBody(req);
  if (body === 'too-large') return `The body is larger than ${MAX_BYTES} bytes.`;
  if (body === undefined) return undefined;
  try {
    return new URLSearchParams(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    return 'The body is not encoded in UTF-8.';
  }
}

/** `for await` would close the connection after a body that is too large, before the response is sent. */
function readBody(req: IncomingMessage): Promise<Buffer | 'too-large' | undefined> {
  if (Number(req.headers['content-length'] ?? 0) > MAX_BYTES) return Promise.resolve('too-large');
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve) => {
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BYTES) resolve('too-large');
      else chunks.push(chunk);
    });
    req.on('end', () => resolve(Buffer.concat(chunks)));
    req.on('close', () => resolve(undefined));
  });
}
