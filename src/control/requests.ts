import { didYouMean } from '../contract/did-you-mean.ts';
import type { GateFailure } from '../contract/failure.ts';
import type { JournalFilter } from '../journal/filter.ts';
import { RECORDED_OPERATIONS } from '../journal/find-operation.ts';
import type { Store } from '../store/store.ts';
import { searchNames } from '../world/names.ts';
import { findReferred } from '../world/references.ts';
import { type ControlHandlers, refuseRequest } from './handler.ts';

const DEFAULT_WAIT_MS = 10_000;
/** The maximum number of entities of each collection whose ids stand for a name in the text filter. */
const MAX_NAMED = 50;

/** The journal records requests to the service and to the authorization server. */
export const requestHandlers: Pick<ControlHandlers, 'listRequests' | 'clearRequests' | 'readRequest' | 'waitForRequest'> = {
  async listRequests({ query: { credential, ...query } }, { journal, store }) {
    const invalid = refuseUnknownOperation(query.operation);
    if (invalid) return invalid;
    const ids = query.text === undefined ? [] : Object.keys(await searchNames(store.db, query.text, MAX_NAMED));
    const entries = await journal.list({ ...query, ids, credential: credential && (await findCredentialId(credential, store)) });
    return { status: 200, body: entries };
  },
  async clearRequests(_, { journal }) {
    await journal.clear();
    return { status: 204 };
  },
  async readRequest({ params }, { journal }) {
    const entry = (await journal.find(params.traceId))?.entry;
    return entry ? { status: 200, body: entry } : refuseUnknownTraceId();
  },
  async waitForRequest({ body: { timeoutMs = DEFAULT_WAIT_MS, ...filter } }, { journal }) {
    const invalid = refuseUnknownOperation(filter.operation);
    if (invalid) return invalid;
    const entry = await journal.waitForEntry(filter, timeoutMs);
    return entry
      ? { status: 200, body: entry }
      : refuseRequest('not-found', `No request${describeFilter(filter)} arrived within ${timeoutMs} ms.`);
  },
};

/** Returns the id of the client or principal with this alias or name. If there is none, returns `name`, which may be an id or a fingerprint. */
async function findCredentialId(name: string, { db }: Store): Promise<string> {
  for (const collection of ['clients', 'principals'] as const) {
    const [found] = await findReferred(db, collection, name);
    if (found) return found.id;
  }
  return name;
}

/** @param pointer a JSON pointer to the trace id in the body */
export function refuseUnknownTraceId(pointer?: string): GateFailure {
  const detail =
    'The journal has no request with this trace id. The journal keeps only the most recent requests. List them with xpk logs or GET /_control/requests.';
  return refuseRequest(pointer === undefined ? 'not-found' : 'invalid', detail, pointer);
}

function refuseUnknownOperation(name: string | undefined): GateFailure | undefined {
  if (name === undefined || (RECORDED_OPERATIONS as readonly string[]).includes(name)) return undefined;
  const hint = didYouMean(name, RECORDED_OPERATIONS) || ` The operations are: ${RECORDED_OPERATIONS.join(', ')}.`;
  return refuseRequest('invalid', `There is no operation "${name}".${hint}`);
}

function describeFilter(filter: JournalFilter): string {
  return Object.entries(filter)
    .map(([name, value]) => (name === 'since' ? ` after number ${value}` : ` with the ${name} ${value}`))
    .join(',');
}
