import type { ClientRuleId, WebhookRuleId } from '../../src/checks/rules.ts';
import type { FileEdit } from './copy.ts';

/** A copy of the example with one fault, and the rule that the copy breaks. */
interface WrongCopy<RuleId> {
  readonly name: string;
  readonly rule: RuleId;
  readonly edits: readonly FileEdit[];
}

const createEdits = (file: string, search: string, replace: string): readonly FileEdit[] => [{ file: `src/${file}.ts`, search, replace }];

export const wrongConsumers: readonly WrongCopy<WebhookRuleId>[] = [
  {
    name: 'applies a repeated event again',
    rule: 'events.consumer.deduplicates',
    edits: createEdits('view', 'isKnown.get(webhookId) !== undefined', 'false'),
  },
  {
    name: 'applies an older event after a newer one',
    rule: 'events.consumer.discards-older',
    edits: createEdits('view', 'WHERE excluded.updated_at >= updated_at', ''),
  },
  {
    name: 'compares updatedAt as text',
    rule: 'events.consumer.compares-instants',
    edits: createEdits('view', 'accountId, state, toSortableInstant(updatedAt)', 'accountId, state, updatedAt'),
  },
  {
    name: 'does not remember deletions',
    rule: 'events.consumer.remembers-deletions',
    edits: createEdits(
      'view',
      'upsert.run(kind,',
      `if (state === 'DELETED') db.prepare('DELETE FROM entities WHERE kind = ? AND id = ?').run(kind, id);
    else upsert.run(kind,`,
    ),
  },
  {
    name: 'loses acknowledged events when it restarts',
    rule: 'events.endpoint.acknowledges-what-it-keeps',
    edits: [
      ...createEdits('app', 'const app = express();', 'const app = express();\n  const unstored: (() => void)[] = [];'),
      ...createEdits('app', 'view.apply(webhookId, req.body);', 'unstored.push(() => view.apply(webhookId, req.body));'),
      ...createEdits(
        'app',
        "app.get('/state', (_req, res) => void res.json(view.state()));",
        `app.get('/state', (_req, res) => {
    for (const store of unstored.splice(0)) store();
    res.json(view.state());
  });`,
      ),
    ],
  },
  {
    name: 'acknowledges an event that it failed to process',
    rule: 'events.endpoint.acknowledges-what-it-keeps',
    edits: [
      ...createEdits('service', 'MAX_ATTEMPTS = 5', 'MAX_ATTEMPTS = 1'),
      ...createEdits('app', 'express.json(), (req, res)', 'express.json(), async (req, res)'),
      ...createEdits(
        'app',
        'view.apply(webhookId, req.body);',
        `try {
      if (req.body.type === 'provisioning.user.created') await sync.readAccount(req.body.data.accountId);
      view.apply(webhookId, req.body);
    } catch {}`,
      ),
    ],
  },
  {
    name: 'counts a user twice after two events about the user',
    rule: 'events.consumer.user-set-per-account',
    edits: [
      ...createEdits(
        'view',
        '  function put({ kind, id, accountId, state, updatedAt }: Entity): void {',
        `  const twice = new Set<string>();
  function put({ kind, id, accountId, state, updatedAt }: Entity): void {
    if (state === 'DELETED') twice.delete(id);
    else if (present.all(kind).some((row) => row.id === id)) twice.add(id);`,
      ),
      ...createEdits('view', 'users[accountId].push(id);', 'users[accountId].push(id, ...(twice.has(id) ? [id] : []));'),
    ],
  },
  {
    name: 'ignores deleted users',
    rule: 'events.consumer.user-set-removes',
    edits: createEdits('view', "'provisioning.user.deleted'", "'ignored'"),
  },
  {
    name: 'does not read the users of an account',
    rule: 'events.consumer.user-set-seeded',
    edits: createEdits('sync', '    await readUsers(accountId);\n', ''),
  },
  {
    name: 'does not rebuild its view',
    rule: 'events.consumer.rebuilds-from-lists',
    edits: createEdits('sync', 'for (const accountId of logins.accounts()) await readAccount(accountId);', ''),
  },
];

export const wrongClients: readonly WrongCopy<ClientRuleId>[] = [
  {
    name: 'requests a token for every call',
    rule: 'client.tokens.cached',
    edits: createEdits(
      'login',
      'expires_at - REFRESH_BEFORE_EXPIRY_MS > now() ? access_token : renewOnce(accountId)',
      'renewOnce(accountId)',
    ),
  },
  {
    name: 'sends an expired token again',
    rule: 'client.tokens.refreshed-before-expiry',
    edits: createEdits('service', '      await logins.renew(accountId, token);\n', ''),
  },
  {
    name: 'repeats a request at once after 429',
    rule: 'limits.assignability.back-off',
    edits: createEdits('service', 'await delay(seconds * 1000 + Math.random() * 250);', ''),
  },
  {
    name: 'uses code_challenge_method=plain',
    rule: 'client.pkce.s256',
    edits: [
      ...createEdits('login', 'await openid.calculatePKCECodeChallenge(verifier)', 'verifier'),
      ...createEdits('login', "code_challenge_method: 'S256'", "code_challenge_method: 'plain'"),
    ],
  },
  {
    name: 'uses one code_verifier for all logins',
    rule: 'client.pkce.random-verifier',
    edits: createEdits('login', 'openid.randomPKCECodeVerifier()', "'a-code-verifier-that-is-long-enough-to-be-accepted'"),
  },
  {
    name: 'uses one state for all logins',
    rule: 'client.state.fresh',
    edits: createEdits('login', 'const state = openid.randomState();', "const state = 'the-state-of-all-logins';"),
  },
  {
    name: 'accepts a redirect with a wrong state',
    rule: 'client.state.compared',
    edits: createEdits('login', 'expectedState: login.state', 'expectedState: openid.skipStateCheck'),
  },
  {
    name: 'sends a login_hint that is not E.164',
    rule: 'client.login-hint.e164',
    edits: createEdits('login', 'login_hint: customer.number', 'login_hint: customer.number.slice(1)'),
  },
  {
    name: 'authenticates with a secret and an assertion',
    rule: 'client.authentication.one-method',
    edits: createEdits(
      'login',
      'openid.ClientSecretPost(config.clientSecret)',
      `(server, client, body, headers) => {
      openid.ClientSecretPost(config.clientSecret)(server, client, body, headers);
      body.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
      body.set('client_assertion', 'header.claims.signature');
    }`,
    ),
  },
  {
    name: 'requests offline_access without the connection and assignment scopes',
    rule: 'client.offline-access.with-scopes',
    edits: createEdits('login', "  'experience-connections:manage',\n  'experience-assignments:manage',\n", ''),
  },
  {
    name: 'changes a cursor',
    rule: 'client.cursor-opaque',
    edits: createEdits('service', 'read({ cursor: last.cursor })', 'read({ cursor: last.cursor.toLowerCase() })'),
  },
  {
    name: 'reads only the first page of a list',
    rule: 'client.traversal-until-null',
    edits: createEdits('service', 'while (last.cursor)', 'while (last.cursor === undefined)'),
  },
  {
    name: 'sends a refused cursor again',
    rule: 'client.refused-cursor-restarts',
    edits: createEdits('service', 'return readList(read, false);', 'continue;'),
  },
  {
    name: 'sends the deprecated parameter tn',
    rule: 'client.telephone-number-not-tn',
    edits: createEdits('connect', 'telephoneNumber: number', 'tn: number'),
  },
  {
    name: 'sends the accountId of an assignment',
    rule: 'client.read-only-fields-not-sent',
    edits: createEdits('connect', 'body: { experienceId, ...target }', 'body: { experienceId, ...target, accountId }'),
  },
  {
    name: 'does not check assignability',
    rule: 'assignability.check-first',
    edits: createEdits('connect', '  if (!isAssigned) {', '  if (false) {'),
  },
  {
    name: 'repeats a request with invalid data',
    rule: 'client.no-hopeless-retries',
    edits: [
      ...createEdits('service', 'MAX_ATTEMPTS = 5', 'MAX_ATTEMPTS = 2'),
      ...createEdits('service', 'const isTemporary = response.status === 429', 'const isTemporary = [422, 429].includes(response.status)'),
    ],
  },
];
