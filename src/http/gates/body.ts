import express from 'express';
import { decided, type Failure, gateFailure, refuse } from '../../contract/failure.ts';
import type { Decisions } from '../../contract/generated/decisions.ts';
import type { OperationId } from '../../contract/generated/operations.ts';
import { schemaReferences } from '../../contract/generated/schema-references.ts';
import { schemas } from '../../contract/generated/schemas.ts';
import { validator } from '../../contract/validators.ts';
import { gateOfError } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import { MAX_BODY_BYTES } from '../framing.ts';
import { canonical, refusalOf } from './query.ts';

type WithBody = keyof typeof schemaReferences.requests & OperationId;
/**
 * Refuses a body that is not valid JSON. For connections, the specification sets the status. For assignments, a decision sets the status.
 */
const malformed: Record<WithBody, (detail: string) => Failure> = {
  createExperienceAssignment: (detail) => decided('assignments.create.malformed-body', detail),
  createExperienceConnection: (detail) => refuse(400, 'connections.create.malformed', detail),
  updateExperienceConnection: (detail) => refuse(400, 'connections.update.malformed', detail),
};
const invalidValue = {
  createExperienceAssignment: 'assignments.create.invalid-value',
  createExperienceConnection: 'connections.create.invalid-value',
  updateExperienceConnection: 'connections.update.invalid-value',
} as const satisfies Record<WithBody, string>;

const parse = express.json({
  limit: MAX_BODY_BYTES,
  strict: false,
  type: () => true,
  // An empty body is not valid JSON, but the parser would accept it as {}.
  verify(_req, _res, bytes) {
    if (bytes.length === 0) throw Object.assign(new Error('it is empty'), { type: 'entity.parse.failed' });
  },
});

/** Reads and validates the body of a request. Stores the members of the body in the exchange, in canonical form. */
export async function checkBody(exchange: Exchange, decisions: Decisions): Promise<Failure | undefined> {
  const { operationId, req, res } = exchange;
  const op = operationId as WithBody;
  if (!req.is('application/json')) {
    const detail = 'The body must be sent with the content type application/json.';
    return decisions['http.body.content-type'] === 415 ? gateFailure('http.unsupported-media-type', detail) : malformed[op](detail);
  }
  // Without this check, the parser would read a large body to its end before it refuses the body.
  if (Number(req.headers['content-length'] ?? 0) > MAX_BODY_BYTES)
    return gateFailure('http.body-too-large', `The body is larger than ${MAX_BODY_BYTES} bytes.`);
  const error = await new Promise<unknown>((resolve) => parse(req, res, resolve));
  if (error !== undefined) return unreadable(op, error);
  if (decisions['connections.state-letter-case'] === 'accepted' && typeof req.body?.state === 'string')
    req.body.state = req.body.state.toUpperCase();
  const findings = validator(schemaReferences.requests[op], decisions['http.uuid-letter-case'])(req.body);
  if (findings.length > 0) return refusalOf(op, findings, '');
  const body = req.body as Record<string, unknown>;
  const known = membersOf(op);
  const other = decisions['http.body.read-only-fields'] === 422 ? Object.keys(body).find((name) => !known.includes(name)) : undefined;
  if (other !== undefined) {
    const message = `must not be sent: the members are ${known.join(', ')}`;
    return refuse(422, invalidValue[op], `${JSON.stringify(other)} ${message}.`, [{ pointer: `/${other}`, message }]);
  }
  const kept: Record<string, unknown> = {};
  for (const name of known) {
    if (!Object.hasOwn(body, name)) continue;
    const value = body[name];
    kept[name] = typeof value === 'string' ? canonical(value, decisions['http.uuid-letter-case']) : value;
  }
  exchange.body = kept;
  return undefined;
}

function unreadable(op: WithBody, error: unknown): Failure {
  const { type, message } = error as { type?: string; message?: string };
  if (type === 'entity.parse.failed') return malformed[op](`The body is not valid JSON: ${message}`);
  const gate = gateOfError(error);
  if (!gate) throw error;
  return gateFailure(gate, `The body could not be read: ${message}.`);
}

/** Returns the members that the body of an operation can have. A decision says whether other members are ignored or refused. */
function membersOf(op: WithBody): readonly string[] {
  const name = schemaReferences.requests[op].slice('openapi#/$defs/'.length);
  return Object.keys((schemas.openapi.$defs[name] as { properties: object }).properties);
}
