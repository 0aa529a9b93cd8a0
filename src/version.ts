import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The package name works in the source and the build, unlike a relative path. */
const path = createRequire(import.meta.url).resolve('experience-provider-kit/package.json');

// Under Deno, Playwright's `require` cannot load JSON.
export const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string };
