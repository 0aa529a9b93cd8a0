import type { components } from '../contract/generated/control.ts';
import { callOperation } from '../control-client/call.ts';
import { type ControlClient, createControlClient, getResponseData } from '../control-client/client.ts';
import { UsageError } from '../control-client/errors.ts';
import { DEFAULT_SCOPES } from '../world/world.ts';
import { createDeliveries } from './deliveries.ts';
import { convertUsageError, createState, ignoreNotFound, type TokenDefaults } from './entities.ts';
import { createMissingClientError } from './errors.ts';
import type { KitTools, MintRequest } from './kit-tools.ts';
import { login } from './login.ts';
import { createSubscriptions } from './subscriptions.ts';

export interface SdkContext {
  /** A kit URL that this process can reach, without a trailing slash. */
  readonly url: string;
  readonly publicUrl: string | undefined;
  readonly hasControl: boolean;
  readonly controlToken: string | undefined;
  /** Saved when the kit starts, because a test may replace the global `fetch` later. */
  readonly fetch: typeof fetch;
}

export function createTools({ url, publicUrl = url, hasControl, controlToken, fetch }: SdkContext): KitTools & { close(): Promise<void> } {
  if (!hasControl)
    throw new UsageError('This kit has no control API, because it was started with control: false. The test API needs the control API.');
  const wording = { noResponse: 'Was the kit closed?', controlToken: 'See the controlToken setting.' };
  const control = createControlClient(url, { controlToken, fetch, wording });
  const readDefaults = async () => getTokenDefaults((await control.GET('/_control/info')).data);
  const state = createState(control);
  const { close, subscribe, errors } = createSubscriptions(control);
  return {
    control,
    state,
    async id(collection, alias) {
      const found = await state.get(collection, alias);
      return 'id' in found ? found.id : alias;
    },
    mint: async (request) => mint(control, await readDefaults(), request),
    async login(request) {
      const audience = `${publicUrl}/auth/oauth/token`;
      return login({ state, defaults: await readDefaults(), authUrl: `${url}/auth`, audience, fetch }, request);
    },
    async reset(to = 'seed') {
      await convertUsageError(callOperation(control, 'reset', { to }));
    },
    async fault(request) {
      const { id } = await convertUsageError(getResponseData(callOperation(control, 'addFault', request)));
      const remove = () => ignoreNotFound(callOperation(control, 'removeFault', { faultId: id }));
      const hits = async () => (await control.GET('/_control/faults')).data.find((fault) => fault.id === id)?.hits ?? 0;
      return { id, hits, remove, [Symbol.asyncDispose]: remove };
    },
    trigger: (event, options) => convertUsageError(getResponseData(callOperation(control, 'triggerEvent', { event, ...options }))),
    subscribe,
    ...createDeliveries(control, errors),
    findings: async (options) => (await import('./checks.ts')).checkJournal(control, options),
    checkWebhook: async (options) => (await import('./checks.ts')).checkWebhook({ url, control }, options),
    close,
  };
}

/** Returns the client and the principal of the first ready-made token. */
export function getTokenDefaults({ tokens, decisions }: Pick<components['schemas']['Info'], 'tokens' | 'decisions'>): TokenDefaults {
  const [first] = Object.values(tokens);
  if (first === undefined) return {};
  const claims = JSON.parse(Buffer.from(first.split('.')[1]!, 'base64url').toString()) as Readonly<Record<string, string>>;
  const principal = claims[String(decisions['auth.principal-claim'])];
  return { client: claims.client_id!, ...(principal !== undefined && { principal }) };
}

async function mint(control: ControlClient, defaults: TokenDefaults, request: MintRequest = {}): Promise<string> {
  const { client = defaults.client, principal = defaults.principal, scopes, lacking = [], ...others } = request;
  if (client === undefined) throw createMissingClientError('mint');
  const lacks = new Set([lacking].flat());
  const body = {
    ...others,
    client,
    ...(principal !== null && principal !== undefined && { principal }),
    scopes: [...(scopes ?? DEFAULT_SCOPES)].filter((scope) => !lacks.has(scope)),
  };
  return (await convertUsageError(getResponseData(callOperation(control, 'mintToken', body)))).accessToken;
}
