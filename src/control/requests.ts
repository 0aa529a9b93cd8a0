import { didYouMean } from '../contract/did-you-mean.ts';
import type { components } from '../contract/generated/control.ts';
import type { JournalFilter } from '../journal/journal.ts';
import { RECORDED_OPERATIONS } from '../journal/operation-of.ts';
import { type ControlAnswer, type ControlHandlers, type ControlRequest, cannot } from './handler.ts';

const LONGEST_LIST = 1000;
const DEFAULT_WAIT_MS = 10_000;

/** What happened at the doors. */
export const requests: Pick<ControlHandlers, 'listRequests' | 'clearRequests' | 'readRequest' | 'waitForRequest'> = {
  listRequests({ query }, { journal }) {
    const invalid = invalidQuery(query) ?? unknownOperation(query.operation);
    if (invalid) return invalid;
    const { operation, status, method, path, since, limit } = query;
    const numbers = { since: since === undefined ? undefined : Number(since), limit: limit === undefined ? undefined : Number(limit) };
    return { status: 200, body: journal.list({ operation, status, method, path, ...numbers }) };
  },
  clearRequests(_, { journal }) {
    journal.clear();
    return { status: 204 };
  },
  readRequest({ params }, { journal }) {
    const entry = journal.find(params.traceId ?? '');
    const detail =
      'The journal has no request with this trace id. It keeps only the last ones: list them with xpk logs or GET /_control/requests.';
    return entry ? { status: 200, body: entry } : cannot('not-found', detail);
  },
  async waitForRequest({ body }, { journal }) {
    const { timeoutMs = DEFAULT_WAIT_MS, ...filter } = body as components['schemas']['RequestWait'];
    const invalid = unknownOperation(filter.operation);
    if (invalid) return invalid;
    const entry = await journal.wait(filter, timeoutMs);
    return entry ? { status: 200, body: entry } : cannot('not-found', `No request ${inWords(filter)} came within ${timeoutMs} ms.`);
  },
};

/** What each parameter has to look like, and that in words. */
const PARAMETERS: Readonly<Record<string, readonly [form: RegExp, words: string]>> = {
  operation: [/./, 'an operation'],
  status: [/^[1-5](\d\d|xx)$/i, 'a status such as 404, or a class of them such as 4xx'],
  method: [/^[a-z]+$/i, 'a method such as GET'],
  path: [/^[/*]/, 'a path such as /users/*'],
  since: [/^\d{1,15}$/, 'the number of an entry'],
  limit: [/^(?:[1-9]\d{0,2}|1000)$/, `a whole number from 1 to ${LONGEST_LIST}`],
};

function invalidQuery(query: ControlRequest['query']): ControlAnswer | undefined {
  for (const [name, value = ''] of Object.entries(query)) {
    const [form, words] = PARAMETERS[name] ?? [];
    if (form !== undefined && !form.test(value)) return cannot('invalid', `The parameter ${name} is ${words}, not "${value}".`);
  }
  return undefined;
}

function unknownOperation(name: string | undefined): ControlAnswer | undefined {
  if (name === undefined || (RECORDED_OPERATIONS as readonly string[]).includes(name)) return undefined;
  const hint = didYouMean(name, RECORDED_OPERATIONS) || ` There are: ${RECORDED_OPERATIONS.join(', ')}.`;
  return cannot('invalid', `There is no operation "${name}".${hint}`);
}

function inWords(filter: JournalFilter): string {
  const parts = Object.entries(filter).map(([name, value]) => `${name === 'since' ? 'since number' : `with the ${name}`} ${value}`);
  return parts.length === 0 ? 'at all' : parts.join(', ');
}
