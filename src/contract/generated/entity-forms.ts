// Machine-written by `npm run generate` from openapi/schemas/world.yaml. Do not edit.

import type { components } from './control.ts';

type Collection = components['schemas']['Collection'];

/** An input of a form: a JSON Schema without references and conditions. */
export interface Field {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  readonly enum?: readonly string[];
  readonly const?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Field>>;
  readonly required?: readonly string[];
  readonly items?: Field;
  readonly additionalProperties?: Field;
  readonly description?: string;
  readonly default?: string | number | boolean;
}

/** The entities of a collection. */
export interface EntityForm {
  readonly singular: string;
  /** The default actor of a change. */
  readonly actor: 'portal' | 'platform';
  readonly alias: Field;
  /** The members in the schema's order. */
  readonly members: Readonly<Record<string, Field>>;
  readonly required: readonly string[];
  /** The members that refer to an entity, with that entity's collection. */
  readonly references: Readonly<Record<string, Collection>>;
  /** The member that is a map of levels, and the collection whose entities are the keys. */
  readonly levels?: { readonly member: string; readonly collection: Collection };
  /** Members that cannot change. */
  readonly fixed: readonly string[];
  /** Members that the service sets. */
  readonly generated: readonly string[];
}

export const entityForms: Readonly<Record<Collection, EntityForm>> = {
  providers: {
    singular: 'provider',
    actor: 'platform',
    alias: {
      type: 'string',
    },
    members: {
      id: { type: 'string', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', description: 'A UUID in lower case. By default, derived from the world and the alias.' },
      name: { type: 'string' },
    },
    required: ['name'],
    references: {
    },
    fixed: ['id'],
    generated: [],
  },
  experiences: {
    singular: 'experience',
    actor: 'platform',
    alias: {
      type: 'string',
    },
    members: {
      id: { type: 'string', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', description: 'A UUID in lower case. By default, derived from the world and the alias.' },
      provider: { type: 'string', pattern: '^[^\\u0000-\\u001f]+$', description: 'The provider that owns the Experience.' },
      name: { type: 'string' },
      type: { type: 'string', enum: ['AGENT', 'GENERAL'], default: 'GENERAL' },
      levels: { type: 'object', additionalProperties: { type: 'string', enum: ['none', 'read', 'manage'] }, description: 'The providers\' access levels on the Experience. The owner has the level manage unless another level is set.' },
    },
    required: ['provider', 'name'],
    references: {
      provider: 'providers',
    },
    levels: {
      member: 'levels',
      collection: 'providers',
    },
    fixed: ['id', 'provider', 'type'],
    generated: [],
  },
  accounts: {
    singular: 'account',
    actor: 'platform',
    alias: {
      type: 'string',
    },
    members: {
      id: { type: 'string', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', description: 'A UUID in lower case. By default, derived from the world and the alias.' },
      name: { type: 'string' },
    },
    required: ['name'],
    references: {
    },
    fixed: ['id'],
    generated: [],
  },
  telephoneNumbers: {
    singular: 'telephone number',
    actor: 'platform',
    alias: {
      type: 'string',
      description: 'A telephone number has the form +12065550100.',
    },
    members: {
      account: { type: 'string', pattern: '^[^\\u0000-\\u001f]+$', description: 'The account that owns the number.' },
    },
    required: ['account'],
    references: {
      account: 'accounts',
    },
    fixed: ['account'],
    generated: [],
  },
  users: {
    singular: 'user',
    actor: 'platform',
    alias: {
      type: 'string',
    },
    members: {
      id: { type: 'string', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', description: 'A UUID in lower case. By default, derived from the world and the alias.' },
      account: { type: 'string', pattern: '^[^\\u0000-\\u001f]+$' },
      firstName: { type: 'string' },
      lastName: { type: 'string' },
      createdAt: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$', description: 'An instant must be in ISO 8601, in UTC, with milliseconds, such as 2026-01-01T00:00:00.000Z.' },
      updatedAt: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$', description: 'The time of the last update; null if the user was never updated.' },
      nativeIds: { type: 'array', items: { type: 'object', properties: { style: { type: 'string', enum: ['base62', 'legacy-numeric', 'unsupported'] }, id: { type: 'string' } }, required: ['style', 'id'], description: 'The user\'s id in the user\'s native infrastructure. A lookup by an id in the `unsupported` style never finds the user.' } },
    },
    required: ['account'],
    references: {
      account: 'accounts',
    },
    fixed: ['id', 'account', 'createdAt', 'updatedAt'],
    generated: ['createdAt', 'updatedAt'],
  },
  principals: {
    singular: 'principal',
    actor: 'platform',
    alias: {
      type: 'string',
    },
    members: {
      id: { type: 'string', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', description: 'A UUID in lower case. By default, derived from the world and the alias.' },
      name: { type: 'string' },
      telephoneNumber: { type: 'string', pattern: '^\\+[1-9]\\d{1,14}$', description: 'The telephone number, in E.164, with which the person logs in. A login_hint with this number selects this person.' },
      consent: { type: 'string', enum: ['gives', 'declines'], description: 'The person\'s answer to an authorization request with --login auto.', default: 'gives' },
      accounts: { type: 'object', additionalProperties: { type: 'string', enum: ['none', 'read', 'manage'] }, description: 'The person\'s access levels on accounts. The default level is none.' },
    },
    required: ['name'],
    references: {
    },
    levels: {
      member: 'accounts',
      collection: 'accounts',
    },
    fixed: ['id'],
    generated: [],
  },
  clients: {
    singular: 'client',
    actor: 'platform',
    alias: {
      type: 'string',
    },
    members: {
      id: { type: 'string', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', description: 'A UUID in lower case. By default, derived from the world and the alias.' },
      provider: { type: 'string', pattern: '^[^\\u0000-\\u001f]+$' },
      name: { type: 'string' },
      secret: { type: 'string', pattern: '^[\\u0020-\\u007e]+$', description: 'The client_secret, in printable ASCII.' },
      publicKey: { type: 'object', description: 'The public key (JWK) for client authentication with a signed assertion.' },
      redirectUris: { type: 'array', items: { type: 'string' }, description: 'The URIs to which the authorization server may send a code. They are compared character by character.' },
      login: { type: 'string', enum: ['page', 'auto', 'deny'], description: 'Who answers this client\'s authorization requests: a person at the login page, the fixtures, or nobody (always denied). Default: the `--login` of `xpk start`.' },
      accessTokenLifetime: { type: 'integer', minimum: 1, maximum: 31536000, description: 'For how many seconds this client\'s access tokens are valid. Default: the decision oauth.access-token-lifetime.' },
      codeLifetime: { type: 'integer', minimum: 1, maximum: 600, description: 'For how many seconds this client\'s authorization codes are valid. Default: the decision oauth.code-lifetime.' },
    },
    required: ['provider', 'name'],
    references: {
      provider: 'providers',
    },
    fixed: ['id', 'provider'],
    generated: [],
  },
  assignments: {
    singular: 'assignment',
    actor: 'portal',
    alias: {
      type: 'string',
    },
    members: {
      id: { type: 'string', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', description: 'A UUID in lower case. By default, derived from the world and the alias.' },
      experience: { type: 'string', pattern: '^[^\\u0000-\\u001f]+$' },
      targetType: { type: 'string', enum: ['ACCOUNT', 'PHONE_NUMBER', 'USER'], description: 'The type of the target to which an Experience is assigned.' },
      target: { type: 'string', description: 'An account or user by alias or id, or a number, depending on the target type.' },
      updatedAt: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$', description: 'An instant must be in ISO 8601, in UTC, with milliseconds, such as 2026-01-01T00:00:00.000Z.' },
    },
    required: ['experience', 'targetType', 'target'],
    references: {
      experience: 'experiences',
    },
    fixed: ['id', 'experience', 'targetType', 'target', 'updatedAt'],
    generated: ['id', 'updatedAt'],
  },
  connections: {
    singular: 'connection',
    actor: 'portal',
    alias: {
      type: 'string',
    },
    members: {
      id: { type: 'string', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', description: 'A UUID in lower case. By default, derived from the world and the alias.' },
      account: { type: 'string', pattern: '^[^\\u0000-\\u001f]+$' },
      experience: { type: 'string', pattern: '^[^\\u0000-\\u001f]+$' },
      state: { type: 'string', enum: ['ACTIVE', 'INACTIVE'], default: 'INACTIVE' },
      updatedAt: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$', description: 'An instant must be in ISO 8601, in UTC, with milliseconds, such as 2026-01-01T00:00:00.000Z.' },
    },
    required: ['account', 'experience'],
    references: {
      account: 'accounts',
      experience: 'experiences',
    },
    fixed: ['id', 'account', 'experience', 'updatedAt'],
    generated: ['id', 'updatedAt'],
  },
  subscriptions: {
    singular: 'subscription',
    actor: 'platform',
    alias: {
      type: 'string',
    },
    members: {
      id: { type: 'string', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', description: 'A UUID in lower case. By default, derived from the world and the alias.' },
      provider: { type: 'string', pattern: '^[^\\u0000-\\u001f]+$' },
      experience: { type: 'string', pattern: '^[^\\u0000-\\u001f]+$', description: 'The Experience whose events are delivered. If absent, events about all of the provider\'s Experiences are delivered.' },
      types: { type: 'array', items: { type: 'string', enum: ['experience.connection.created', 'experience.connection.activated', 'experience.connection.deactivated', 'experience.connection.deleted', 'experience.assignment.created', 'experience.assignment.deleted', 'provisioning.user.created', 'provisioning.user.deleted'] } },
      destinationUrl: { type: 'string', pattern: '^https?://[^\\s/?#@]+([/?][^\\s#]*)?$', description: 'An http or https URL in ASCII, without a user name, password or fragment, such as https://provider.example.com/events.' },
      secret: { type: 'string', pattern: '^whsec_([A-Za-z0-9+/]{4}){8,20}([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4}([A-Za-z0-9+/]{2}==)?)?$', description: 'A signing secret is whsec_ followed by 24 to 64 bytes in base64, as Standard Webhooks defines it. By default, derived from the subscription\'s id.' },
      mode: { type: 'object', properties: { duplicate: { type: 'integer', minimum: 1, maximum: 10, description: 'The number of duplicates to send immediately after each delivery is acknowledged. The responses to duplicates are ignored.' }, reorder: { type: 'object', properties: { window: { type: 'integer', minimum: 1, maximum: 31536000000, description: 'The length of the window, in milliseconds of kit time.' } }, required: ['window'], description: 'Shuffles first attempts. An event opens a window. Deliveries that are created in the window\'s first half are sent at random times in its second half.' }, delay: { type: 'integer', minimum: 1, maximum: 31536000000, description: 'The delay of first attempts, in milliseconds of kit time.' }, dropAcknowledgement: { type: 'integer', minimum: 1, maximum: 10, description: 'For each delivery, the number of acknowledgements to treat as lost. After a lost acknowledgement, the delivery is repeated unless the retry schedule has ended.' }, hold: { type: 'boolean', const: true, description: 'First attempts are held until they are released.' }, seed: { type: 'integer', minimum: 0, maximum: 9007199254740991, description: 'The seed for reorder. With the same seed, the same events are sent in the same order each time the mode is set or the world is loaded.', default: 0 } }, description: 'How a subscription\'s deliveries fail on purpose.' },
    },
    required: ['provider', 'types'],
    references: {
      provider: 'providers',
      experience: 'experiences',
    },
    fixed: ['id', 'provider'],
    generated: [],
  },
};
