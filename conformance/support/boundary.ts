import type { TestInfo } from '@playwright/test';
import type { TargetSettings } from './target-settings.ts';

/** What may stand between the checks and the target: a saboteur that a check has to catch, or one who takes notes. */
export interface Boundary {
  /** Where this check sends its requests. The same for the whole of a check. */
  baseUrlFor(test: TestInfo): string;
  close(): Promise<void>;
}

/** The form of a module that settings name as the boundary. */
export interface BoundaryModule {
  openBoundary(settings: TargetSettings): Promise<Boundary>;
}

/** What stands before the target that the settings name: nothing, unless they name a boundary. */
export async function boundaryOf(settings: TargetSettings): Promise<Boundary> {
  if (settings.boundary === undefined) return { baseUrlFor: () => settings.baseUrl, close: async () => {} };
  const { openBoundary } = (await import(settings.boundary)) as BoundaryModule;
  return openBoundary(settings);
}
