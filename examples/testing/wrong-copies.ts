import type { ClientRuleId, WebhookRuleId } from '../../src/checks/rules.ts';
import type { Edit } from './copy.ts';

/** A copy of the example with one fault, and the rule that it breaks. */
export interface WrongCopy<RuleId> {
  readonly name: string;
  readonly rule: RuleId;
  readonly edits: readonly Edit[];
}

const edit = (file: string, search: string, replace: string): readonly Edit[] => [{ file: `src/${file}.ts`, search, replace }];

/** Wrong consumers of events. */
export const wrongConsumers: readonly WrongCopy<WebhookRuleId>[] = [
  {
    name: 'applies an event again if it is delivered again',
    rule: 'events.consumer.deduplicates',
    edits: edit('view', 'isKnown.get(webhookId) !== undefined', 'false'),
  },
  {
    name: 'applies an older event after a newer one',
    rule: 'events.consumer.discards-older',
    edits: edit('view', 'WHERE excluded.updated_at >= updated_at', ''),
  },
  {
    name: 'compares updatedAt as text',
    rule: 'events.consumer.compares-instants',
    edits: edit('view', 'accountId, state, instant(updatedAt)', 'accountId, state, updatedAt'),
  },
  {
    name: 'forgets what was deleted',
    rule: 'events.consumer.remembers-deletions',
    edits: edit(
      'view',
      'upsert.run(kind,',
      `if (state === 'DELETED') db.prepare('DELETE FROM entities WHERE kind = ? AND id = ?').run(kind, id);
    else upsert.run(kind,`,
    ),
  },
  {
    name: 'acknowledges an event and stores it later, so that a restart loses it',
    rule: 'events.endpoint.acknowledges-what-it-keeps',
    edits: [
      ...edit('app', 'const app = express();', 'const app = express();\n  const unstored: (() => void)[] = [];'),
      ...edit('app', 'view.apply(webhookId, req.body);', 'unstored.push(() => view.apply(webhookId, req.body));'),
      ...edit(
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
    name: 'acknowledges an event that it failed to process, because a list was not available',
    rule: 'events.endpoint.acknowledges-what-it-keeps',
    edits: [
      ...edit('service', 'ATTEMPTS = 5', 'ATTEMPTS = 1'),
      ...edit('app', 'express.json(), (req, res)', 'express.json(), async (req, res)'),
      ...edit(
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
      ...edit(
        'view',
        '  function put({ kind, id, accountId, state, updatedAt }: Entity): void {',
        `  const twice = new Set<string>();
  function put({ kind, id, accountId, state, updatedAt }: Entity): void {
    if (state === 'DELETED') twice.delete(id);
    else if (present.all(kind).some((row) => row.id === id)) twice.add(id);`,
      ),
      ...edit('view', 'users[accountId].push(id);', 'users[accountId].push(id, ...(twice.has(id) ? [id] : []));'),
    ],
  },
  {
    name: 'ignores deleted users',
    rule: 'events.consumer.user-set-removes',
    edits: edit('view', "'provisioning.user.deleted'", "'ignored'"),
  },
  {
    name: 'does not read the users of an account',
    rule: 'events.consumer.user-set-seeded',
    edits: edit('sync', '    await readUsers(accountId);\n', ''),
  },
  {
    name: 'does not rebuild its view',
    rule: 'events.consumer.rebuilds-from-lists',
    edits: edit('sync', 'for (const accountId of logins.accounts()) await readAccount(accountId);', ''),
  },
];

/** Wrong clients of the service. */
export const wrongClients: readonly WrongCopy<ClientRuleId>[] = [
  {
    name: 'requests a token for every call',
    rule: 'client.tokens.cached',
    edits: edit('login', 'expires_at - REFRESH_BEFORE_EXPIRY_MS > now() ? access_token : renewOnce(accountId)', 'renewOnce(accountId)'),
  },
  {
    name: 'sends a token again that has expired',
    rule: 'client.tokens.refreshed-before-expiry',
    edits: edit('service', '      await logins.renew(accountId, token);\n', ''),
  },
  {
    name: 'repeats a request at once after 429',
    rule: 'limits.assignability.back-off',
    edits: edit('service', 'await delay(seconds * 1000 + Math.random() * 250);', ''),
  },
  {
    name: 'uses the plain challenge of PKCE',
    rule: 'client.pkce.s256',
    edits: [
      ...edit('login', 'await openid.calculatePKCECodeChallenge(verifier)', 'verifier'),
      ...edit('login', "code_challenge_method: 'S256'", "code_challenge_method: 'plain'"),
    ],
  },
  {
    name: 'uses one code_verifier for all logins',
    rule: 'client.pkce.random-verifier',
    edits: edit('login', 'openid.randomPKCECodeVerifier()', "'a-code-verifier-that-is-long-enough-to-be-accepted'"),
  },
  {
    name: 'uses one state for all logins',
    rule: 'client.state.fresh',
    edits: edit('login', 'const state = openid.randomState();', "const state = 'the-state-of-all-logins';"),
  },
  {
    name: 'accepts a response with another state',
    rule: 'client.state.compared',
    edits: edit('login', 'expectedState: login.state', 'expectedState: openid.skipStateCheck'),
  },
  {
    name: 'sends a login_hint that is not E.164',
    rule: 'client.login-hint.e164',
    edits: edit('login', 'login_hint: customer.number', 'login_hint: customer.number.slice(1)'),
  },
  {
    name: 'authenticates with a secret and an assertion',
    rule: 'client.authentication.one-method',
    edits: edit(
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
    edits: edit('login', "  'experience-connections:manage',\n  'experience-assignments:manage',\n", ''),
  },
  {
    name: 'changes a cursor',
    rule: 'client.cursor-opaque',
    edits: edit('service', 'read({ cursor: last.cursor })', 'read({ cursor: last.cursor.toLowerCase() })'),
  },
  {
    name: 'reads only the first page of a list',
    rule: 'client.traversal-until-null',
    edits: edit('service', 'while (last.cursor)', 'while (last.cursor === undefined)'),
  },
  {
    name: 'sends a cursor again that was refused',
    rule: 'client.refused-cursor-restarts',
    edits: edit('service', 'return readList(read, false);', 'continue;'),
  },
  {
    name: 'sends the deprecated parameter tn',
    rule: 'client.telephone-number-not-tn',
    edits: edit('connect', 'telephoneNumber: number', 'tn: number'),
  },
  {
    name: 'sends the accountId of an assignment',
    rule: 'client.read-only-fields-not-sent',
    edits: edit('connect', 'body: { experienceId, ...target }', 'body: { experienceId, ...target, accountId }'),
  },
  {
    name: 'does not check assignability',
    rule: 'assignability.check-first',
    edits: edit('connect', '  if (!isAssigned) {', '  if (false) {'),
  },
  {
    name: 'repeats a request with invalid data',
    rule: 'client.no-hopeless-retries',
    edits: [
      ...edit('service', 'ATTEMPTS = 5', 'ATTEMPTS = 2'),
      ...edit('service', 'const isTemporary = response.status === 429', 'const isTemporary = [422, 429].includes(response.status)'),
    ],
  },
];
