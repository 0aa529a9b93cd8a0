import type { Schemas } from '../../kit/control.ts';

type FaultRequest = Schemas['FaultRequest'];

/** A failure that the form offers. */
export interface Choice {
  readonly id: string;
  readonly label: string;
  /** What happens, in a sentence. */
  readonly help: string;
  readonly request: Pick<FaultRequest, 'fault' | 'rule' | 'status' | 'undocumented'>;
}

const STATUSES = [400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504];

/** The failures of an operation, in groups. @param operation undefined for every operation */
export function choicesFor(
  operation: Schemas['ServiceOperation'] | undefined,
): readonly (readonly [group: string, choices: readonly Choice[]])[] {
  const groups = [
    ['Documented problems', (operation?.refusals ?? []).map(refusal)],
    ['Documented statuses', STATUSES.filter((status) => isDocumented(operation, status)).map((status) => problem(status, true))],
    ['Connection', CONNECTION],
    ['Undocumented statuses', STATUSES.filter((status) => !isDocumented(operation, status)).map((status) => problem(status, false))],
  ] as const;
  return groups.filter(([, choices]) => choices.length > 0);
}

const isDocumented = (operation: Schemas['ServiceOperation'] | undefined, status: number): boolean =>
  // Without an operation, the fault hits the operations that document the status.
  operation === undefined ? ![502, 504].includes(status) : operation.statuses.includes(status);

const refusal = ({ status, rule, text }: Schemas['DocumentedRefusal']): Choice => ({
  id: rule,
  label: `${status} ${rule}`,
  help: text,
  request: { fault: 'problem', rule },
});

const problem = (status: number, documented: boolean): Choice => ({
  id: String(status),
  label: `${status}${documented ? '' : ' (undocumented)'}`,
  help: documented
    ? `A problem with the status ${status} and the type /problems/http.injected-fault.`
    : `The specification does not document ${status} here. A gateway in front of the service may send it.`,
  request: { fault: 'problem', status, ...(!documented && { undocumented: true }) },
});

const CONNECTION: readonly Choice[] = [
  { id: 'latency', label: 'latency', help: 'The request waits, then goes on.', request: { fault: 'latency' } },
  {
    id: 'connection-reset',
    label: 'connection-reset',
    help: 'The connection ends without a response. A browser that reused a connection repeats the request once.',
    request: { fault: 'connection-reset' },
  },
  {
    id: 'authorization-service-down',
    label: 'authorization-service-down',
    help: 'The permissions of the caller cannot be looked up, so the operations that document 503 answer with it.',
    request: { fault: 'authorization-service-down' },
  },
];
