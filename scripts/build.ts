// Compiles src and the conformance suite into dist. Types are not checked here, because `npm run check` checks them.
// The npm script `prepare` runs this file with plain Node, because TypeScript may be the only installed package.
import { execFileSync } from 'node:child_process';
import { cpSync, renameSync, rmSync } from 'node:fs';

// Compile into another folder first, so that a failed build does not damage the last good one.
const fresh = 'dist.new';
rmSync(fresh, { recursive: true, force: true });
const options = ['-p', 'tsconfig.build.json', '--noCheck', '--outDir', fresh];
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', ...options], { stdio: 'inherit' });
// Copy the JSON files, because tsc does not copy JSON files that are imported only at run time.
cpSync('src/contract/generated', `${fresh}/src/contract/generated`, { recursive: true, filter: (path) => !path.endsWith('.ts') });
rmSync('dist', { recursive: true, force: true });
renameSync(fresh, 'dist');
