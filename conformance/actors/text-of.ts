import type { IncomingMessage } from 'node:http';

/** The body of a request or an answer. By events: an iterator costs as much as all the rest of a request. @throws Error where it is cut off. */
export function textOf(message: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('error', reject);
    message.on('end', () => resolve(Buffer.concat(chunks).toString()));
  });
}
