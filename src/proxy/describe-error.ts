import { errors } from 'undici';
import { createGateFailure, type GateFailure } from '../contract/failure.ts';

const TLS_ERROR = /^(ERR_(TLS|SSL)_|EPROTO|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE))/;

const PHRASES: readonly (readonly [code: RegExp, phrase: string])[] = [
  [/^ECONNREFUSED$/, 'refused the connection'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED)$/, 'reset the connection'],
  [/^(ENOTFOUND|EAI_AGAIN|EAI_FAIL)$/, 'was not found: its host name has no address'],
  [/^(ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL)$/, 'cannot be reached: there is no route to it'],
  [/^UND_ERR_HEADERS_OVERFLOW$/, 'sent more than 16 KiB of headers'],
  [/^UND_ERR_(DESTROYED|CLOSED)$/, 'was not asked, because the proxy is stopping'],
];

/**
 * Returns the response to a client if the target gave none.
 * @param origin the target's
 */
export function describeError(error: Error, origin: string, timeoutMs: number): GateFailure {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (/TIMEOUT|^ETIMEDOUT$/.test(code)) {
    const what = /CONNECT|^ETIMEDOUT$/.test(code) ? 'accept a connection' : 'respond';
    return createGateFailure('proxy.timeout', `${origin} did not ${what} within ${timeoutMs} ms (--timeout).`);
  }
  return createGateFailure('proxy.unreachable', `${origin} ${describe(error, code, message)}.`);
}

/** Returns why a response ended early. */
export function describeCut(error: Error, origin: string, status: number): GateFailure {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return createGateFailure('proxy.cut', `${origin} answered ${status}, and then ${describe(error, code, message)}.`);
}

function describe(error: Error, code: string, message: string): string {
  if (/TIMEOUT/.test(code)) return 'stopped sending';
  if (TLS_ERROR.test(code))
    return `has no valid TLS certificate (${message.trim()}); NODE_EXTRA_CA_CERTS=<file> adds your own certificate authority, --insecure accepts every certificate`;
  // The target closed the connection, or undici cannot parse the response.
  if (code === 'UND_ERR_SOCKET' && /^(other side )?closed$/.test(message)) return 'closed the connection before the end of its response';
  if (error instanceof errors.HTTPParserError || /^UND_ERR_(SOCKET|RES_CONTENT_LENGTH_MISMATCH)$|^ERR_(INVALID_CHAR|HTTP_)/.test(code))
    return `sent a response that is not valid HTTP (${message})`;
  return PHRASES.find(([pattern]) => pattern.test(code))?.[1] ?? `could not be asked (${message || code})`;
}
