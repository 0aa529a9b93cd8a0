import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The modules that CommonJS programs can require. Vitest is an ES module, and refuses `require`. */
export const REQUIRED_MODULES = ['src/kit', 'src/sdk/playwright'];

/**
 * Writes a CommonJS module beside each module, which gives a program the same objects as an `import`. Node.js can require the ES module
 * itself, but TypeScript under `node16` refuses it, and so does Jest, whose `require` loads ES modules only with a flag of Node.js.
 */
export function writeCommonJsModules(folder: string): void {
  for (const path of REQUIRED_MODULES) {
    const contents = `'use strict';
// The require of a Module is Node's own, also in a Jest test. Bun's Module has none. Deno finds the names of the exports by the last line.
const { Module } = require('node:module');
const parent = new Module(__filename);
parent.filename = __filename;
if (parent.require) module.exports = parent.require('./${basename(path)}.js');
else module.exports = require('./${basename(path)}.js');
`;
    writeFileSync(join(folder, `${path}.cjs`), contents);
  }
}
