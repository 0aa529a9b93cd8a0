import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

// Uses the sources, because it counts their files.
function listLoadedModules(): { readonly atStart: readonly string[]; readonly later: readonly string[] } {
  const program = `
    import { registerHooks } from 'node:module';
    const urls = [];
    registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
    const { createKit } = await import('./src/kit.ts');
    const kit = await createKit({ port: 0 });
    const atStart = urls.splice(0);
    await kit.mint();
    await kit.close();
    console.log(JSON.stringify({ atStart, later: urls }));`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }));
}

test("a kit loads its tools' modules when a tool is first used", () => {
  const { atStart, later } = listLoadedModules();
  const selectToolModules = (urls: readonly string[]) =>
    urls.filter((url) => /\/(src\/(sdk|checks|report)|node_modules\/openapi-fetch)\//.test(url));
  assert.deepEqual(
    selectToolModules(atStart)
      .map((url) => url.replace(/^.*\/src\//, ''))
      .toSorted(),
    // The control API shows which secret a webhook check uses.
    ['checks/webhook/subscription.ts', 'sdk/connect.ts', 'sdk/errors.ts', 'sdk/lazy-tools.ts'],
  );
  assert.ok(selectToolModules(later).some((url) => url.includes('openapi-fetch')));
});
