// Compiles src and the conformance suite into dist. Types are not checked here, because `npm run check` does that. This file must run with
// plain Node, so that the npm script `prepare` needs no package but TypeScript.
import { execFileSync } from 'node:child_process';
import { cpSync, renameSync, rmSync } from 'node:fs';

// Compile into another folder first, so that a failed build does not damage the last good one.
const fresh = 'dist.new';
rmSync(fresh, { recursive: true, force: true });
const options = ['-p', 'tsconfig.build.json', '--noCheck', '--outDir', fresh];
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', ...options], { stdio: 'inherit' });
// Copy the JSON files, because tsc does not copy those that are only imported at run time.
cpSync('src/contract/generated', `${fresh}/src/contract/generated`, { recursive: true, filter: (path) => !path.endsWith('.ts') });
rmSync('dist', { recursive: true, force: true });
renameSync(fresh, 'dist');
