type Words = (url: string, why: string) => string;

/** What came of a request without an answer, by the code of the error, or by its text where it has none. Only the first says that nobody is there. */
const NO_ANSWER: readonly (readonly [what: RegExp, words: Words])[] = [
  [
    /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/,
    (url, why) => `No kit answers at ${url} (${why}). Start one with: xpk start`,
  ],
  [
    /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/,
    (url) => `What answers at ${url} speaks no https, and a kit by itself speaks http: ${url.replace(/^https:/i, 'http:')}`,
  ],
  [
    /^(?!ERR_SSL_).*(?:CERT|SIGNATURE)/,
    (url, why) => `The certificate at ${url} is not trusted (${why}). NODE_EXTRA_CA_CERTS names a file of authorities that are.`,
  ],
  [/^bad port$/, (url) => `No kit answers at ${url}: fetch blocks this port, as browsers do. Start one at another with: xpk start`],
  [/^unexpected redirect$/, (url) => noKit(url, 'it leads elsewhere')],
  [/^HPE_|^Response does not match the HTTP/, (url, why) => noKit(url, `it does not speak HTTP: ${why}`)],
];

/** Why there is no answer, in one line. @param error what `fetch` threw */
export function noAnswer(url: string, error: Error): string {
  const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException;
  // Of several addresses that refuse, there is a code alone; OpenSSL says more lines than one.
  const why = (message || code || error.message).split('\n', 1)[0] as string;
  const [, words] = NO_ANSWER.find(([what]) => what.test(code ?? why)) ?? [];
  return words?.(url, why) ?? `${url} gave no answer (${why}). Is it a kit? One is started with: xpk start`;
}

/** That something else is there. @param why what gives it away */
export function noKit(url: string, why: string): string {
  return `What answers at ${url} is no kit: ${why}. Give the address of one with --url, or start one with: xpk start`;
}
