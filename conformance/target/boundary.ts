import type { TestInfo } from '@playwright/test';
import { findTargetSettings, type TargetSettings } from './target-settings.ts';

/** What may stand between the checks and the target: a saboteur that a check has to catch, or one who takes notes. */
export interface Boundary {
  /** Where this check sends its requests. The same for the whole of a check. */
  baseUrlFor(test: TestInfo): string;
  /** Where deliveries of this check are sent that are to come to the address. */
  destinationFor(test: TestInfo, url: string): string;
  /** Whether this check can prove nothing new. */
  isRedundant(test: TestInfo): boolean;
  /** Told that a check has ended, and has removed what it knows of. */
  ended(test: TestInfo): Promise<void>;
  close(): Promise<void>;
}

/** The form of a module that settings name as the boundary. */
export interface BoundaryModule {
  openBoundary(settings: TargetSettings): Promise<Boundary>;
  /** What each check of this rule is repeated for. Absent: every check runs once. */
  readonly repetitionsOf?: (rule: string | undefined) => readonly string[];
}

/** What stands before the target that the settings name: nothing, unless they name a boundary. */
export async function boundaryOf(settings: TargetSettings): Promise<Boundary> {
  const module = await moduleOf(settings);
  return (
    module?.openBoundary(settings) ?? {
      baseUrlFor: () => settings.baseUrl,
      destinationFor: (_, url) => url,
      isRedundant: () => false,
      ended: async () => {},
      close: async () => {},
    }
  );
}

/** The boundary that a run was started with, if it was started with one. */
export function boundaryModule(environment: Readonly<Record<string, string | undefined>>): Promise<BoundaryModule | undefined> {
  return moduleOf(findTargetSettings(environment));
}

async function moduleOf(settings: TargetSettings | undefined): Promise<BoundaryModule | undefined> {
  return settings?.boundary === undefined ? undefined : ((await import(settings.boundary)) as BoundaryModule);
}
