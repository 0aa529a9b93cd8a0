import type { Schemas } from '../../kit/control.ts';

type FaultRequest = Schemas['FaultRequest'];

export interface FaultChoice {
  readonly id: string;
  readonly label: string;
  readonly help: string;
  readonly request: Pick<FaultRequest, 'fault' | 'rule' | 'status' | 'undocumented'>;
}

const PROBLEM_STATUSES = [400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504];

/** @param operation the operation that the fault affects; undefined if it affects all operations */
export function listChoices(
  operation: Schemas['ServiceOperation'] | undefined,
): readonly (readonly [group: string, choices: readonly FaultChoice[]])[] {
  const groups = [
    ['Documented problems', (operation?.refusals ?? []).map(toRefusalChoice)],
    [
      'Documented statuses',
      PROBLEM_STATUSES.filter((status) => isDocumented(operation, status)).map((status) => toProblemChoice(status, true)),
    ],
    ['Connection', CONNECTION_CHOICES],
    [
      'Undocumented statuses',
      PROBLEM_STATUSES.filter((status) => !isDocumented(operation, status)).map((status) => toProblemChoice(status, false)),
    ],
  ] as const;
  return groups.filter(([, choices]) => choices.length > 0);
}

const isDocumented = (operation: Schemas['ServiceOperation'] | undefined, status: number): boolean =>
  // A fault without an operation affects the operations that document its status.
  operation === undefined ? ![502, 504].includes(status) : operation.statuses.includes(status);

const toRefusalChoice = ({ status, rule, text }: Schemas['DocumentedRefusal']): FaultChoice => ({
  id: rule,
  label: `${status} ${rule}`,
  help: text,
  request: { fault: 'problem', rule },
});

const toProblemChoice = (status: number, documented: boolean): FaultChoice => ({
  id: String(status),
  label: `${status}${documented ? '' : ' (undocumented)'}`,
  help: documented
    ? `A problem with the status ${status} and the type /problems/http.injected-fault.`
    : `The specification does not document ${status} here. A gateway in front of the service may send it.`,
  request: { fault: 'problem', status, ...(!documented && { undocumented: true }) },
});

const CONNECTION_CHOICES: readonly FaultChoice[] = [
  { id: 'latency', label: 'latency', help: 'The request is delayed, then processed as usual.', request: { fault: 'latency' } },
  {
    id: 'connection-reset',
    label: 'connection-reset',
    help: 'The connection closes without a response. A browser that sent the request on a reused connection repeats it once.',
    request: { fault: 'connection-reset' },
  },
  {
    id: 'authorization-service-down',
    label: 'authorization-service-down',
    help: "The caller's permissions cannot be looked up, so operations that document a 503 respond with 503.",
    request: { fault: 'authorization-service-down' },
  },
];
