import type { TestInfo } from '@playwright/test';
import type { TargetSettings } from './target-settings.ts';

/** A proxy between the checks and the target, such as a mutant that a check has to kill. */
export interface Boundary {
  /** Where this check sends its requests. The same during the whole check. */
  baseUrlFor(test: TestInfo): string;
  /** The address to which the target delivers what is meant for `url`. */
  destinationFor(test: TestInfo, url: string): string;
  /** Whether this check can prove nothing new. */
  isRedundant(test: TestInfo): boolean;
  /** Called when a check has ended and has removed what it created. */
  ended(test: TestInfo): Promise<void>;
  close(): Promise<void>;
}

/** What the module exports that the settings name as the boundary. */
export interface BoundaryModule {
  openBoundary(settings: TargetSettings): Promise<Boundary>;
  /** What each check of this rule is repeated for. Absent: every check runs once. */
  readonly repetitionsOf?: (rule: string | undefined) => readonly string[];
}

/** The boundary that the settings name. Without one, checks talk to the target directly. */
export async function boundaryOf(settings: TargetSettings): Promise<Boundary> {
  const module = await boundaryModule(settings);
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

/** The module of the boundary that the settings name, if there is one. */
export async function boundaryModule(settings: TargetSettings | undefined): Promise<BoundaryModule | undefined> {
  return settings?.boundary === undefined ? undefined : ((await import(settings.boundary)) as BoundaryModule);
}
