import type { Capabilities, Capability } from './capabilities.ts';
import type { Cleanup } from './cleanup.ts';
import type { Answer } from './exchange.ts';

/** Assignments and connections that a check created, which are deleted through the API after it. */
export interface Ledger {
  assignment(id: string): void;
  connection(id: string): void;
}

type Operation = 'deleteExperienceAssignment' | 'deleteExperienceConnection';

interface Api {
  urlOf(operation: Operation, call: { readonly path: Readonly<Record<string, string>> }): string;
  call(operation: Operation, call: { readonly token: string; readonly path: Readonly<Record<string, string>> }): Promise<Answer>;
}

type Need = <C extends Capability>(capability: C) => Promise<Capabilities[C]>;

export function createLedger(api: Api, need: Need, cleanup: Cleanup): Ledger {
  const add = (operation: Operation, path: Readonly<Record<string, string>>) => {
    cleanup.add(api.urlOf(operation, { path }), async () => {
      const { status } = await api.call(operation, { token: await need('token'), path });
      // 404: the check deleted it itself.
      if (status !== 404 && (status < 200 || status > 299)) throw new Error(`deleting it was answered with ${status}`);
    });
  };
  return {
    assignment: (assignmentId) => add('deleteExperienceAssignment', { assignmentId }),
    connection: (experienceConnectionId) => add('deleteExperienceConnection', { experienceConnectionId }),
  };
}
