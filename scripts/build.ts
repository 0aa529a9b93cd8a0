// Compiles src and the conformance suite into dist. It does not check types: `npm run check` does, once. Plain Node runs this file, so that `prepare`
// needs nothing but TypeScript.
import { execFileSync } from 'node:child_process';
import { cpSync, renameSync, rmSync } from 'node:fs';

// In another folder, so that a failed build keeps the last good one.
const fresh = 'dist.new';
rmSync(fresh, { recursive: true, force: true });
const options = ['-p', 'tsconfig.build.json', '--noCheck', '--outDir', fresh];
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', ...options], { stdio: 'inherit' });
// tsc leaves out JSON that is only imported at run time.
cpSync('src/contract/generated', `${fresh}/src/contract/generated`, { recursive: true, filter: (path) => !path.endsWith('.ts') });
rmSync('dist', { recursive: true, force: true });
renameSync(fresh, 'dist');
