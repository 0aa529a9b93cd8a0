// The main script of the executable. docs/decisions/0016 contains the reasons.
import { Module } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { getAsset, getRawAsset } from 'node:sea';
import { unpack } from './unpack.ts';

// In an executable, `process.argv` is the executable's path, the name by which it was called, and the arguments.
const [, , first = ''] = process.argv;
// A child process of the kit or of Playwright, which starts `process.execPath` with a file. No command of xpk is an absolute path.
if (isAbsolute(first)) process.argv.splice(1, 1);
else process.argv[1] = join(unpackPackages(), 'node_modules/experience-provider-kit/src/cli/xpk.cjs');
// Runs the file in `process.argv[1]`, as `node FILE` does.
Module.runMain();

function unpackPackages(): string {
  try {
    return unpack(getAsset('name', 'utf8'), () => new Uint8Array(getRawAsset('files')));
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
