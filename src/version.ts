import { createRequire } from 'node:module';

/**
 * The version of this package. package.json is resolved by the package name, which works from the sources and from an installed package.
 */
export const { version } = createRequire(import.meta.url)('experience-provider-kit/package.json') as { version: string };
