import type { TestInfo } from '@playwright/test';
import type { PathForm } from '../../src/contract/generated/operations.ts';
import type { TargetSettings } from './target-settings.ts';

/** A proxy between the checks and the target. For example, the proxy can be a mutant, which breaks a rule so that a check must fail. */
export interface Boundary {
  /** The URL stays the same during the check. */
  baseUrlFor(test: TestInfo): string | Promise<string>;
  /** Returns a subscription's destination URL, where the boundary receives deliveries and forwards them to `url`. */
  destinationFor(test: TestInfo, url: string): string;
  /** Whether to skip the check because its result is already known. */
  isRedundant(test: TestInfo): boolean;
  /** Called after a check has ended and removed the entities that it created. */
  handleCheckEnd(test: TestInfo): Promise<void>;
  close(): Promise<void>;
}

export interface BoundaryModule {
  openBoundary(settings: TargetSettings): Promise<Boundary>;
  /** A rule's checks run once for each returned name, such as a mutant's name. Without this function, every check runs once. */
  readonly listRepetitions?: (rule: string | undefined, form: PathForm) => readonly string[];
}

export async function openConfiguredBoundary(settings: TargetSettings): Promise<Boundary> {
  const module = await loadBoundaryModule(settings);
  return (
    module?.openBoundary(settings) ?? {
      baseUrlFor: () => settings.baseUrl,
      destinationFor: (_, url) => url,
      isRedundant: () => false,
      handleCheckEnd: async () => {},
      close: async () => {},
    }
  );
}

export async function loadBoundaryModule(settings: TargetSettings | undefined): Promise<BoundaryModule | undefined> {
  return settings?.boundary === undefined ? undefined : ((await import(settings.boundary)) as BoundaryModule);
}
