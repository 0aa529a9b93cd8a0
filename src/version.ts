import { createRequire } from 'node:module';

/** The version of this package. Found by the package's own name, so it works from the sources as from what is installed. */
export const { version } = createRequire(import.meta.url)('experience-provider-kit/package.json') as { version: string };
