/** A request as it is sent. */
export interface Request {
  readonly method?: 'GET' | 'POST' | undefined;
  readonly path: string;
  readonly token?: string | undefined;
  readonly body?: object | undefined;
}

export function requestText({ method = 'GET', path, token, body }: Request): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Accept: application/json'];
  if (token !== undefined) lines.push(`Authorization: Bearer ${token}`);
  const text = body === undefined ? '' : JSON.stringify(body);
  if (body !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`);
  return `${lines.join('\r\n')}\r\n\r\n${text}`;
}
