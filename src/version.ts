import { createRequire } from 'node:module';

/** This package's version. The import uses the package name, because the relative path differs between the source and the build. */
export const { version } = createRequire(import.meta.url)('experience-provider-kit/package.json') as { version: string };
