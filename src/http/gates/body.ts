import { Readable } from 'node:stream';
import express, { type Request } from 'express';
import { createGateFailure, type Failure, refuse, refuseByDecision } from '../../contract/failure.ts';
import type { Decisions } from '../../contract/generated/decisions.ts';
import type { OperationId } from '../../contract/generated/operations.ts';
import { schemaReferences } from '../../contract/generated/schema-references.ts';
import { schemas } from '../../contract/generated/schemas.ts';
import { getValidator } from '../../contract/validators.ts';
import { findGate } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import { MAX_BODY_BYTES } from '../framing.ts';
import { canonicalize, refuseInvalidValues } from './query.ts';

type OperationWithBody = keyof typeof schemaReferences.requests & OperationId;
/** Refusals of malformed bodies. The specification defines the status for connections, and a decision sets it for assignments. */
const refuseMalformed: Record<OperationWithBody, (detail: string) => Failure> = {
  createExperienceAssignment: (detail) => refuseByDecision('assignments.create.malformed-body', detail),
  createExperienceConnection: (detail) => refuse(400, 'connections.create.malformed', detail),
  updateExperienceConnection: (detail) => refuse(400, 'connections.update.malformed', detail),
};
const INVALID_VALUE_RULES = {
  createExperienceAssignment: 'assignments.create.invalid-value',
  createExperienceConnection: 'connections.create.invalid-value',
  updateExperienceConnection: 'connections.update.invalid-value',
} as const satisfies Record<OperationWithBody, string>;

const parseJson = express.json({
  limit: MAX_BODY_BYTES,
  strict: false,
  type: () => true,
  // An empty body is not valid JSON, but the parser would accept it as {}.
  verify(_req, _res, bytes) {
    if (bytes.length === 0) throw Object.assign(new Error('it is empty'), { type: 'entity.parse.failed' });
  },
});

export async function checkBody(exchange: Exchange, decisions: Decisions): Promise<Failure | undefined> {
  const { operationId, req, res } = exchange;
  const op = operationId as OperationWithBody;
  if (!req.is('application/json')) {
    const detail = 'The body must be sent with the content type application/json.';
    return decisions['http.body.content-type'] === 415
      ? createGateFailure('http.unsupported-media-type', detail)
      : refuseMalformed[op](detail);
  }
  // The parser would refuse a large body only after reading all of it.
  if (Number(req.headers['content-length'] ?? 0) > MAX_BODY_BYTES)
    return createGateFailure('http.body-too-large', `The body is larger than ${MAX_BODY_BYTES} bytes.`);
  // The parser ignores the body of a client that closed its side of the connection, for example after a timeout during a latency fault.
  const source = req.socket.readable ? req : (Object.assign(Readable.from(req), { headers: req.headers, body: undefined }) as Request);
  const error = await new Promise<unknown>((resolve) => parseJson(source, res, resolve));
  if (error !== undefined) return refuseUnreadable(op, error);
  req.body = source.body;
  if (decisions['connections.state-letter-case'] === 'accepted' && typeof req.body?.state === 'string')
    req.body.state = req.body.state.toUpperCase();
  const findings = getValidator(schemaReferences.requests[op], decisions['http.uuid-letter-case'])(req.body);
  if (findings.length > 0) return refuseInvalidValues(op, findings, '');
  const body = req.body as Record<string, unknown>;
  const known = listMembers(op);
  const other = decisions['http.body.read-only-fields'] === 422 ? Object.keys(body).find((name) => !known.includes(name)) : undefined;
  if (other !== undefined) {
    const message = `must not be sent: the allowed members are ${known.join(', ')}`;
    return refuse(422, INVALID_VALUE_RULES[op], `${JSON.stringify(other)} ${message}.`, [{ pointer: `/${other}`, message }]);
  }
  const kept: Record<string, unknown> = {};
  for (const name of known) {
    if (!Object.hasOwn(body, name)) continue;
    const value = body[name];
    kept[name] = typeof value === 'string' ? canonicalize(value, decisions['http.uuid-letter-case']) : value;
  }
  exchange.body = kept;
  return undefined;
}

function refuseUnreadable(op: OperationWithBody, error: unknown): Failure {
  const { type, message } = error as { type?: string; message?: string };
  if (type === 'entity.parse.failed') return refuseMalformed[op](`The body is not valid JSON: ${message}`);
  const gate = findGate(error);
  if (!gate) throw error;
  return createGateFailure(gate, `The body could not be read: ${message}.`);
}

function listMembers(op: OperationWithBody): readonly string[] {
  const name = schemaReferences.requests[op].slice('openapi#/$defs/'.length);
  return Object.keys((schemas.openapi.$defs[name] as { properties: object }).properties);
}
