/** A request and its response, as reports show them. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string | undefined;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text. */
  readonly text: string;
}

/** A response, with its body parsed if it is JSON. */
export interface Answer extends Exchange {
  readonly json: unknown;
}

const SECRET = /^(authorization|cookie|x-control-token|proxy-authorization)$/i;

/** The exchange without secrets, for reports. */
export function redacted<E extends Exchange>(exchange: E): E {
  const requestHeaders = Object.fromEntries(
    Object.entries(exchange.requestHeaders).map(([name, value]) => [name, SECRET.test(name) ? value.replace(/\S+$/, '…') : value]),
  );
  return { ...exchange, requestHeaders };
}

/** A command that repeats the request; `$TOKEN` stands for the access token. */
export function curlOf({ method, url, requestHeaders, requestBody }: Exchange): string {
  const headers = Object.entries(requestHeaders)
    // curl computes it.
    .filter(([name]) => name.toLowerCase() !== 'content-length')
    .map(
      ([name, value]) =>
        `-H ${name.toLowerCase() === 'authorization' ? `"${name}: ${value.replace(/\S+$/, '$TOKEN')}"` : quoted(`${name}: ${value}`)}`,
    );
  const body = requestBody === undefined ? [] : ['--data-binary', quoted(requestBody)];
  return ['curl', '-i', '-X', method, ...headers, ...body, quoted(url)].join(' ');
}

/** Quotes a shell argument. Ids and cursors come from the target, and must not become commands. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
