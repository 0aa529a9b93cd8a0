// Machine-written by `npm run generate` from openapi/control.yaml. Do not edit.

import type { ControlOperationId } from './control-operations.ts';
import type { Field } from './entity-forms.ts';

export interface ControlField extends Field {
  readonly in: 'path' | 'query' | 'header' | 'body';
  readonly isRequired?: boolean;
  /** Whether the field is the whole body. */
  readonly isWhole?: boolean;
}

/** How the command line names an operation. */
export interface Verb {
  readonly words: string;
  /** Whether a file in src/cli implements the command. */
  readonly hand?: boolean;
  /** Whether the group runs this command if no subcommand is given. */
  readonly default?: boolean;
  /** For operations with the same words: the options or arguments that select this operation. */
  readonly when?: string | readonly string[];
  /** The operation without parameters of its own whose response is printed instead. */
  readonly then?: ControlOperationId;
  /** Arguments, in commander's syntax: `<name>`, `[name]`, `[name...]`. */
  readonly args?: readonly string[];
  /** The names of fields on the command line, such as `header <name:value>`. Fields with the same name are the ends of a range. */
  readonly rename?: Readonly<Record<string, string | readonly string[]>>;
  /** The fields whose milliseconds are written as durations. */
  readonly durations?: readonly string[];
  /** The values of fields that the command sends if they are not given, where the operation has another default. */
  readonly defaults?: Readonly<Record<string, string | number | boolean>>;
  /** The fields that the command does not have, with the reasons. */
  readonly without?: Readonly<Record<string, string>>;
  readonly short?: string;
  /** Short descriptions of fields. */
  readonly hints?: Readonly<Record<string, string>>;
  readonly help?: string;
  readonly examples?: readonly string[];
  /** A text with `{member}`, `{member|other}`, `{member:filter}`, and `[parts that need all their members|or else this]`. */
  readonly says?: string;
  /** The columns of a list: texts by header, texts without headers, or the operation that has the same columns. */
  readonly columns?: ControlOperationId | readonly string[] | Readonly<Record<string, string>>;
  /** The text for an empty list. */
  readonly empty?: string;
  /** For a response without a body: the member that `--json` prints. Its value is the argument, or `all`. */
  readonly result?: string;
}

export interface ControlRow {
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'patch';
  readonly path: string;
  readonly hasBody: boolean;
  readonly summary: string;
  readonly fields: Readonly<Record<string, ControlField>>;
  readonly verbs: readonly Verb[];
  /** Why the operation has no command. */
  readonly none?: string;
}

/** The commands that only have subcommands, with their descriptions. */
export const verbGroups: Readonly<Record<string, string>> = {
  clock: 'Shows kit time, or moves kit time forward, so that tokens expire, rate limit windows end, and the users list shows recent changes.',
  fault: 'Makes operations of a running kit fail on purpose.',
  snapshot: 'Saves the whole state of a running kit under a name, and loads saved states.',
  world: 'Shows or replaces the world of a running kit.',
};

/** The operations of the control API. */
export const controlTable: Readonly<Record<ControlOperationId, ControlRow>> = {
  health: {
    method: 'get',
    path: '/_control/health',
    hasBody: false,
    summary: 'Returns whether the kit can serve requests.',
    fields: {
    },
    verbs: [{ words: 'health', short: 'Checks whether a running kit can handle requests. Exits with 1 if a part of the kit does not work, or if no kit responds.', says: '{status}[ (a proxy of {proxyOf})]\ndatabase ({engine}): {parts.database.status}[, {parts.database.reason}]', examples: ['xpk health', 'until xpk health; do sleep 1; done'] }],
  },
  live: {
    method: 'get',
    path: '/_control/health/live',
    hasBody: false,
    summary: 'Confirms that the process is running.',
    fields: {
    },
    verbs: [],
    none: 'For probes. xpk health fails, too, if the process does not run.',
  },
  readMetrics: {
    method: 'get',
    path: '/_control/metrics',
    hasBody: false,
    summary: 'Returns this process\'s metrics in the Prometheus text format.',
    fields: {
    },
    verbs: [],
    none: 'For monitoring systems, which request the URL themselves.',
  },
  info: {
    method: 'get',
    path: '/_control/info',
    hasBody: false,
    summary: 'Returns the version, the current settings and decisions, the URLs, and ready-made tokens.',
    fields: {
    },
    verbs: [{ words: 'info', short: 'Shows the version, the settings, the decisions, the addresses and the ready-made tokens of a running kit.', examples: ['xpk info', 'xpk info --json | jq -r .tokens.full'] }],
  },
  listOperations: {
    method: 'get',
    path: '/_control/operations',
    hasBody: false,
    summary: 'Returns the service\'s operations, each with its documented refusals.',
    fields: {
    },
    verbs: [{ words: 'operations', short: 'Lists the service\'s operations with their documented statuses.', columns: ['{operationId}', '{method} {path}', '{statuses}'], examples: ['xpk operations'] }],
  },
  listDecisions: {
    method: 'get',
    path: '/_control/decisions',
    hasBody: false,
    summary: 'Returns the points that the specification leaves open, each with its current value and the alternatives.',
    fields: {
    },
    verbs: [{ words: 'decisions', short: 'Lists the points that the specification leaves open, with their current values and the alternatives.', columns: ['{id}', '{inForce}', '{alternatives}'], examples: ['xpk decisions'] }],
  },
  mintToken: {
    method: 'post',
    path: '/_control/tokens',
    hasBody: true,
    summary: 'Creates an access token that is valid or deliberately invalid.',
    fields: {
      client: { in: 'body', isRequired: true, type: 'string', description: 'The alias or id of a client.' },
      principal: { in: 'body', type: 'string', description: 'The alias or id of a principal. If absent, the token has no principal claim.' },
      scopes: { in: 'body', type: 'array', items: { type: 'string' }, description: 'The token\'s scopes. Default: all scopes except offline_access.' },
      expiresIn: { in: 'body', type: 'integer', minimum: 1, maximum: 315360000, description: 'The token\'s lifetime, in seconds of kit time.', default: 3600 },
      kind: { in: 'body', type: 'string', enum: ['good', 'expired', 'not-yet-valid', 'wrong-signature', 'alg-none', 'wrong-algorithm', 'wrong-issuer', 'wrong-audience', 'no-expiry', 'no-client', 'unknown-client', 'unknown-principal', 'no-principal', 'malformed-claims', 'truncated', 'not-a-jwt'], description: 'good, or the reason why the token is invalid.', default: 'good' },
    },
    verbs: [{ words: 'token', hand: true, rename: { scopes: 'scope' } }],
  },
  readWorld: {
    method: 'get',
    path: '/_control/world',
    hasBody: false,
    summary: 'Returns the world\'s name and the number of its entities.',
    fields: {
    },
    verbs: [{ words: 'world show', default: true, short: 'Shows the world\'s name and the number of its entities, like xpk world without a subcommand.', says: 'The world is {world}: {entities:counts}.', examples: ['xpk world', 'xpk world show --json'] }],
  },
  downloadWorld: {
    method: 'get',
    path: '/_control/world/file',
    hasBody: false,
    summary: 'Returns the whole state as YAML, which `xpk start --fixtures` accepts.',
    fields: {
    },
    verbs: [],
    none: 'xpk state get prints the same world.',
  },
  uploadWorld: {
    method: 'put',
    path: '/_control/world/file',
    hasBody: true,
    summary: 'Replaces the whole state with the world in a file. Publishes no events. Each error contains the line and column in the file.',
    fields: {
      yaml: { in: 'body', isRequired: true, type: 'string', description: 'The file\'s content.' },
      name: { in: 'body', type: 'string', description: 'The file\'s name, for error messages.', default: 'world.yaml' },
    },
    verbs: [{ words: 'world load', short: 'Replaces the whole state with the world in a file. Publishes no events.', args: ['<yaml>'], hints: { yaml: 'the world as YAML; @file reads it from a file', name: 'the file\'s name for error messages; default: world.yaml' }, says: 'The world is now {world}: {entities:counts}.', examples: ['xpk world load @our-world.yaml'] }],
  },
  listWorlds: {
    method: 'get',
    path: '/_control/worlds',
    hasBody: false,
    summary: 'Returns the worlds besides the first one, oldest first.',
    fields: {
    },
    verbs: [{ words: 'world list', short: 'Lists the worlds besides the kit\'s first one.', columns: ['{name}', '{url}', '{world}', '{label}', 'ends {endsAt}'], empty: 'There are none. Create one with: xpk world create', examples: ['xpk world list'] }],
  },
  createWorld: {
    method: 'post',
    path: '/_control/worlds',
    hasBody: true,
    summary: 'Creates a world that shares nothing with the others.',
    fields: {
      name: { in: 'body', type: 'string', pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$', description: 'The name in the base URL. Default: a random name.' },
      from: { in: 'body', type: 'string', pattern: '^[a-z0-9][a-z0-9-]{0,62}$', description: 'The state to copy: seed (the world with which the kit was started), empty, a world, or a snapshot of the first world.', default: 'seed' },
      fixtures: { in: 'body', type: 'object', description: 'The content, as in a world file, instead of `from`.' },
      decisions: { in: 'body', type: 'object', description: 'Decisions that differ from the kit\'s.' },
      label: { in: 'body', type: 'string', description: 'Whose world it is, such as the name of a test.' },
      idleTimeoutMs: { in: 'body', type: 'integer', minimum: 1000, maximum: 604800000, description: 'How long the world may be unused before it ends, in milliseconds of wall time.', default: 1800000 },
    },
    verbs: [{ words: 'world create', short: 'Creates a world of its own for a test, a colleague or a pull request.', args: ['[name]'], rename: { idleTimeoutMs: 'idle-timeout' }, durations: ['idleTimeoutMs'], says: 'The world {name} is at {url}.\nIts console: {console}', examples: ['xpk world create checkout-test', 'xpk world create --from before-checkout', 'eval "$(xpk world create --env)"'] }, { words: 'world create', when: 'env', args: ['[name]'], rename: { idleTimeoutMs: 'idle-timeout' }, durations: ['idleTimeoutMs'], hints: { env: 'print shell commands that set the variables of xpk exec, such as XPK_URL and XPK_TOKEN, and XPK_WORLD: the name' } }],
  },
  deleteWorld: {
    method: 'delete',
    path: '/_control/worlds/{name}',
    hasBody: false,
    summary: 'Ends a world, with everything in it. Waits for its requests for at most five seconds.',
    fields: {
      name: { in: 'path', isRequired: true, type: 'string', description: 'The world\'s name.' },
    },
    verbs: [{ words: 'world delete', short: 'Ends a world, with everything in it.', args: ['<name>'], hints: { name: 'a name, as shown by xpk world list' }, result: 'deleted', says: 'Deleted the world {name}.', examples: ['xpk world delete checkout-test'] }],
  },
  listEndedWorlds: {
    method: 'get',
    path: '/_control/ended/worlds',
    hasBody: false,
    summary: 'Returns the latest 20 worlds that have ended at this replica, newest first.',
    fields: {
    },
    verbs: [{ words: 'world ended', short: 'Lists the latest worlds that have ended. Their requests can still be read.', columns: ['{name}', '{label}', 'ended {endedAt}', '{requests} requests'], empty: 'No world has ended since the kit started.', examples: ['xpk world ended'] }],
  },
  listEndedWorldRequests: {
    method: 'get',
    path: '/_control/ended/worlds/{name}/requests',
    hasBody: false,
    summary: 'Returns the latest 100 entries in the journal of a world that has ended, newest first. Of several worlds with this name, the latest counts.',
    fields: {
      name: { in: 'path', isRequired: true, type: 'string', description: 'The world\'s name.' },
    },
    verbs: [{ words: 'world requests', short: 'Lists the latest requests to a world that has ended.', args: ['<name>'], hints: { name: 'a name, as shown by xpk world ended' }, columns: ['{at}', '{status}', '{method}', '{path}', '{traceId}'], empty: 'The world got no request.', examples: ['xpk world requests checkout-test'] }],
  },
  listScenarios: {
    method: 'get',
    path: '/_control/scenarios',
    hasBody: false,
    summary: 'Returns the package\'s scenarios.',
    fields: {
    },
    verbs: [{ words: 'world scenarios', short: 'Lists the scenarios that xpk world scenario and xpk start --scenario accept.', columns: ['{name}', '{description}'], examples: ['xpk world scenarios'] }],
  },
  loadScenario: {
    method: 'post',
    path: '/_control/scenarios/{scenario}/load',
    hasBody: false,
    summary: 'Loads a scenario, which replaces the world, the faults and the clock. Publishes no events. Refuses a scenario whose decisions differ from the current decisions, because decisions cannot change after a kit has started.',
    fields: {
      scenario: { in: 'path', isRequired: true, type: 'string', description: 'The name of a scenario in the package.' },
    },
    verbs: [{ words: 'world scenario', short: 'Loads a scenario, which replaces the world, the faults and the clock. Publishes no events.', args: ['<name>'], rename: { scenario: 'name' }, hints: { scenario: 'a name, as shown by xpk world scenarios' }, says: 'The world is now {world}: {entities:counts}.', examples: ['xpk world scenario slow'] }],
  },
  dumpState: {
    method: 'get',
    path: '/_control/state',
    hasBody: false,
    summary: 'Returns the whole state as a world. Loading this world restores the same state.',
    fields: {
    },
    verbs: [{ words: 'state get', hand: true }],
  },
  loadState: {
    method: 'put',
    path: '/_control/state',
    hasBody: true,
    summary: 'Replaces the whole state with a world. Publishes no events.',
    fields: {
      body: { in: 'body', isWhole: true, isRequired: true, type: 'object' },
    },
    verbs: [],
    none: 'xpk world load accepts the same world.',
  },
  createEntities: {
    method: 'post',
    path: '/_control/state',
    hasBody: true,
    summary: 'Creates several entities in one transaction on behalf of the platform, and publishes the events. If one entity is refused, creates none.',
    fields: {
      body: { in: 'body', isWhole: true, isRequired: true, type: 'object' },
    },
    verbs: [],
    none: 'xpk state add creates each of the entities.',
  },
  listCollection: {
    method: 'get',
    path: '/_control/state/{collection}',
    hasBody: false,
    summary: 'Returns a collection\'s entities by alias.',
    fields: {
      collection: { in: 'path', isRequired: true, type: 'string', enum: ['providers', 'experiences', 'accounts', 'telephoneNumbers', 'users', 'principals', 'clients', 'assignments', 'connections', 'subscriptions'] },
      limit: { in: 'query', type: 'integer', minimum: 1, maximum: 1000, description: 'The maximum number of entities in the response. Default: all.' },
      after: { in: 'query', type: 'string', pattern: '^[^\\u0000]*$', description: 'Selects the entities whose alias comes after this alias.' },
      search: { in: 'query', type: 'string', pattern: '^[^\\u0000]*$', description: 'Selects the entities whose alias or name contains this text. The letter case is ignored.' },
      provider: { in: 'query', type: 'string', description: 'Selects the entities of a provider, by alias or id.' },
      account: { in: 'query', type: 'string', description: 'Selects the entities of an account, by alias or id. An assignment belongs to its target\'s account.' },
      experience: { in: 'query', type: 'string', description: 'Selects the entities of an Experience, by alias or id.' },
      target: { in: 'query', type: 'string', pattern: '^[^\\u0000]*$', description: 'Selects the assignments of a target: the id of an account or a user, or a telephone number.' },
    },
    verbs: [{ words: 'state list', short: 'Lists a collection\'s entities by alias.', args: ['<collection>'], hints: { collection: 'accounts, users, connections, …', limit: 'the maximum number of entities, up to 1000', after: 'only entities whose alias comes after this alias', search: 'only entities whose alias or name contains this text', provider: 'only entities of this provider (alias or id)', account: 'only entities of this account (alias or id)', experience: 'only entities of this Experience (alias or id)', target: 'only assignments of this target: the id of an account or a user, or a telephone number' }, examples: ['xpk state list assignments --account northwind'] }],
  },
  createEntity: {
    method: 'post',
    path: '/_control/state/{collection}',
    hasBody: true,
    summary: 'Creates an entity on behalf of the portal or the platform, and publishes the event.',
    fields: {
      collection: { in: 'path', isRequired: true, type: 'string', enum: ['providers', 'experiences', 'accounts', 'telephoneNumbers', 'users', 'principals', 'clients', 'assignments', 'connections', 'subscriptions'] },
      as: { in: 'query', type: 'string', enum: ['portal', 'platform'], description: 'Who makes the change: an end user in the portal, or the platform. The events and the list of changes contain this actor. Some decisions depend on the actor (portal.same-state, portal.delete-with-numbers). Default: the portal for assignments and connections, the platform for other entities.' },
      body: { in: 'body', isWhole: true, isRequired: true, type: 'object' },
    },
    verbs: [{ words: 'state add', hand: true, rename: { body: 'members' } }],
  },
  readEntity: {
    method: 'get',
    path: '/_control/state/{collection}/{id}',
    hasBody: false,
    summary: 'Returns an entity.',
    fields: {
      collection: { in: 'path', isRequired: true, type: 'string', enum: ['providers', 'experiences', 'accounts', 'telephoneNumbers', 'users', 'principals', 'clients', 'assignments', 'connections', 'subscriptions'] },
      id: { in: 'path', isRequired: true, type: 'string', description: 'An id, an alias or a telephone number.' },
    },
    verbs: [{ words: 'state get', hand: true, rename: { id: 'name' } }],
  },
  putEntity: {
    method: 'put',
    path: '/_control/state/{collection}/{id}',
    hasBody: true,
    summary: 'Creates the entity with this alias, or replaces the existing entity.',
    fields: {
      collection: { in: 'path', isRequired: true, type: 'string', enum: ['providers', 'experiences', 'accounts', 'telephoneNumbers', 'users', 'principals', 'clients', 'assignments', 'connections', 'subscriptions'] },
      id: { in: 'path', isRequired: true, type: 'string', description: 'An id, an alias or a telephone number.' },
      as: { in: 'query', type: 'string', enum: ['portal', 'platform'], description: 'Who makes the change: an end user in the portal, or the platform. The events and the list of changes contain this actor. Some decisions depend on the actor (portal.same-state, portal.delete-with-numbers). Default: the portal for assignments and connections, the platform for other entities.' },
      body: { in: 'body', isWhole: true, isRequired: true, type: 'object' },
    },
    verbs: [],
    none: 'xpk state add and xpk state set create and change the same entities.',
  },
  deleteEntity: {
    method: 'delete',
    path: '/_control/state/{collection}/{id}',
    hasBody: false,
    summary: 'Deletes the entity and everything that depends on it, and publishes the events.',
    fields: {
      collection: { in: 'path', isRequired: true, type: 'string', enum: ['providers', 'experiences', 'accounts', 'telephoneNumbers', 'users', 'principals', 'clients', 'assignments', 'connections', 'subscriptions'] },
      id: { in: 'path', isRequired: true, type: 'string', description: 'An id, an alias or a telephone number.' },
      as: { in: 'query', type: 'string', enum: ['portal', 'platform'], description: 'Who makes the change: an end user in the portal, or the platform. The events and the list of changes contain this actor. Some decisions depend on the actor (portal.same-state, portal.delete-with-numbers). Default: the portal for assignments and connections, the platform for other entities.' },
    },
    verbs: [{ words: 'state delete', short: 'Deletes an entity and everything that depends on it.', args: ['<collection>', '<name>'], rename: { id: 'name' }, hints: { collection: 'accounts, users, connections, …', id: 'an id, an alias or a telephone number', as: 'the actor of the change; default: portal for assignments and connections, else platform' }, result: 'deleted', says: 'Deleted {id}.', examples: ['xpk state delete users ada'] }],
  },
  patchEntity: {
    method: 'patch',
    path: '/_control/state/{collection}/{id}',
    hasBody: true,
    summary: 'Changes the given members. The value null removes a member. In the maps `levels` and `accounts`, only the given entries are changed.',
    fields: {
      collection: { in: 'path', isRequired: true, type: 'string', enum: ['providers', 'experiences', 'accounts', 'telephoneNumbers', 'users', 'principals', 'clients', 'assignments', 'connections', 'subscriptions'] },
      id: { in: 'path', isRequired: true, type: 'string', description: 'An id, an alias or a telephone number.' },
      as: { in: 'query', type: 'string', enum: ['portal', 'platform'], description: 'Who makes the change: an end user in the portal, or the platform. The events and the list of changes contain this actor. Some decisions depend on the actor (portal.same-state, portal.delete-with-numbers). Default: the portal for assignments and connections, the platform for other entities.' },
      body: { in: 'body', isWhole: true, isRequired: true, type: 'object' },
    },
    verbs: [{ words: 'state set', hand: true, rename: { id: 'name', body: 'members' } }],
  },
  listChanges: {
    method: 'get',
    path: '/_control/changes',
    hasBody: false,
    summary: 'Returns the changes made through the control API and who made them, newest first.',
    fields: {
      entity: { in: 'query', type: 'string', description: 'The alias or id of an entity. The entity may have been deleted.' },
      before: { in: 'query', type: 'string', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$', description: 'Selects the changes before the change with this id. For the next page, use the last id on this page.' },
      limit: { in: 'query', type: 'integer', minimum: 1, maximum: 200, description: 'The maximum number of changes in the response.', default: 50 },
    },
    verbs: [{ words: 'changes', short: 'Lists the changes that were made through the control API, the newest first.', rename: { entity: 'entity <name>', before: 'before <id>' }, hints: { entity: 'only changes to this entity (alias or id)', before: 'only changes before the change with this id', limit: 'the maximum number of changes, up to 200' }, columns: { TIME: '{at}', ACTOR: '{actor}', ACTION: '{action}', COLLECTION: '{collection}', ALIAS: '{alias}' }, empty: 'No change matches.', examples: ['xpk changes --entity ada'] }],
  },
  findNames: {
    method: 'post',
    path: '/_control/names',
    hasBody: true,
    summary: 'Returns the names of the entities that a text mentions, or of the entities that a search finds.',
    fields: {
      text: { in: 'body', type: 'string', description: 'A text that contains ids, or collections with aliases, such as `users/ada`.' },
      search: { in: 'body', type: 'string', description: 'A part of an id, alias or name, in any letter case. If it is set, `text` is ignored.' },
      collections: { in: 'body', type: 'array', items: { type: 'string', enum: ['providers', 'experiences', 'accounts', 'telephoneNumbers', 'users', 'principals', 'clients', 'assignments', 'connections', 'subscriptions'] }, description: 'The collections to search. Default: all.' },
      limit: { in: 'body', type: 'integer', minimum: 1, maximum: 100, description: 'The maximum number of entities of each collection that the search finds.', default: 20 },
    },
    verbs: [],
    none: 'xpk state get shows an entity by its id, with its names.',
  },
  reset: {
    method: 'post',
    path: '/_control/reset',
    hasBody: true,
    summary: 'Restores a snapshot, an empty world, or the world with which the kit was started. Delivery modes are part of the restored state. Removes all faults, and empties the journal. Does not change settings or snapshots.',
    fields: {
      to: { in: 'body', type: 'string', pattern: '^[a-z0-9][a-z0-9-]{0,62}$', description: 'seed, empty, or the name of a snapshot.', default: 'seed' },
    },
    verbs: [{ words: 'reset', short: 'Resets a running kit to the world it was started with, to an empty world, or to a snapshot. Removes all faults. xpk reset without an argument adds the scenario\'s faults again.', args: ['[to]'], hints: { to: 'seed, empty, or the name of a snapshot' }, says: 'The world is now {world}: {entities:counts}.', examples: ['xpk reset', 'xpk reset empty', 'xpk reset before-checkout'] }, { words: 'snapshot load', short: 'Restores a snapshot\'s state, including kit time. Removes all faults.', args: ['<name>'], rename: { to: 'name' }, hints: { to: 'lower-case letters, digits and hyphens, such as before-checkout' }, says: 'The world is now {world}: {entities:counts}.', examples: ['xpk snapshot load before-checkout'] }],
  },
  listUndoable: {
    method: 'get',
    path: '/_control/undo',
    hasBody: false,
    summary: 'Returns the changes that can be undone, newest first.',
    fields: {
    },
    verbs: [{ words: 'undo list', short: 'Lists the changes that xpk undo can undo, one after the other, the newest first.', columns: { TIME: '{at}', CHANGE: '{request}' }, empty: 'There is no change to undo.', examples: ['xpk undo list'] }],
  },
  undo: {
    method: 'post',
    path: '/_control/undo',
    hasBody: false,
    summary: 'Undoes the last change to the world.',
    fields: {
      change: { in: 'query', type: 'string', description: 'The id of the change, from the list of the changes or from the header `Xpk-Change` of the response that made it. If it is not the newest change, nothing is undone.' },
    },
    verbs: [{ words: 'undo', hints: { change: 'an id from xpk undo list --json: refuses if it is not the newest change' }, short: 'Undoes the last change that xpk or the console made to the world. Refuses if something else changed the world since.', says: 'Undid {undone.request}. The world is now {world}: {entities:counts}.', examples: ['xpk undo', 'xpk undo list'] }],
  },
  listSnapshots: {
    method: 'get',
    path: '/_control/snapshots',
    hasBody: false,
    summary: 'Returns the saved snapshots, ordered by name.',
    fields: {
    },
    verbs: [{ words: 'snapshot list', short: 'Lists the snapshots.', columns: ['{name}', '{savedAt}', '{world}: {entities:counts}'], empty: 'There are no snapshots. Save one with: xpk snapshot save NAME', examples: ['xpk snapshot list --json'] }],
  },
  saveSnapshot: {
    method: 'put',
    path: '/_control/snapshots/{name}',
    hasBody: false,
    summary: 'Saves the whole state as a snapshot: entities, clock, codes and refresh tokens, events and deliveries. Replaces an existing snapshot of this name.',
    fields: {
      name: { in: 'path', isRequired: true, type: 'string', pattern: '^[a-z0-9][a-z0-9-]{0,62}$' },
    },
    verbs: [{ words: 'snapshot save', short: 'Saves the state as a snapshot. Replaces an existing snapshot with the same name.', args: ['<name>'], hints: { name: 'lower-case letters, digits and hyphens, such as before-checkout' }, says: 'Saved {name}, a snapshot of the world {world}: {entities:counts}.', examples: ['xpk snapshot save before-checkout'] }],
  },
  deleteSnapshot: {
    method: 'delete',
    path: '/_control/snapshots/{name}',
    hasBody: false,
    summary: 'Deletes a snapshot. Does not change the current state.',
    fields: {
      name: { in: 'path', isRequired: true, type: 'string', pattern: '^[a-z0-9][a-z0-9-]{0,62}$' },
    },
    verbs: [{ words: 'snapshot delete', short: 'Deletes a snapshot. Does not change the kit\'s state.', args: ['<name>'], hints: { name: 'lower-case letters, digits and hyphens, such as before-checkout' }, result: 'deleted', says: 'Deleted the snapshot {name}.', examples: ['xpk snapshot delete before-checkout'] }],
  },
  readClock: {
    method: 'get',
    path: '/_control/clock',
    hasBody: false,
    summary: 'Returns kit time.',
    fields: {
    },
    verbs: [{ words: 'clock show', default: true, short: 'Shows kit time, like xpk clock without a subcommand.', says: '{now}, [{offsetMs:duration} ahead of wall time|the same as wall time]', examples: ['xpk clock', 'xpk clock show --json'] }],
  },
  advanceClock: {
    method: 'post',
    path: '/_control/clock/advance',
    hasBody: true,
    summary: 'Moves kit time forward. Tokens expire, rate limit windows end, the users list shows earlier writes, and deliveries are repeated, as if this time had passed.',
    fields: {
      by: { in: 'body', isRequired: true, type: 'string', pattern: '^(\\d+(ms|s|m|h|d))+$' },
      maxWaitMs: { in: 'body', type: 'integer', minimum: 0, maximum: 240000, description: 'The longest time, in milliseconds of wall time, to wait for the delivery attempts that become due. If the attempts take longer, kit time moves to the requested time without waiting for them.', default: 30000 },
    },
    verbs: [{ words: 'clock advance', short: 'Moves kit time forward by at most a year. xpk reset sets kit time back to wall time.', args: ['<duration>'], rename: { by: 'duration', maxWaitMs: 'max-wait' }, durations: ['maxWaitMs'], hints: { by: 'a number and a unit (ms, s, m, h, d), such as 1h30m', maxWaitMs: 'the maximum wall time to wait for delivery attempts that become due, at most 4m' }, examples: ['xpk clock advance 1h'] }],
  },
  listDeliveries: {
    method: 'get',
    path: '/_control/deliveries',
    hasBody: false,
    summary: 'Returns the deliveries in all states, newest first, or only the pending deliveries, ordered by due time.',
    fields: {
      subscription: { in: 'query', type: 'string', description: 'The alias or id of a subscription.' },
      type: { in: 'query', type: 'string', description: 'The type of the events. `raw` selects the payloads without a documented event type.' },
      state: { in: 'query', type: 'string', enum: ['pending', 'acknowledged', 'exhausted', 'held'], description: 'pending: the delivery is being sent or will be sent; acknowledged: the response was a 2xx; exhausted: the schedule has no further attempt; held: the delivery is sent only after it is released.' },
      order: { in: 'query', type: 'string', enum: ['newest-first', 'due-first'], description: 'With due-first, the response contains only pending deliveries.', default: 'newest-first' },
      limit: { in: 'query', type: 'integer', minimum: 1, maximum: 1000, description: 'The maximum number of entries in the response.', default: 100 },
    },
    verbs: [{ words: 'deliveries', short: 'Lists a running kit\'s deliveries, the newest first. With an id, shows the delivery with its envelope and its attempts.', rename: { subscription: 'subscription <name>', limit: 'limit <count>' }, hints: { subscription: 'only deliveries to this subscription (alias or id)', type: 'only events of this type; raw selects payloads without a known type, sent with xpk trigger raw', state: 'only deliveries in this state', order: 'newest-first, or due-first for pending deliveries only', limit: 'the maximum number of deliveries, up to 1000' }, columns: { TIME: '{createdAt}', STATE: '{state}', ATTEMPTS: '{attempts}', TYPE: '{type}', SUBSCRIPTION: '{subscription|subscriptionId}', 'NEXT ATTEMPT': '{nextAttemptAt|\'-\'}', ID: '{id}' }, empty: 'No delivery matches. Cause an event with: xpk trigger TYPE', examples: ['xpk deliveries --state exhausted', 'xpk deliveries --subscription mine --limit 5'] }],
  },
  waitForDeliveries: {
    method: 'post',
    path: '/_control/deliveries/wait',
    hasBody: true,
    summary: 'Waits until the requested number of deliveries is in the requested state, so that a test need not sleep.',
    fields: {
      subscription: { in: 'body', type: 'string', description: 'The alias or id of the subscription.' },
      type: { in: 'body', type: 'string' },
      entityId: { in: 'body', type: 'string' },
      state: { in: 'body', type: 'string', enum: ['pending', 'acknowledged', 'exhausted', 'held'], description: 'pending: the delivery is being sent or will be sent; acknowledged: the response was a 2xx; exhausted: the schedule has no further attempt; held: the delivery is sent only after it is released.', default: 'acknowledged' },
      since: { in: 'body', type: 'string', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$', description: 'Selects the deliveries that were created after the delivery with this id, or after this position (from GET /_control/clock). Read the position before the action that causes the event. If absent, deliveries from before this request match, too.' },
      count: { in: 'body', type: 'integer', minimum: 1, maximum: 1000, default: 1 },
      timeoutMs: { in: 'body', type: 'integer', minimum: 0, maximum: 60000, description: 'The longest time to wait, in milliseconds of wall time.', default: 5000 },
    },
    verbs: [{ words: 'wait', short: 'Waits until --count deliveries match the options, and prints these deliveries. Without --since, deliveries from before the command also count. Without --subscription, deliveries to every subscription count, including those of the demo world. Exits with 1 if --timeout passes first.', rename: { subscription: 'subscription <name>', entityId: 'entity <id>', since: 'since <position>', count: 'count <count>', timeoutMs: 'timeout' }, durations: ['timeoutMs'], defaults: { timeoutMs: 10000 }, hints: { subscription: 'only deliveries to this subscription (alias or id)', type: 'only events of this type; raw selects payloads without a known type, sent with xpk trigger raw', state: 'the state to wait for', entityId: 'only events about this connection, assignment or user', since: 'only deliveries created after this position (from xpk clock --json), or after the delivery with this id', count: 'the minimum number of deliveries', timeoutMs: 'the maximum wall time to wait, at most 60s' }, columns: 'listDeliveries', examples: ['xpk wait --type experience.assignment.created --subscription mine --timeout 5s', 'since=$(xpk clock --json | jq -r .position); npm run my-client; xpk wait --since "$since" --count 2'] }],
  },
  readDelivery: {
    method: 'get',
    path: '/_control/deliveries/{deliveryId}',
    hasBody: false,
    summary: 'Returns a delivery with its content and every attempt to send it.',
    fields: {
      deliveryId: { in: 'path', isRequired: true, type: 'string' },
    },
    verbs: [{ words: 'deliveries', when: 'id', args: ['[id]'], rename: { deliveryId: 'id' }, hints: { deliveryId: 'the id of a delivery to show with its envelope and its attempts' }, columns: 'listDeliveries' }],
  },
  redeliver: {
    method: 'post',
    path: '/_control/deliveries/{deliveryId}/redeliver',
    hasBody: false,
    summary: 'Repeats a delivery immediately, whatever its state. The real service is also allowed to repeat any delivery.',
    fields: {
      deliveryId: { in: 'path', isRequired: true, type: 'string' },
    },
    verbs: [{ words: 'redeliver', short: 'Sends a delivery again immediately, whatever its state.', args: ['<id>'], rename: { deliveryId: 'id' }, hints: { deliveryId: 'the delivery\'s id, as shown by xpk deliveries' }, says: 'Sending {type} to {subscription|subscriptionId} again; xpk deliveries {deliveryId} shows the result.', examples: ['xpk redeliver "$(xpk deliveries --state exhausted --json | jq -r .[0].id)"'] }],
  },
  duplicateDelivery: {
    method: 'post',
    path: '/_control/deliveries/{deliveryId}/duplicate',
    hasBody: false,
    summary: 'Immediately sends a delivery once more, with the same webhook-id, and waits for the response.',
    fields: {
      deliveryId: { in: 'path', isRequired: true, type: 'string' },
    },
    verbs: [{ words: 'duplicate', short: 'Sends a delivery once more with the same webhook-id, and waits for the response. Does not count as an attempt.', args: ['<id>'], rename: { deliveryId: 'id' }, hints: { deliveryId: 'the delivery\'s id, as shown by xpk deliveries' }, says: 'Sent the delivery once more: [{status}|{error}], {durationMs} ms.', examples: ['xpk duplicate "$(xpk deliveries --json | jq -r .[0].id)"'] }],
  },
  listSubscriptions: {
    method: 'get',
    path: '/_control/subscriptions',
    hasBody: false,
    summary: 'Returns the subscriptions by alias, with their destinations and the number of deliveries in each state.',
    fields: {
    },
    verbs: [{ words: 'subscriptions', short: 'Lists a running kit\'s subscriptions: provider, Experience, destination, event types, deliveries by state, and delivery mode.', empty: 'There are no subscriptions. Add one with: xpk subscribe URL', examples: ['xpk subscriptions', 'xpk subscriptions --json'] }],
  },
  createSubscription: {
    method: 'post',
    path: '/_control/subscriptions',
    hasBody: true,
    summary: 'Creates a subscription. For the real service, the platform operator does this on request. Has the same effect as creating an entity in state/subscriptions.',
    fields: {
      id: { in: 'body', type: 'string', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', description: 'The subscription\'s id. Default: a new id.' },
      alias: { in: 'body', type: 'string', pattern: '^[^\\u0000-\\u001f]+$', description: 'The subscription\'s alias. Default: its id.' },
      provider: { in: 'body', type: 'string', description: 'The alias or id of the provider. Default: the Experience\'s provider, or the provider of the client in the world\'s first ready-made token, or the only provider in the world.' },
      experience: { in: 'body', type: 'string', description: 'The alias or id of the Experience. Default: every Experience of the provider.' },
      types: { in: 'body', type: 'array', items: { type: 'string', enum: ['experience.connection.created', 'experience.connection.activated', 'experience.connection.deactivated', 'experience.connection.deleted', 'experience.assignment.created', 'experience.assignment.deleted', 'provisioning.user.created', 'provisioning.user.deleted'] }, description: 'The event types. Default: all.' },
      destinationUrl: { in: 'body', type: 'string', pattern: '^https?://[^\\s/?#@]+([/?][^\\s#]*)?$', description: 'The URL to which events are delivered. Default: the kit\'s inbox.' },
      secret: { in: 'body', type: 'string', pattern: '^whsec_([A-Za-z0-9+/]{4}){8,20}([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4}([A-Za-z0-9+/]{2}==)?)?$', description: 'A signing secret is whsec_ followed by 24 to 64 bytes in base64, as Standard Webhooks defines it. By default, derived from the subscription\'s id.' },
      mode: { in: 'body', type: 'object', properties: { duplicate: { type: 'integer', minimum: 1, maximum: 10, description: 'The number of duplicates to send immediately after each delivery is acknowledged. The responses to duplicates are ignored.' }, reorder: { type: 'object', properties: { window: { type: 'integer', minimum: 1, maximum: 31536000000, description: 'The length of the window, in milliseconds of kit time.' } }, required: ['window'], description: 'Shuffles first attempts. An event opens a window. Deliveries that are created in the window\'s first half are sent at random times in its second half.' }, delay: { type: 'integer', minimum: 1, maximum: 31536000000, description: 'The delay of first attempts, in milliseconds of kit time.' }, dropAcknowledgement: { type: 'integer', minimum: 1, maximum: 10, description: 'For each delivery, the number of acknowledgements to treat as lost. After a lost acknowledgement, the delivery is repeated unless the retry schedule has ended.' }, hold: { type: 'boolean', const: true, description: 'First attempts are held until they are released.' }, seed: { type: 'integer', minimum: 0, maximum: 9007199254740991, description: 'The seed for reorder. With the same seed, the same events are sent in the same order each time the mode is set or the world is loaded.', default: 0 } }, description: 'The delivery mode. Default: none.' },
    },
    verbs: [{ words: 'subscribe', short: 'Creates a subscription to a provider\'s future events.', args: ['[destination]'], rename: { destinationUrl: 'destination', provider: 'provider <name>', experience: 'experience <name>', types: 'types <types>', id: 'id <id>', alias: 'alias <name>', secret: 'secret <secret>' }, without: { mode: 'xpk mode sets the delivery mode.' }, hints: { destinationUrl: 'the URL to deliver to, such as http://127.0.0.1:3000/webhook; default: the inbox (xpk inbox)', provider: 'the provider that subscribes (alias or id); default: the provider of --experience, or of the world\'s first ready-made token', experience: 'only events about this Experience (alias or id)', types: 'event types separated by commas, or all; default: all', id: 'the subscription\'s id; default: a new id', alias: 'a name for the subscription; default: its id', secret: 'signing secret: whsec_ followed by 24 to 64 bytes in base64; default: derived from the id' }, examples: ['xpk subscribe http://127.0.0.1:3000/webhook --provider acme --alias mine', 'xpk subscribe --experience concierge --types experience.assignment.created,experience.assignment.deleted'] }],
  },
  readSubscription: {
    method: 'get',
    path: '/_control/subscriptions/{subscriptionId}',
    hasBody: false,
    summary: 'Returns a subscription.',
    fields: {
      subscriptionId: { in: 'path', isRequired: true, type: 'string', description: 'The alias or id of the subscription.' },
    },
    verbs: [{ words: 'subscriptions', when: 'name', args: ['[name]'], rename: { subscriptionId: 'name' }, hints: { subscriptionId: 'the alias or id of a subscription to show' } }],
  },
  deleteSubscription: {
    method: 'delete',
    path: '/_control/subscriptions/{subscriptionId}',
    hasBody: false,
    summary: 'Deletes the subscription. Deliveries that are still pending are not sent.',
    fields: {
      subscriptionId: { in: 'path', isRequired: true, type: 'string', description: 'The alias or id of the subscription.' },
    },
    verbs: [{ words: 'unsubscribe', short: 'Removes a subscription. Its pending deliveries are not sent.', args: ['<name>'], rename: { subscriptionId: 'name' }, hints: { subscriptionId: 'alias or id, as shown by xpk subscriptions' }, result: 'unsubscribed', says: 'Unsubscribed {subscriptionId}.', examples: ['xpk unsubscribe mine'] }],
  },
  patchSubscription: {
    method: 'patch',
    path: '/_control/subscriptions/{subscriptionId}',
    hasBody: true,
    summary: 'Changes the given members. The value null removes a member. The change applies to later events and deliveries.',
    fields: {
      subscriptionId: { in: 'path', isRequired: true, type: 'string', description: 'The alias or id of the subscription.' },
      experience: { in: 'body', type: 'string', description: 'The alias or id of the Experience. Null: every Experience of the provider.' },
      types: { in: 'body', type: 'array', items: { type: 'string', enum: ['experience.connection.created', 'experience.connection.activated', 'experience.connection.deactivated', 'experience.connection.deleted', 'experience.assignment.created', 'experience.assignment.deleted', 'provisioning.user.created', 'provisioning.user.deleted'] } },
      destinationUrl: { in: 'body', type: 'string', pattern: '^https?://[^\\s/?#@]+([/?][^\\s#]*)?$', description: 'An http or https URL in ASCII, without a user name, password or fragment, such as https://provider.example.com/events.' },
      secret: { in: 'body', type: 'string', pattern: '^whsec_([A-Za-z0-9+/]{4}){8,20}([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4}([A-Za-z0-9+/]{2}==)?)?$', description: 'The signing secret. Null restores the default.' },
      mode: { in: 'body', type: 'object', properties: { duplicate: { type: 'integer', minimum: 1, maximum: 10, description: 'The number of duplicates to send immediately after each delivery is acknowledged. The responses to duplicates are ignored.' }, reorder: { type: 'object', properties: { window: { type: 'integer', minimum: 1, maximum: 31536000000, description: 'The length of the window, in milliseconds of kit time.' } }, required: ['window'], description: 'Shuffles first attempts. An event opens a window. Deliveries that are created in the window\'s first half are sent at random times in its second half.' }, delay: { type: 'integer', minimum: 1, maximum: 31536000000, description: 'The delay of first attempts, in milliseconds of kit time.' }, dropAcknowledgement: { type: 'integer', minimum: 1, maximum: 10, description: 'For each delivery, the number of acknowledgements to treat as lost. After a lost acknowledgement, the delivery is repeated unless the retry schedule has ended.' }, hold: { type: 'boolean', const: true, description: 'First attempts are held until they are released.' }, seed: { type: 'integer', minimum: 0, maximum: 9007199254740991, description: 'The seed for reorder. With the same seed, the same events are sent in the same order each time the mode is set or the world is loaded.', default: 0 } }, description: 'The delivery mode. Null removes it.' },
    },
    verbs: [],
    none: 'xpk state set subscriptions NAME changes the same members.',
  },
  listen: {
    method: 'get',
    path: '/_control/subscriptions/{subscriptionId}/listen',
    hasBody: false,
    summary: 'Streams the deliveries of a subscription as server-sent events, instead of sending them to its destination.',
    fields: {
      subscriptionId: { in: 'path', isRequired: true, type: 'string', description: 'The alias or id of the subscription or, at a proxy, the name of the receiver.' },
    },
    verbs: [{ words: 'listen', hand: true, rename: { subscriptionId: 'subscription' } }],
  },
  answerDelivery: {
    method: 'post',
    path: '/_control/subscriptions/{subscriptionId}/listen/{attemptId}',
    hasBody: true,
    summary: 'Answers a delivery from the stream of a subscription. Has no effect if the attempt has ended, for example because of a timeout.',
    fields: {
      subscriptionId: { in: 'path', isRequired: true, type: 'string', description: 'The alias or id of the subscription or, at a proxy, the name of the receiver.' },
      attemptId: { in: 'path', isRequired: true, type: 'string', description: 'The attemptId of the message.' },
      status: { in: 'body', type: 'integer', minimum: 200, maximum: 999 },
      retryAfter: { in: 'body', type: 'string', pattern: '^[ -~]*$', description: 'The value of the header Retry-After.' },
      error: { in: 'body', type: 'string' },
    },
    verbs: [],
    none: 'xpk listen sends the answer of the local endpoint.',
  },
  recover: {
    method: 'post',
    path: '/_control/subscriptions/{subscriptionId}/recover',
    hasBody: true,
    summary: 'Repeats the deliveries that were created for a subscription since an instant: all deliveries, or only those that were not acknowledged.',
    fields: {
      subscriptionId: { in: 'path', isRequired: true, type: 'string', description: 'The alias or id of the subscription.' },
      since: { in: 'body', isRequired: true, type: 'string', description: 'The deliveries that were created at or after this instant of kit time are repeated.' },
      acknowledged: { in: 'body', type: 'boolean', description: 'Whether acknowledged deliveries are also repeated.' },
    },
    verbs: [{ words: 'recover', short: 'Sends a subscription\'s unacknowledged deliveries again, if they were created at --since or later.', args: ['<subscription>'], rename: { subscriptionId: 'subscription', since: 'since <instant>' }, hints: { subscriptionId: 'alias or id, as shown by xpk subscriptions', since: 'kit time, such as 2026-03-01T09:30:00Z', acknowledged: 'also send acknowledged deliveries again' }, says: '[Sending {deliveries:plural delivery deliveries} again.|No delivery since {since} needs to be sent again.]', examples: ['xpk recover mine --since 2026-03-01T09:30:00Z'] }],
  },
  readDeliveryMode: {
    method: 'get',
    path: '/_control/subscriptions/{subscriptionId}/delivery-mode',
    hasBody: false,
    summary: 'Returns a subscription\'s delivery mode and the number of held deliveries.',
    fields: {
      subscriptionId: { in: 'path', isRequired: true, type: 'string', description: 'The alias or id of the subscription.' },
    },
    verbs: [{ words: 'mode', short: 'Shows or sets a subscription\'s delivery mode. The mode makes deliveries fail on purpose. Options that are not given are off. xpk reset restores the delivery modes that the world started with.', args: ['<subscription>'], rename: { subscriptionId: 'subscription' }, hints: { subscriptionId: 'alias or id, as xpk subscriptions shows it' }, examples: ['xpk mode mine --duplicate 1 --drop-acknowledgement 1', 'xpk mode mine --reorder 10s --seed 7', 'xpk mode mine --none'] }],
  },
  setDeliveryMode: {
    method: 'put',
    path: '/_control/subscriptions/{subscriptionId}/delivery-mode',
    hasBody: true,
    summary: 'Sets a subscription\'s delivery mode. The mode makes deliveries fail on purpose, in ways that are also possible with the real service. Resets, snapshots and dumps include the mode, because it is part of the world.',
    fields: {
      subscriptionId: { in: 'path', isRequired: true, type: 'string', description: 'The alias or id of the subscription.' },
      duplicate: { in: 'body', type: 'integer', minimum: 1, maximum: 10, description: 'The number of duplicates to send immediately after each delivery is acknowledged. The responses to duplicates are ignored.' },
      reorder: { in: 'body', type: 'object', properties: { window: { type: 'integer', minimum: 1, maximum: 31536000000, description: 'The length of the window, in milliseconds of kit time.' } }, required: ['window'], description: 'Shuffles first attempts. An event opens a window. Deliveries that are created in the window\'s first half are sent at random times in its second half.' },
      delay: { in: 'body', type: 'integer', minimum: 1, maximum: 31536000000, description: 'The delay of first attempts, in milliseconds of kit time.' },
      dropAcknowledgement: { in: 'body', type: 'integer', minimum: 1, maximum: 10, description: 'For each delivery, the number of acknowledgements to treat as lost. After a lost acknowledgement, the delivery is repeated unless the retry schedule has ended.' },
      hold: { in: 'body', type: 'boolean', const: true, description: 'First attempts are held until they are released.' },
      seed: { in: 'body', type: 'integer', minimum: 0, maximum: 9007199254740991, description: 'The seed for reorder. With the same seed, the same events are sent in the same order each time the mode is set or the world is loaded.', default: 0 },
    },
    verbs: [{ words: 'mode', when: ['duplicate', 'reorder', 'delay', 'dropAcknowledgement', 'hold', 'seed'], args: ['<subscription>'], rename: { subscriptionId: 'subscription', duplicate: 'duplicate <count>', dropAcknowledgement: 'drop-acknowledgement <count>', seed: 'seed <number>' }, durations: ['reorder', 'delay'], hints: { duplicate: 'how many times to repeat each acknowledged delivery, at most 10', reorder: 'send first attempts in random order within time windows, such as 10s of kit time', delay: 'delay first attempts by this duration, in kit time', dropAcknowledgement: 'how many acknowledgements of each delivery to treat as lost, at most 10', hold: 'hold first attempts until xpk release sends them', seed: 'the seed for --reorder' } }],
  },
  removeDeliveryMode: {
    method: 'delete',
    path: '/_control/subscriptions/{subscriptionId}/delivery-mode',
    hasBody: false,
    summary: 'Removes the delivery mode. Held deliveries remain held.',
    fields: {
      subscriptionId: { in: 'path', isRequired: true, type: 'string', description: 'The alias or id of the subscription.' },
    },
    verbs: [{ words: 'mode', when: 'none', args: ['<subscription>'], rename: { subscriptionId: 'subscription' }, hints: { none: 'remove the delivery mode; held deliveries stay held' }, then: 'readDeliveryMode' }],
  },
  releaseDeliveries: {
    method: 'post',
    path: '/_control/subscriptions/{subscriptionId}/release',
    hasBody: true,
    summary: 'Sends the held deliveries one after another in the requested order. Each delivery is sent when the previous delivery\'s first attempt has ended.',
    fields: {
      subscriptionId: { in: 'path', isRequired: true, type: 'string', description: 'The alias or id of the subscription.' },
      order: { in: 'body', type: 'string', enum: ['oldest-first', 'newest-first'] },
      count: { in: 'body', type: 'integer', minimum: 1, description: 'The maximum number of deliveries to release. Default: all.' },
      maxWaitMs: { in: 'body', type: 'integer', minimum: 0, maximum: 60000, description: 'The longest time, in milliseconds of wall time, for sending all these deliveries. Deliveries that are not sent within this time remain held.', default: 30000 },
    },
    verbs: [{ words: 'release', short: 'Sends a subscription\'s held deliveries in sequence. Each delivery is sent after the previous delivery\'s first attempt has ended.', args: ['<subscription>', '[delivery...]'], rename: { subscriptionId: 'subscription', order: ['order', 'delivery'], count: 'count <count>', maxWaitMs: 'max-wait' }, durations: ['maxWaitMs'], hints: { subscriptionId: 'alias or id, as xpk subscriptions shows it', delivery: 'the held deliveries to send, in this order; default: all held deliveries', order: 'the order in which to send all held deliveries; default: oldest-first', count: 'the maximum number of deliveries to send', maxWaitMs: 'the maximum wall time for all deliveries, at most 60s; default: 30s; deliveries that are not sent in this time stay held' }, columns: 'listDeliveries', examples: ['xpk release mine --order newest-first', 'xpk deliveries --subscription mine --state held'] }],
  },
  readInbox: {
    method: 'get',
    path: '/_control/inbox',
    hasBody: false,
    summary: 'Returns the deliveries to subscriptions without a destination, oldest first. The kit keeps the deliveries of the newest 5,000 events. Only the kit has this inbox. The real service delivers only by webhooks.',
    fields: {
      subscription: { in: 'query', type: 'string', description: 'The alias or id of a subscription.' },
    },
    verbs: [{ words: 'inbox', short: 'Shows the headers and bodies of deliveries to subscriptions without a destination, the oldest first.', rename: { subscription: 'subscription <name>' }, hints: { subscription: 'only deliveries to this subscription (alias or id)' }, empty: 'The inbox is empty. It shows deliveries to subscriptions without a destination; xpk deliveries lists all deliveries.', examples: ['xpk inbox --subscription mine', 'xpk inbox --clear'] }],
  },
  emptyInbox: {
    method: 'delete',
    path: '/_control/inbox',
    hasBody: false,
    summary: 'Empties the inbox.',
    fields: {
    },
    verbs: [{ words: 'inbox', when: 'clear', hints: { clear: 'empty the inbox, for all subscriptions' }, result: 'cleared', says: 'The inbox is empty.' }],
  },
  listFaults: {
    method: 'get',
    path: '/_control/faults',
    hasBody: false,
    summary: 'Returns the active faults.',
    fields: {
    },
    verbs: [{ words: 'fault list', short: 'Lists the faults.', empty: 'There are no faults.', examples: ['xpk fault list'] }],
  },
  addFault: {
    method: 'post',
    path: '/_control/faults',
    hasBody: true,
    summary: 'Makes an operation fail on purpose. The fault affects every request, to any replica, that arrives after the response to this call.',
    fields: {
      fault: { in: 'body', isRequired: true, type: 'string', enum: ['problem', 'response', 'latency', 'slow-response', 'connection-reset', 'authorization-service-down', 'altered-state'], description: 'Faults are considered in the order in which they were added. Latencies add up. The first fault that applies and is not a latency determines the response. The faults after it are not considered, so their `times`, `after` and random numbers do not change. `authorization-service-down` is considered after all other faults.\n\n- `problem`: a problem with the given status and the type `/problems/http.injected-fault`, or the problem that the service sends for the given rule.\n- `response`: a response with the given status, headers and body.\n- `latency`: the request is delayed, and then processed as usual.\n- `slow-response`: a request that all checks before the operation have accepted is delayed, and then processed as usual. A request with an Authorization header that a `problem` fault refuses is delayed, too.\n- `connection-reset`: the connection ends without a response. With `times: 1`, a web page does not notice the fault if the browser had reused a\n  connection: the browser silently repeats the request on a new connection. Use `times: 2`, or omit `times` and remove the fault afterwards.\n- `authorization-service-down`: the caller\'s permissions cannot be looked up, so the operations that document 503 return it. A request that is refused without a lookup, because of its token, its scope or a parameter, gets 401, 403 or 400, and is not counted.\n- `altered-state`: the redirect to the client after a login has a valid code, but not the state that the client sent. A correct client rejects the redirect.\n' },
      operation: { in: 'body', type: 'string', description: 'The operation that fails, such as getUser. Default: every operation that documents the fault\'s status. If the fault has no status, or sets `undocumented`, the default is every operation.' },
      match: { in: 'body', type: 'object', additionalProperties: { type: 'string' }, description: 'Selects the requests with these path and query parameters. Members of a request body cannot be matched, because faults apply before the body is read.\n' },
      status: { in: 'body', type: 'integer', minimum: 200, maximum: 599, description: 'The status of a `problem` (at least 400) or of a `response`. The fault affects only operations that document this status.' },
      rule: { in: 'body', type: 'string', description: 'For a `problem`: the rule to name in the problem\'s type instead of `http.injected-fault`, such as connections.delete.numbers-assigned. The rule determines the status. If `operation` is absent, the rule also determines the operations that fail.' },
      undocumented: { in: 'body', type: 'boolean', description: 'Whether the fault may have a status that is not documented for the operation.' },
      headers: { in: 'body', type: 'object', additionalProperties: { type: 'string', pattern: '^[\\t\\x20-\\x7E\\x80-\\xFF]*$' }, description: 'The headers of a `response`, whose default content-type is application/json, or text/plain for a body that is a string. For a `problem`: additional headers.' },
      body: { in: 'body', description: 'The response\'s body. A string is sent unchanged, any other value as JSON.' },
      latencyMs: { in: 'body', type: 'integer', minimum: 0, maximum: 600000, description: 'The latency in milliseconds of wall time. With latencyMaxMs, the lower end of a range.' },
      latencyMaxMs: { in: 'body', type: 'integer', minimum: 0, maximum: 600000, description: 'The upper end of the latency range. Each request waits a random time from latencyMs to latencyMaxMs.' },
      probability: { in: 'body', type: 'number', exclusiveMinimum: 0, maximum: 1, description: 'The probability that the fault affects a matching request. Default: 1.' },
      seed: { in: 'body', type: 'integer', minimum: 0, maximum: 4294967295, description: 'The seed of the random numbers for probability and latencyMaxMs. With the same seed, the fault affects the same requests. Default: a random seed.' },
      times: { in: 'body', type: 'integer', minimum: 1, description: 'The maximum number of requests that the fault affects. Default: no limit.' },
      after: { in: 'body', type: 'integer', minimum: 0, description: 'The number of matching requests that the fault skips before it takes effect.', default: 0 },
      like: { in: 'body', type: 'string', description: 'The trace id of a request in the journal. The fault affects the requests to the same operation with the same path and query parameters. Replaces `operation` and `match`.' },
    },
    verbs: [{ words: 'fault add', short: 'Adds a fault.', rename: { like: 'like <traceId>', fault: 'fault <kind>', operation: 'operation <id>', match: 'match <name=value>', status: 'status <status>', rule: 'rule <id>', headers: 'header <name:value>', body: 'body <json|text>', latencyMs: 'latency <ms>', latencyMaxMs: 'latency <ms>', times: 'times <count>', after: 'after <count>' }, hints: { like: 'instead of --operation and --match: only requests like the one with this trace id (xpk logs), to the same operation with the same parameters', fault: 'what happens', operation: 'the operation that fails, such as getUser; by default every operation that documents the status of the fault', match: 'only requests with this path or query parameter; repeatable', status: 'the status for a problem or response', rule: 'the rule whose problem is sent, such as users.get.rate; the rule determines the status', undocumented: 'allow a status that is not documented for the operation', headers: 'a response header; repeatable', body: 'the response body, JSON or any other text; @file reads it from a file', latencyMs: 'milliseconds of wall time, or a range such as 200-2000', probability: 'the probability that a request is hit, from 0 to 1', seed: 'the seed for --probability and a --latency range: the same seed causes the same sequence', times: 'how many requests the fault hits; no limit by default', after: 'how many matching requests are unaffected before the first affected request' }, help: 'Kinds:\n  problem                     a problem with the status from --status, or with the rule from --rule\n  response                    a response with --status, --header and --body\n  latency                     the response is delayed by --latency\n  connection-reset            the connection ends without a response. With --times 1, a page in a browser may not notice\n                              the fault: if the connection was used before, the browser sends the request again on a new one\n  authorization-service-down  permissions cannot be looked up, so requests that need them get a 503\n  altered-state               the redirect after a login has a valid code and a wrong state\n\nFaults apply in the order in which they were added. The first fault that applies, other than a latency, determines the response; later\nfaults ignore the request. Latencies add up.\n', examples: ['xpk fault add --fault problem --status 503 --operation getUser --times 2', 'xpk fault add --fault problem --rule connections.delete.numbers-assigned --times 1', 'xpk fault add --fault problem --status 404 --match assignmentId=$ID', 'xpk fault add --fault response --status 502 --undocumented --header content-type:text/html --body \'<h1>Bad gateway</h1>\'', 'xpk fault add --fault latency --latency 200-2000 --probability 0.2 --seed 1', 'xpk fault add --like $TRACE_ID --fault problem --status 404 --times 1'] }],
  },
  clearFaults: {
    method: 'delete',
    path: '/_control/faults',
    hasBody: false,
    summary: 'Removes all faults.',
    fields: {
    },
    verbs: [{ words: 'fault clear', short: 'Removes all faults, or the fault with the given id.', result: 'cleared', says: 'Removed all faults.', examples: ['xpk fault clear', 'xpk fault clear fault-1'] }],
  },
  removeFault: {
    method: 'delete',
    path: '/_control/faults/{faultId}',
    hasBody: false,
    summary: 'Removes one fault.',
    fields: {
      faultId: { in: 'path', isRequired: true, type: 'string' },
    },
    verbs: [{ words: 'fault clear', when: 'id', args: ['[id]'], rename: { faultId: 'id' }, hints: { faultId: 'the fault\'s id, as shown by xpk fault list' }, result: 'cleared', says: 'Removed {faultId}.' }],
  },
  listRequests: {
    method: 'get',
    path: '/_control/requests',
    hasBody: false,
    summary: 'Returns the journal: the requests to the service and to its authorization server, with their responses, newest first. Replicas share the journal.',
    fields: {
      operation: { in: 'query', type: 'string', description: 'Selects the requests to an operation of the service, or to authorize or token.' },
      status: { in: 'query', type: 'string', pattern: '^[1-5](\\d\\d|[xX]{2})$', description: 'Selects a status, such as 404, or a class of statuses, such as 4xx.' },
      method: { in: 'query', type: 'string', description: 'Selects a method.' },
      path: { in: 'query', type: 'string', description: 'Selects the requests whose path, without the query, matches this pattern. * matches any text.' },
      credential: { in: 'query', type: 'string', description: 'Selects the requests of a client or principal (alias, name or id), or the requests with an access token (fingerprint).' },
      rule: { in: 'query', type: 'string', description: 'Selects the responses whose problem type contains this id. It is the id of a rule, a decision, or one of the kit\'s own reasons, such as connections.get.not-found.' },
      text: { in: 'query', type: 'string', description: 'Selects the entries whose method and path, trace id, headers, bodies, client or principal contain this text, or the id of an entity whose name contains it. The letter case is ignored.' },
      since: { in: 'query', type: 'integer', minimum: 0, description: 'Selects the entries after the entry with this number.' },
      before: { in: 'query', type: 'integer', minimum: 1, description: 'Selects the entries before the entry with this number. For the next page, use the number of the last entry on this page.' },
      limit: { in: 'query', type: 'integer', minimum: 1, maximum: 1000, description: 'The maximum number of entries in the response.', default: 100 },
      view: { in: 'query', type: 'string', enum: ['full', 'summary'], description: 'With summary, the entries omit headers, bodies, `oauth` and `nextCursor`.', default: 'full' },
    },
    verbs: [{ words: 'logs', hand: true, without: { method: 'xpk logs --json prints each method.', path: 'xpk logs --json prints each path.', credential: 'xpk logs --json prints each credential.', rule: 'xpk logs --json prints each problem.', text: 'xpk logs --json prints each header and body.', since: 'xpk logs --follow prints later requests.', before: 'A larger --limit selects earlier requests.', view: 'xpk logs needs the whole entries only for --json.' } }],
  },
  clearRequests: {
    method: 'delete',
    path: '/_control/requests',
    hasBody: false,
    summary: 'Removes all journal entries. The numbering of later entries continues.',
    fields: {
    },
    verbs: [],
    none: 'xpk reset empties the journal.',
  },
  waitForRequest: {
    method: 'post',
    path: '/_control/requests/wait',
    hasBody: true,
    summary: 'Waits for a request, so that a test need not sleep. Without `since`, returns the newest matching request in the journal. With `since`, returns the first matching request after the entry with that number.',
    fields: {
      operation: { in: 'body', type: 'string', description: 'The operationId of an operation of the service, or `authorize` or `token` for the OAuth endpoints.' },
      method: { in: 'body', type: 'string' },
      path: { in: 'body', type: 'string', description: 'A path without its query. * matches any text.' },
      status: { in: 'body', type: 'string', pattern: '^[1-5](\\d\\d|[xX]{2})$' },
      since: { in: 'body', type: 'integer', minimum: 0, description: 'Selects the first matching entry after the entry with this number.' },
      timeoutMs: { in: 'body', type: 'integer', minimum: 0, maximum: 60000, description: 'The longest time to wait, in milliseconds of wall time.', default: 10000 },
    },
    verbs: [{ words: 'wait request', short: 'Waits for a request to the service or to its authorization server, and prints it. Exits with 1 if --timeout passes first.', rename: { operation: 'operation <id>', method: 'method <method>', path: 'path <path>', status: 'status <status>', since: 'since <number>', timeoutMs: 'timeout' }, durations: ['timeoutMs'], hints: { operation: 'only this operation, such as getUser, authorize or token', method: 'only this method', path: 'only this path, without the query; * matches any text', status: 'only this status or class: 404, 4xx', since: 'only requests after the journal entry with this number', timeoutMs: 'the maximum wall time to wait, at most 60s' }, says: '{at}  {method} {path}  {status}  {traceId}', examples: ['xpk wait request --operation getUser --status 4xx --timeout 5s'] }],
  },
  readRequest: {
    method: 'get',
    path: '/_control/requests/{traceId}',
    hasBody: false,
    summary: 'Returns the request with this trace id. If several requests have the same trace id, returns the newest.',
    fields: {
      traceId: { in: 'path', isRequired: true, type: 'string' },
    },
    verbs: [],
    none: 'xpk logs --json prints the request, and xpk explain explains it.',
  },
  listEvents: {
    method: 'get',
    path: '/_control/events',
    hasBody: false,
    summary: 'Returns the published events, newest first, each with its deliveries. Includes custom payloads. The kit keeps the newest 5,000 events, and the pending and held deliveries of older events.',
    fields: {
      type: { in: 'query', type: 'string', description: 'The type of the events. `raw` selects the payloads without a documented event type.' },
      entity: { in: 'query', type: 'string', description: 'The alias or id of the connection, assignment or user that the events are about. If the entity was deleted, use its id.' },
      subscription: { in: 'query', type: 'string', description: 'The alias or id of a subscription.' },
      state: { in: 'query', type: 'string', enum: ['failing', 'pending', 'acknowledged', 'exhausted', 'held'], description: 'Selects the events with a delivery in this state. `failing` selects pending deliveries with a failed attempt.' },
      before: { in: 'query', type: 'string', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$', description: 'Selects the events before the event with this id. For the next page, use the last id on this page.' },
      limit: { in: 'query', type: 'integer', minimum: 1, maximum: 200, description: 'The maximum number of events in the response.', default: 50 },
    },
    verbs: [{ words: 'events', short: 'Lists the published events, the newest first. With an id, shows the event and why each subscription received it or not.', rename: { entity: 'entity <name>', subscription: 'subscription <name>', before: 'before <id>', limit: 'limit <count>' }, hints: { type: 'only events of this type; raw selects payloads without a known type', entity: 'only events about this connection, assignment or user (alias or id)', subscription: 'only events with a delivery to this subscription (alias or id)', state: 'only events with a delivery in this state; failing: pending after a failed attempt', before: 'only events before the event with this id', limit: 'the maximum number of events, up to 200' }, columns: { TIME: '{timestamp}', TYPE: '{type}', ENTITY: '{entityId}', DELIVERIES: '{deliveries.length}', ID: '{id}' }, empty: 'No event matches. Cause an event with: xpk trigger TYPE', examples: ['xpk events --type provisioning.user.created'] }],
  },
  sendRawEvent: {
    method: 'post',
    path: '/_control/events/raw',
    hasBody: true,
    summary: 'Sends a custom payload to a subscription, without a change in the world. The payload is signed, repeated and logged like every delivery.',
    fields: {
      subscription: { in: 'body', isRequired: true, type: 'string', description: 'The alias or id of the subscription.' },
      type: { in: 'body', type: 'string', description: 'The event\'s type. Requires data.' },
      data: { in: 'body', description: 'The event\'s data. The kit adds the envelope.' },
      body: { in: 'body', description: 'The whole body, instead of type and data: a JSON value, or a text that is sent unchanged.' },
      headers: { in: 'body', type: 'object', additionalProperties: { type: 'string', pattern: '^[\\t\\x20-\\x7E\\x80-\\xFF]*$' }, description: 'Additional headers of the delivery. A content-type replaces application/json.' },
      allowInvalid: { in: 'body', type: 'boolean', description: 'Whether the payload may violate the event schemas.' },
    },
    verbs: [{ words: 'trigger raw', short: 'Sends any payload to a subscription. Does not change the world.', rename: { subscription: 'subscription <name>', body: 'body <text>', type: 'type <type>', data: 'data <json>', headers: 'header <name:value>' }, hints: { subscription: 'the subscription (alias or id)', body: 'the complete body; @file reads it from a file', type: 'instead of --body: send an event of this type that contains --data; the kit adds the envelope', data: 'the event data as JSON, with --type; @file reads it from a file', headers: 'a header; repeatable', allowInvalid: 'allow a payload that is not a valid event' }, says: 'Sending the payload to {subscription|subscriptionId}: delivery {id}.', examples: ['xpk trigger raw --subscription mine --body @event.json', 'xpk trigger raw --subscription mine --body "no JSON" --allow-invalid', 'xpk trigger raw --subscription mine --type provisioning.user.deleted --data @user.json'] }],
  },
  readEvent: {
    method: 'get',
    path: '/_control/events/{event}',
    hasBody: false,
    summary: 'Returns an event with its deliveries. For each subscription, explains the delivery\'s state, or why there is no delivery.',
    fields: {
      event: { in: 'path', isRequired: true, type: 'string', description: 'The id of the event.' },
    },
    verbs: [{ words: 'events', when: 'id', args: ['[id]'], rename: { event: 'id' }, hints: { event: 'the id of an event to show' } }],
  },
  triggerEvent: {
    method: 'post',
    path: '/_control/events/{event}',
    hasBody: true,
    summary: 'Causes an event of a type by a change in the world.',
    fields: {
      event: { in: 'path', isRequired: true, type: 'string', enum: ['experience.connection.created', 'experience.connection.activated', 'experience.connection.deactivated', 'experience.connection.deleted', 'experience.assignment.created', 'experience.assignment.deleted', 'provisioning.user.created', 'provisioning.user.deleted'], description: 'The type of the event.' },
      as: { in: 'query', type: 'string', enum: ['portal', 'platform'], description: 'Who makes the change: an end user in the portal, or the platform. The events and the list of changes contain this actor. Some decisions depend on the actor (portal.same-state, portal.delete-with-numbers). Default: the portal for assignments and connections, the platform for other entities.' },
      account: { in: 'body', type: 'string', description: 'The alias or id of the account for the entity. Default: the account that principals can manage.' },
      experience: { in: 'body', type: 'string', description: 'The alias or id of the Experience for the entity. Default: an Experience whose events the subscription receives.' },
      subscription: { in: 'body', type: 'string', description: 'The alias or id of the subscription that must receive the event. Default: the newest subscription that receives the type and has a destination.' },
    },
    verbs: [{ words: 'trigger', short: 'Creates, changes or removes an entity of a running kit, so that the kit publishes an event of the given type.', args: ['<type>'], rename: { event: 'type', account: 'account <name>', experience: 'experience <name>', subscription: 'subscription <name>', as: 'as <actor>' }, hints: { event: 'the event type', account: 'the account for the entity (alias or id)', experience: 'the Experience for the entity (alias or id)', subscription: 'the subscription that must receive the event (alias or id); default: the newest subscription that receives the type and has a destination', as: 'the actor of the change; default: portal for assignments and connections, else platform' }, examples: ['xpk trigger experience.connection.activated --account northwind', 'xpk trigger provisioning.user.created --subscription mine', 'xpk trigger raw --subscription mine --body @event.json'] }],
  },
  checkSignature: {
    method: 'post',
    path: '/_control/signatures/check',
    hasBody: true,
    summary: 'Checks whether a delivery\'s signature matches a secret (Standard Webhooks). If not, explains why.',
    fields: {
      deliveryId: { in: 'body', type: 'string', description: 'The id of a delivery of the kit.' },
      subscription: { in: 'body', type: 'string', description: 'The alias or id of the subscription whose secret is used.' },
      secret: { in: 'body', type: 'string', description: 'The secret to use instead of a subscription\'s secret.' },
      headers: { in: 'body', type: 'object', additionalProperties: { type: 'string' }, description: 'The delivery\'s headers as they were received. Only webhook-id, webhook-timestamp and webhook-signature are used.' },
      body: { in: 'body', type: 'string', description: 'The delivery\'s body as it was received, byte for byte.' },
    },
    verbs: [{ words: 'signature', short: 'Checks whether a delivery\'s signature matches a secret (Standard Webhooks), and explains why not.', rename: { deliveryId: 'delivery <id>', subscription: 'subscription <name>', secret: 'secret <secret>', headers: 'header <name:value>', body: 'body <text>' }, hints: { deliveryId: 'the delivery whose headers and body are checked', subscription: 'the subscription whose secret is used (alias or id)', secret: 'the secret to use instead of the subscription\'s', headers: 'a header as it was received; repeatable', body: 'the body as it was received; @file reads it from a file' }, examples: ['xpk signature --delivery "$(xpk deliveries --json | jq -r .[0].id)"'] }],
  },
  readFindings: {
    method: 'get',
    path: '/_control/findings',
    hasBody: false,
    summary: 'Checks the calls in the journal against the rules for clients, as xpk check client does.',
    fields: {
      since: { in: 'query', type: 'integer', minimum: 0, description: 'Checks only the calls after the journal entry with this number.' },
      lists: { in: 'query', type: 'string', enum: ['whole', 'parts'], description: '`whole`: the client must read every list to the end. `parts`: the client may stop before the end of a list.', default: 'parts' },
    },
    verbs: [{ words: 'check client', hand: true, rename: { lists: 'whole-lists' } }],
  },
  listReports: {
    method: 'get',
    path: '/_control/reports',
    hasBody: false,
    summary: 'Returns the reports that xpk conformance and xpk check have written to the reports folder, and those of the checks that startCheck started, newest first.',
    fields: {
    },
    verbs: [{ words: 'reports', short: 'Lists the reports that xpk conformance and xpk check have written to the kit\'s reports folder, the newest first.', columns: ['{name}', '{startedAt}', '{title}', '{target}'], empty: 'There are no reports.', examples: ['xpk reports'] }],
  },
  readReport: {
    method: 'get',
    path: '/_control/reports/{name}',
    hasBody: false,
    summary: 'Returns a report with its HTML page.',
    fields: {
      name: { in: 'path', isRequired: true, type: 'string', description: 'The name of the report\'s folder, such as conformance-report, or the id of a check.' },
    },
    verbs: [],
    none: 'The HTML page of the report is in its folder, as a file.',
  },
  listChecks: {
    method: 'get',
    path: '/_control/checks',
    hasBody: false,
    summary: 'Returns the running and the latest ended checks that startCheck started, newest first.',
    fields: {
    },
    verbs: [],
    none: 'xpk check webhook and xpk check client run the same checks, with --url in this kit.',
  },
  startCheck: {
    method: 'post',
    path: '/_control/checks',
    hasBody: true,
    summary: 'Starts a check of a webhook endpoint, or of the calls in the journal, as xpk check does with --url.',
    fields: {
      check: { in: 'body', isRequired: true, type: 'string', enum: ['webhook', 'client'] },
      rules: { in: 'body', type: 'array', items: { type: 'string' }, description: 'The ids of the rules to test. Default: all rules of the check.' },
      strict: { in: 'body', type: 'boolean', description: 'Whether implied rules and rules that were not tested in full also make the check fail. Default: false.' },
      url: { in: 'body', type: 'string', description: 'webhook: the endpoint that receives events. Required.' },
      stateUrl: { in: 'body', type: 'string', description: 'webhook: a URL that returns the consumer\'s state as JSON.' },
      restartUrl: { in: 'body', type: 'string', description: 'webhook: a URL that restarts the consumer after a POST request.' },
      loseStoreUrl: { in: 'body', type: 'string', description: 'webhook: a URL that makes the consumer lose and rebuild its store after a POST request.' },
      provider: { in: 'body', type: 'string', description: 'webhook: the provider that owns the endpoint (alias or id). Default: the first provider in the world.' },
      secret: { in: 'body', type: 'string', pattern: '^whsec_([A-Za-z0-9+/]{4}){8,20}([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4}([A-Za-z0-9+/]{2}==)?)?$', description: 'webhook: the secret that signs the deliveries, if the world signs them: whsec_ followed by 24 to 64 bytes in base64. Default: the same in every run.' },
      settleMs: { in: 'body', type: 'integer', minimum: 1, maximum: 600000, description: 'webhook: how long the consumer may take to process an event that it has acknowledged, in milliseconds. Default: 5000.' },
      answerWithinMs: { in: 'body', type: 'integer', minimum: 1, maximum: 600000, description: 'webhook: how long the endpoint may take to respond, in milliseconds. Default: 15000.' },
      timeLimitMs: { in: 'body', type: 'integer', minimum: 1000, maximum: 86400000, description: 'webhook: how long the check may take, in milliseconds. It leaves out what does not fit. Default: 120000.' },
      strictEndpoint: { in: 'body', type: 'boolean', description: 'webhook: whether to test that the URL uses https and port 443, and that its certificate is valid. Default: false.' },
      random: { in: 'body', type: 'integer', minimum: 0, maximum: 10000, description: 'webhook: the number of random sequences to run after the fixed scenarios. Default: 20.' },
      seed: { in: 'body', type: 'integer', minimum: 0, maximum: 2147483647, description: 'webhook: the seed for the random sequences. Default: a random seed.' },
      path: { in: 'body', type: 'string', pattern: '^(no-users:)?\\d+(:\\d+)*$', description: 'webhook: the only random sequence to run, from the report on a failure, with its seed.' },
      since: { in: 'body', type: 'integer', minimum: 0, description: 'client: only calls after the journal entry with this number, or from this kit time on.' },
      wholeLists: { in: 'body', type: 'boolean', description: 'client: whether the client must read every list to the end. Default: false.' },
      oneSession: { in: 'body', type: 'boolean', description: 'client: whether all calls belong to one session. Default: false.' },
    },
    verbs: [],
    none: 'xpk check webhook and xpk check client run the same checks, with --url in this kit.',
  },
  readCheck: {
    method: 'get',
    path: '/_control/checks/{checkId}',
    hasBody: false,
    summary: 'Returns a check. If the check has ended, returns also its results.',
    fields: {
      checkId: { in: 'path', isRequired: true, type: 'string' },
      waitMs: { in: 'query', type: 'integer', minimum: 0, maximum: 240000, description: 'The longest time to wait until the check has ended, in milliseconds of wall time. Default: 0.' },
    },
    verbs: [],
    none: 'xpk check webhook and xpk check client run the same checks, with --url in this kit.',
  },
  stopCheck: {
    method: 'delete',
    path: '/_control/checks/{checkId}',
    hasBody: false,
    summary: 'Stops a check after its current scenario. The results then contain what was tested until this time.',
    fields: {
      checkId: { in: 'path', isRequired: true, type: 'string' },
    },
    verbs: [],
    none: 'xpk check webhook and xpk check client run the same checks, with --url in this kit.',
  },
  streamEverything: {
    method: 'get',
    path: '/_control/stream',
    hasBody: false,
    summary: 'Streams requests, deliveries and events as server-sent events.',
    fields: {
      only: { in: 'query', type: 'string', description: 'The kinds of messages to stream, separated by commas: requests, deliveries, events, checks, journal. Default: all except checks and journal.' },
      'Last-Event-ID': { in: 'header', type: 'string', description: 'The id of the message after which the stream continues.' },
    },
    verbs: [],
    none: 'xpk logs --follow prints requests as they arrive, and xpk wait waits for deliveries.',
  },
  explainEvents: {
    method: 'get',
    path: '/_control/explain',
    hasBody: false,
    summary: 'Explains to which subscriptions the newest events were sent, and why the other subscriptions did not receive them. If no event matches, explains why.',
    fields: {
      type: { in: 'query', type: 'string', description: 'The type of the events. `raw` selects the payloads without a documented event type.' },
      entity: { in: 'query', type: 'string', description: 'The alias or id of the connection, assignment or user that the events are about. If the entity was deleted, use its id.' },
      subscription: { in: 'query', type: 'string', description: 'The alias or id of a subscription.' },
      since: { in: 'query', type: 'string', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$', description: 'Selects the events after this position (from GET /_control/clock). If the value is the id of a delivery, selects the events after its event.' },
    },
    verbs: [{ words: 'explain', hand: true, rename: { type: 'event' } }],
  },
  explain: {
    method: 'get',
    path: '/_control/explain/{traceId}',
    hasBody: false,
    summary: 'Explains why a request got its response. Also returns one change with which the request would have succeeded.',
    fields: {
      traceId: { in: 'path', isRequired: true, type: 'string', description: 'A trace id in any letter case, or the whole value of a `traceparent` header.' },
    },
    verbs: [{ words: 'explain', hand: true, rename: { traceId: 'traceId' } }],
  },
};
