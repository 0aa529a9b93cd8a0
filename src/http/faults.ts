import type { components } from '../contract/generated/control.ts';
import { type OperationId, operations } from '../contract/generated/operations.ts';
import { didYouMean } from '../fixtures/nearest.ts';

export type FaultRequest = components['schemas']['FaultRequest'];
export type Fault = components['schemas']['Fault'];

/** What is wrong with the request for a fault, in a sentence, and where. */
export interface InvalidFault {
  readonly invalid: string;
  readonly pointer: string;
}

/** Failures that the operator asked for. They are this process's alone: replicas do not share them. */
export interface Faults {
  list(): readonly Fault[];
  /** @returns the fault, or what is wrong with the request for it. */
  add(request: FaultRequest): Fault | InvalidFault;
  remove(id: string): boolean;
  clear(): void;
  /** Whether there are any: asked at every request. */
  readonly any: boolean;
  /** The faults that hit this request of the operation, each counted. */
  hit(operationId: OperationId, kinds: readonly Fault['fault'][]): readonly Fault[];
}

export function createFaults(): Faults {
  let entries: { fault: Fault; seen: number }[] = [];
  let made = 0;
  return {
    list: () => entries.map(({ fault }) => fault),
    add(request) {
      const invalid = problemWith(request);
      if (invalid) return invalid;
      const fault: Fault = { ...request, id: `fault-${++made}`, hits: 0 };
      entries.push({ fault, seen: 0 });
      return fault;
    },
    remove(id) {
      const before = entries.length;
      entries = entries.filter(({ fault }) => fault.id !== id);
      return entries.length < before;
    },
    clear() {
      entries = [];
    },
    get any() {
      return entries.length > 0;
    },
    hit(operationId, kinds) {
      const hits: Fault[] = [];
      for (const entry of entries) {
        const { fault } = entry;
        if (!kinds.includes(fault.fault)) continue;
        if (fault.operation !== undefined && fault.operation !== operationId) continue;
        if (!applies(fault, operationId)) continue;
        if (entry.seen++ < (fault.after ?? 0)) continue;
        if (fault.times !== undefined && fault.hits >= fault.times) continue;
        fault.hits++;
        hits.push(fault);
      }
      return hits;
    },
  };
}

/** A fault for every operation leaves those alone for which its status is not documented, unless that is what is asked for. */
function applies(fault: Fault, operationId: OperationId): boolean {
  const status = statusOfFault(fault);
  return status === undefined || fault.undocumented === true || isDocumented(operationId, status);
}

function isDocumented(operationId: OperationId, status: number): boolean {
  return (operations[operationId].statuses as readonly (number | string)[]).includes(status);
}

function statusOfFault({ fault, status }: FaultRequest): number | undefined {
  return fault === 'authorization-service-down' ? 503 : fault === 'problem' ? status : undefined;
}

/** Why there is no such fault; `pointer` leads into the request. */
function problemWith(request: FaultRequest): InvalidFault | undefined {
  const { operation, fault, undocumented } = request;
  const names = Object.keys(operations);
  if (operation !== undefined && !names.includes(operation)) {
    const hint = didYouMean(operation, names) || ` There are: ${names.join(', ')}.`;
    return { pointer: '/operation', invalid: `There is no operation "${operation}".${hint}` };
  }
  for (const [kind, member] of [['problem', 'status'] as const, ['latency', 'latencyMs'] as const]) {
    const pointer = `/${member}`;
    if (fault === kind && request[member] === undefined) return { pointer, invalid: `A fault of the kind ${kind} needs ${member}.` };
    if (fault !== kind && request[member] !== undefined) {
      return { pointer, invalid: `The member ${member} belongs to the kind ${kind} alone: a fault of the kind ${fault} has none.` };
    }
  }
  const status = statusOfFault(request);
  if (status === undefined || undocumented) return undefined;
  const having = (operation === undefined ? names : [operation]) as OperationId[];
  if (having.some((name) => isDocumented(name, status))) return undefined;
  const invalid = `${status} is not documented for ${operation ?? 'any operation'}. Say "undocumented": true if it is meant.`;
  return { pointer: fault === 'problem' ? '/status' : '/operation', invalid };
}
