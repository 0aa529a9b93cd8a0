import { createHmac, timingSafeEqual } from 'node:crypto';
import type { components } from '../contract/generated/control.ts';
import { signDelivery } from '../domain/delivery-headers.ts';

type SignatureCheck = components['schemas']['CheckedSignature'];
type SignatureCause = SignatureCheck['causes'][number];

export interface ReceivedDelivery {
  /** The received headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly secret: string;
  /** Maps the alias of every other subscription to its secret. */
  readonly otherSecrets: ReadonlyMap<string, string>;
  /** The delivery as the kit sent it. Undefined if the kit does not know it. */
  readonly sent?: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string } | undefined;
  /** Wall time and kit time, in milliseconds since the Unix epoch. */
  readonly now: readonly [wall: number, kit: number];
}

/** The maximum difference between a timestamp and the clock (Standard Webhooks 1.0), in seconds. */
const TIMESTAMP_TOLERANCE_S = 300;
const HEADER_NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
const SECRET_PATTERN = /^whsec_(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Checks a signature (Standard Webhooks 1.0). Tests an invalid signature for common mistakes. */
export function checkSignature(received: ReceivedDelivery): Pick<SignatureCheck, 'valid' | 'causes' | 'notes' | 'expected'> {
  const { headers, body, secret } = received;
  const [id, timestamp, signature] = HEADER_NAMES.map((name) => headers[name]?.trim() || undefined);
  const missing = HEADER_NAMES.filter((name) => !headers[name]?.trim());
  const causes: SignatureCause[] = missing.map((name) => ({ cause: 'header missing', text: `The ${name} header is missing.` }));
  if (!SECRET_PATTERN.test(secret))
    causes.push({ cause: 'secret', text: 'The secret must begin with whsec_, and the rest must be base64 with padding.' });
  if (timestamp && !/^\d{1,12}$/.test(timestamp)) {
    const hint = /^\d{13}$/.test(timestamp) ? ' This looks like milliseconds: divide by 1000.' : '';
    causes.push({
      cause: 'timestamp',
      text: `The webhook-timestamp header must contain whole seconds since 1970, not ${timestamp}.${hint}`,
    });
  }
  if (signature && listSignatures(signature).length === 0)
    causes.push({
      cause: 'version',
      text: 'The webhook-signature header has no signature that begins with "v1,". Other versions are not defined.',
    });
  const canCompute = SECRET_PATTERN.test(secret) && id !== undefined && timestamp !== undefined;
  const expected = canCompute ? { expected: signDelivery(secret, id, timestamp, body) } : {};
  if (causes.length > 0 || !canCompute || signature === undefined) return { valid: false, causes, notes: [], ...expected };
  const notes = describeTimestamp(Number(timestamp), received.now);
  if (isOneOf(signature, signDelivery(secret, id, timestamp, body))) return { valid: true, causes: [], notes, ...expected };
  return { valid: false, causes: [findMismatchCause(received, { id, timestamp, signature })], notes, ...expected };
}

interface SignedHeaders {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
}

function findMismatchCause(
  { body, secret, otherSecrets, sent }: ReceivedDelivery,
  { id, timestamp, signature }: SignedHeaders,
): SignatureCause {
  const isSignedBy = (signingSecret: string, content = body, webhookId = id) =>
    isOneOf(signature, signDelivery(signingSecret, webhookId, timestamp, content));
  const [owner] = [...otherSecrets].find(([, other]) => isSignedBy(other)) ?? [];
  if (owner !== undefined) return { cause: 'other secret', text: `The signature matches the subscription ${owner}'s secret.` };
  for (const text of [secret, secret.slice('whsec_'.length)])
    if (isOneOf(signature, `v1,${createHmac('sha256', text).update(`${id}.${timestamp}.${body}`).digest('base64')}`))
      return {
        cause: 'undecoded secret',
        text: "The secret's text was used as the signing key. The key must be the part of the secret after whsec_, decoded from base64.",
      };
  const sentId = sent?.headers?.['webhook-id'];
  if (sentId !== undefined && sentId !== id && isSignedBy(secret, body, sentId))
    return { cause: 'other id', text: `The signature matches the webhook-id ${sentId}, not ${id}.` };
  if (sent?.body !== undefined && sent.body !== body && isSignedBy(secret, sent.body)) return describeBodyChange(body, sent.body);
  const formatted = listBodyVariants(body).find((variant) => isSignedBy(secret, variant));
  if (formatted !== undefined) return describeBodyChange(body, formatted);
  return {
    cause: 'mismatch',
    text: 'The signature was computed with another secret, or the id, the timestamp or the body was changed. Compare the signature with the expected signature.',
  };
}

/** Lists bodies that may have been signed instead: the body without surrounding whitespace, and the body as compact JSON. */
function listBodyVariants(body: string): string[] {
  const trimmed = body.trim();
  try {
    return [trimmed, JSON.stringify(JSON.parse(body))];
  } catch {
    return [trimmed];
  }
}

function describeBodyChange(body: string, signed: string): SignatureCause {
  if (listBodyVariants(body).some((variant) => variant === signed))
    return {
      cause: 'body formatted',
      text: "The body was formatted after it was received. Verify the body's bytes as received, before parsing the body.",
    };
  const place = [...body].findIndex((character, index) => character !== [...signed][index]);
  return {
    cause: 'body changed',
    text: `The body differs from the signed body, starting at character ${(place < 0 ? body.length : place) + 1}.`,
  };
}

function describeTimestamp(seconds: number, [wall, kit]: ReceivedDelivery['now']): string[] {
  const isNear = (now: number) => Math.abs(now / 1000 - seconds) <= TIMESTAMP_TOLERANCE_S;
  if (isNear(wall)) return [];
  const iso = new Date(seconds * 1000).toISOString();
  if (isNear(kit)) return [`The timestamp ${iso} is near kit time, but not near wall time. A verifier that uses its own clock refuses it.`];
  return [`The timestamp ${iso} is more than 5 minutes from now. A verifier refuses it, to prevent replays.`];
}

const listSignatures = (signature: string) => signature.split(/\s+/).filter((each) => each.startsWith('v1,'));

function isOneOf(signature: string, expected: string): boolean {
  const expectedBytes = Buffer.from(expected);
  return listSignatures(signature).some((each) => {
    const given = Buffer.from(each);
    return given.length === expectedBytes.length && timingSafeEqual(given, expectedBytes);
  });
}
