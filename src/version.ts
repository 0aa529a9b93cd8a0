import { createRequire } from 'node:module';

/** The package name works in the source and the build, unlike a relative path. */
export const { version } = createRequire(import.meta.url)('experience-provider-kit/package.json') as { version: string };
