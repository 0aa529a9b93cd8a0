// Compiles src and the conformance suite into dist, from scratch. Plain Node runs this file (types are stripped), so that `prepare` needs nothing but TypeScript.
import { execFileSync } from 'node:child_process';
import { cpSync, renameSync, rmSync } from 'node:fs';

// Into a folder of its own first: a failed build leaves the last good one.
const fresh = 'dist.new';
rmSync(fresh, { recursive: true, force: true });
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', fresh], { stdio: 'inherit' });
// tsc leaves out JSON that is only imported at run time.
cpSync('src/contract/generated', `${fresh}/src/contract/generated`, { recursive: true, filter: (path) => !path.endsWith('.ts') });
rmSync('dist', { recursive: true, force: true });
renameSync(fresh, 'dist');
