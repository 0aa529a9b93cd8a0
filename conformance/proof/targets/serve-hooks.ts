import { createServer } from 'node:http';
import { listen } from '../../../src/store/testing/listen.ts';
import { HOOK_NAMES, listFunctionNames } from '../../target/hooks.ts';
import { readText } from '../../target/send.ts';

// biome-ignore lint/suspicious/noExplicitAny: the hook determines the body
export type Hook = (body: any) => unknown;

/** Serves a profile's hooks. Each has its own URL. */
export async function serveHooks(functions: Readonly<Record<string, Hook>>) {
  const server = createServer(async (request, response) => {
    try {
      const result = await functions[request.url?.slice(1) ?? '']?.(JSON.parse(await readText(request)));
      response.end(JSON.stringify(result ?? {}));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  const listening = await listen(server);
  return { ...listening, urls: Object.fromEntries(Object.keys(functions).map((name) => [name, `${listening.url}/${name}`])) };
}

let lastLoad: Promise<unknown> = Promise.resolve();

/** Serves the example hooks for a kit with a control API. */
export async function serveKitHooks(kitUrl: string) {
  // Load one module at a time, because each reads its kit's URL from the environment.
  const load = lastLoad.then(async (): Promise<Readonly<Record<string, Hook>>> => {
    process.env.XPK_URL = kitUrl;
    return import(`../../profiles/kit-hooks.mjs?${new URL(kitUrl).port}`);
  });
  lastLoad = load.catch(() => {});
  const functions = await load;
  const found = HOOK_NAMES.map((name) => [name, listFunctionNames(name).flatMap((each) => functions[each] ?? [])[0]] as const);
  return serveHooks(Object.fromEntries(found.filter((entry): entry is [(typeof entry)[0], Hook] => entry[1] !== undefined)));
}
