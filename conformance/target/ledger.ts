import type { Capabilities, Capability } from './capabilities.ts';
import type { Answer } from './exchange.ts';

/** What a check made at the target, removed again when it ends, the last first. */
export interface Ledger {
  assignment(id: string): void;
  connection(id: string): void;
  settle(): Promise<void>;
}

type Operation = 'deleteExperienceAssignment' | 'deleteExperienceConnection';

interface Api {
  call(operation: Operation, call: { readonly token: string; readonly path: Readonly<Record<string, string>> }): Promise<Answer>;
}

type Need = <C extends Capability>(capability: C) => Promise<Capabilities[C]>;

export function createLedger(api: Api, need: Need): Ledger {
  const entries: { operation: Operation; path: Record<string, string> }[] = [];
  return {
    assignment: (assignmentId) => void entries.push({ operation: 'deleteExperienceAssignment', path: { assignmentId } }),
    connection: (experienceConnectionId) =>
      void entries.push({ operation: 'deleteExperienceConnection', path: { experienceConnectionId } }),
    async settle() {
      if (entries.length === 0) return;
      const token = await need('token');
      for (const { operation, path } of entries.reverse()) {
        const { status, url } = await api.call(operation, { token, path });
        // 404: the check removed it itself.
        if (status !== 404 && (status < 200 || status > 299))
          console.error(`left behind: ${url} (deleting it was answered with ${status})`);
      }
    },
  };
}
