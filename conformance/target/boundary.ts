import type { TestInfo } from '@playwright/test';
import type { TargetSettings } from './target-settings.ts';

/** A proxy between checks and the target, such as a mutant, which breaks a rule so that a check has to fail. */
export interface Boundary {
  /** The base URL to which this check sends its requests. It does not change during the check. */
  baseUrlFor(test: TestInfo): string | Promise<string>;
  /** The URL that the target has to be given so that its deliveries arrive at `url`. */
  destinationFor(test: TestInfo, url: string): string;
  /** Whether the check can be skipped because its result cannot prove anything new. */
  isRedundant(test: TestInfo): boolean;
  /** Called when a check has ended and has removed what it created. */
  ended(test: TestInfo): Promise<void>;
  close(): Promise<void>;
}

/** The exports of the module that `TargetSettings.boundary` names. */
export interface BoundaryModule {
  openBoundary(settings: TargetSettings): Promise<Boundary>;
  /** Names the repetitions of each check of this rule, such as mutants. If absent, every check runs once. */
  readonly repetitionsOf?: (rule: string | undefined) => readonly string[];
}

/** Opens the boundary that the settings name. If they name none, checks send their requests directly to the target. */
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

export async function boundaryModule(settings: TargetSettings | undefined): Promise<BoundaryModule | undefined> {
  return settings?.boundary === undefined ? undefined : ((await import(settings.boundary)) as BoundaryModule);
}
