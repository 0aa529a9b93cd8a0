import type { KitTools } from './kit-tools.ts';
import type { SdkContext } from './tools.ts';

type AsyncTool = (...given: never[]) => Promise<unknown>;

/** Returns a kit's tools. Loads them at the first call, so that a kit starts faster. */
export function createLazyTools(context: SdkContext): KitTools & { close(): Promise<void> } {
  let loaded: ReturnType<typeof import('./tools.ts')['createTools']> | undefined;
  const load = async () => {
    const { createTools } = await import('./tools.ts');
    loaded ??= createTools(context);
    return loaded;
  };
  const call = <Tool extends AsyncTool>(select: (tools: KitTools) => Tool): Tool =>
    (async (...given: never[]) => select(await load())(...given)) as Tool;
  return {
    control: {
      GET: call(({ control }) => control.GET),
      POST: call(({ control }) => control.POST),
      PUT: call(({ control }) => control.PUT),
      PATCH: call(({ control }) => control.PATCH),
      DELETE: call(({ control }) => control.DELETE),
    },
    state: {
      get: call(({ state }) => state.get),
      add: call(({ state }) => state.add),
      set: call(({ state }) => state.set),
      delete: call(({ state }) => state.delete),
    },
    id: call(({ id }) => id),
    mint: call(({ mint }) => mint),
    login: call(({ login }) => login),
    reset: call(({ reset }) => reset),
    fault: call(({ fault }) => fault),
    trigger: call(({ trigger }) => trigger),
    subscribe: call(({ subscribe }) => subscribe),
    deliveries: { wait: call(({ deliveries }) => deliveries.wait), position: call(({ deliveries }) => deliveries.position) },
    findings: call(({ findings }) => findings),
    checkWebhook: call(({ checkWebhook }) => checkWebhook),
    settled: call(({ settled }) => settled),
    close: async () => loaded?.close(),
  };
}
