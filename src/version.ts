import { createRequire } from 'node:module';

/** The version of this package. It is looked up by the name of the package, so that it is found from the sources and from an installed package. */
export const { version } = createRequire(import.meta.url)('experience-provider-kit/package.json') as { version: string };
