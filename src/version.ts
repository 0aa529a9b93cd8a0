import { createRequire } from 'node:module';

/** The version of this package. The import uses the package name, because the relative path differs between the sources and the build. */
export const { version } = createRequire(import.meta.url)('experience-provider-kit/package.json') as { version: string };
