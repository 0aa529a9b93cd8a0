import { type GateFailure, isFailure } from '../contract/failure.ts';
import type { components } from '../contract/generated/control.ts';
import { type OperationId, operations } from '../contract/generated/operations.ts';
import type { Journal } from '../journal/journal.ts';
import type { FaultRequest } from '../world/fault-checks.ts';
import { listParameterValues, parseSentRequest } from './explain/sent-request.ts';
import { type ControlHandlers, refuseRequest } from './handler.ts';
import { refuseUnknownTraceId } from './requests.ts';

export const faultHandlers: Pick<ControlHandlers, 'listFaults' | 'addFault' | 'removeFault' | 'clearFaults'> = {
  listFaults: async (_, deps) => ({ status: 200, body: await deps.faults.list() }),
  async addFault({ body }, { faults, journal, about: { upstream } }) {
    const request = await resolveLike(body, journal);
    if (isFailure(request)) return request;
    const refusal = upstream && refuseAtProxy(request, upstream);
    if (refusal) return refusal;
    const added = await faults.add(request);
    return 'reason' in added ? refuseRequest('invalid', added.reason, added.pointer) : { status: 201, body: added };
  },
  removeFault: async ({ params: { faultId } }, deps) =>
    (await deps.faults.remove(faultId))
      ? { status: 204 }
      : refuseRequest('not-found', `There is no fault "${faultId}". List them with xpk fault list or GET /_control/faults.`),
  async clearFaults(_, deps) {
    await deps.faults.clear();
    return { status: 204 };
  },
};

/** A fault that never affects a request would look like a success. */
function refuseAtProxy(
  { fault, operation }: FaultRequest,
  { faultWrites = false }: components['schemas']['Upstream'],
): GateFailure | undefined {
  if (fault === 'altered-state')
    return refuseRequest(
      'conflict',
      'A proxy does not change the redirects of the authorization server, so it has no fault altered-state.',
    );
  if (operation === undefined || faultWrites || operations[operation as OperationId]?.method === 'get') return undefined;
  return refuseRequest(
    'conflict',
    `${operation} changes something at the target of this proxy. To let faults affect it, start xpk proxy with --fault-writes.`,
  );
}

/** Replaces `like` by the operation of the request and its path and query parameters. A fault cannot depend on the body. */
async function resolveLike(
  { like, ...fault }: components['schemas']['NewFault'],
  journal: Pick<Journal, 'find'>,
): Promise<FaultRequest | GateFailure> {
  if (like === undefined) return fault;
  for (const member of ['operation', 'match'] as const)
    if (fault[member] !== undefined)
      return refuseRequest(
        'invalid',
        `The request with the trace id in like determines ${member}. Omit ${member}, or omit like.`,
        `/${member}`,
      );
  const found = await journal.find(like);
  if (found === undefined) return refuseUnknownTraceId('/like');
  const sent = parseSentRequest(found.entry, found.cause);
  const { operationId } = sent;
  if (operationId === undefined) {
    const detail = `The request ${like} (${found.entry.method} ${found.entry.path}) is not a request to an operation of the service.`;
    return refuseRequest('invalid', detail, '/like');
  }
  const { pathParameters, queryParameters } = operations[operationId];
  const values = listParameterValues(sent);
  const match = Object.fromEntries([...pathParameters, ...queryParameters].flatMap((name) => (values[name] ? [[name, values[name]]] : [])));
  return { ...fault, operation: operationId, ...(Object.keys(match).length > 0 && { match }) };
}
