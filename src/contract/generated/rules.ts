// Machine-written by `npm run generate` from openapi/openapi.yaml, openapi/asyncapi.yaml, openapi/control.yaml. Do not edit.
import type { OperationId } from './operations.ts';

export type RuleId =
  | 'http.bodies-are-json'
  | 'http.problem.content-type'
  | 'http.problem.title'
  | 'http.problem.status'
  | 'http.problem.trace-id'
  | 'http.problem.type-uri'
  | 'http.problem.instance-uri'
  | 'http.problem.detail-string'
  | 'http.problem.errors-array'
  | 'http.path-forms.same-operation'
  | 'http.path-forms.prefixed-served'
  | 'http.path-forms.flat-served'
  | 'http.pages.entities-array'
  | 'http.pages.cursor-null-at-end'
  | 'http.pages.page-size-integer'
  | 'http.pages.at-most-page-size'
  | 'http.pages.traversal-complete'
  | 'auth.token.any-client'
  | 'auth.scheme.case'
  | 'auth.claim.only-users'
  | 'client.read-only-fields-not-sent'
  | 'client.cursor-opaque'
  | 'assignability.scope'
  | 'assignability.check-first'
  | 'limits.assignability.back-off'
  | 'assignability.shape'
  | 'assignability.echo'
  | 'assignability.unknown-target-false'
  | 'assignability.free-target-true'
  | 'limits.assignability.under-limit'
  | 'assignability.target-missing'
  | 'assignability.target-type-not-allowed'
  | 'assignability.target-value-format'
  | 'assignability.read-only'
  | 'assignability.not-found'
  | 'limits.assignability.rate'
  | 'limits.assignability.per-credential'
  | 'limits.assignability.forms-share'
  | 'assignments.list.scope'
  | 'assignments.list.shape'
  | 'assignments.list.updated-at-prefixed'
  | 'assignments.list.by-account'
  | 'assignments.list.by-account-and-experience'
  | 'assignments.list.by-account-and-type'
  | 'assignments.list.by-account-experience-and-type'
  | 'assignments.list.by-target'
  | 'assignments.list.default-page-size'
  | 'assignments.list.page-size'
  | 'assignments.list.cursor'
  | 'assignments.list.only-visible'
  | 'assignments.list.filter-required'
  | 'assignments.list.value-needs-type'
  | 'assignments.list.account-id-uuid'
  | 'assignments.list.experience-needs-account'
  | 'assignments.list.experience-id-uuid'
  | 'assignments.list.target-value-format'
  | 'assignments.list.target-type-not-allowed'
  | 'assignments.list.type-alone'
  | 'assignments.list.page-size-integer'
  | 'assignments.create.scope'
  | 'assignments.create.refused-changes-nothing'
  | 'assignments.create.duplicate-refused'
  | 'assignments.create.created'
  | 'assignments.create.echo'
  | 'assignments.create.account-of-target'
  | 'assignments.create.several-experiences'
  | 'assignments.create.again'
  | 'assignments.create.updated-at-utc'
  | 'assignments.create.required-field'
  | 'assignments.create.invalid-value'
  | 'assignments.create.target-value-format'
  | 'assignments.create.unknown-user'
  | 'assignments.create.agent-number-taken'
  | 'assignments.get.scope'
  | 'assignments.get.shape'
  | 'assignments.get.same-as-created'
  | 'assignments.get.not-found'
  | 'assignments.delete.scope'
  | 'assignments.delete.refused-changes-nothing'
  | 'assignments.delete.no-body'
  | 'assignments.delete.gone'
  | 'assignments.delete.read-only'
  | 'assignments.delete.not-found'
  | 'connections.list.scope'
  | 'client.telephone-number-not-tn'
  | 'connections.list.shape'
  | 'connections.list.by-account'
  | 'connections.list.by-telephone-number'
  | 'connections.list.by-tn'
  | 'connections.list.account-wins'
  | 'connections.list.telephone-number-wins'
  | 'connections.list.by-experience'
  | 'connections.list.default-page-size'
  | 'connections.list.page-size'
  | 'connections.list.cursor'
  | 'connections.list.only-visible'
  | 'connections.list.selector-required'
  | 'connections.list.account-id-uuid'
  | 'connections.list.experience-id-uuid'
  | 'connections.list.telephone-number-format'
  | 'connections.list.tn-format'
  | 'connections.list.page-size-range'
  | 'connections.create.scope'
  | 'connections.create.refused-changes-nothing'
  | 'connections.create.malformed'
  | 'connections.create.read-only'
  | 'connections.create.exists'
  | 'connections.create.required-field'
  | 'connections.create.invalid-value'
  | 'connections.create.success'
  | 'connections.create.listed'
  | 'connections.create.state'
  | 'connections.create.again'
  | 'connections.get.scope'
  | 'connections.get.shape'
  | 'connections.get.not-found'
  | 'connections.update.scope'
  | 'connections.update.refused-changes-nothing'
  | 'connections.update.missing-field-refused'
  | 'connections.update.malformed'
  | 'connections.update.read-only'
  | 'connections.update.not-found'
  | 'connections.update.same-state'
  | 'connections.update.same-state-unchanged'
  | 'connections.update.invalid-value'
  | 'connections.update.activates'
  | 'connections.update.deactivates'
  | 'connections.update.updated-at-grows'
  | 'connections.delete.scope'
  | 'connections.delete.read-only'
  | 'connections.delete.not-found'
  | 'connections.delete.numbers-assigned'
  | 'connections.delete.refused-changes-nothing'
  | 'connections.delete.deleted'
  | 'connections.delete.only-numbers-block'
  | 'connections.delete.gone'
  | 'users.list.eventually-current'
  | 'users.forbidden-only-by-scope'
  | 'client.restart-without-cursor'
  | 'client.traversal-until-null'
  | 'users.list.shape'
  | 'users.list.by-account'
  | 'users.list.count'
  | 'users.list.count-present'
  | 'users.list.hidden-account-empty'
  | 'users.list.no-match-empty'
  | 'users.list.default-page-size'
  | 'users.list.page-size'
  | 'users.list.page-size-may-change'
  | 'users.list.traversal'
  | 'users.list.sorted'
  | 'users.updated-at-null'
  | 'users.list.account-id-required'
  | 'users.list.account-id-uuid'
  | 'users.list.sort-by-allowed'
  | 'users.list.sort-order-allowed'
  | 'users.list.page-size-range'
  | 'users.list.cursor-malformed'
  | 'users.list.cursor-other-account'
  | 'users.list.cursor-other-sort-by'
  | 'users.list.cursor-other-sort-order'
  | 'users.list.scope'
  | 'users.list.rate'
  | 'users.list.internal'
  | 'users.list.fail-closed'
  | 'users.get.causes-indistinguishable'
  | 'users.get.shape'
  | 'users.get.by-unified-id'
  | 'users.get.by-base62-id'
  | 'users.get.by-legacy-numeric-id'
  | 'users.get.unified-id'
  | 'users.get.current'
  | 'users.get.scope'
  | 'users.get.not-found'
  | 'users.get.rate'
  | 'users.get.internal'
  | 'users.get.fail-closed'
  | 'auth.token.missing'
  | 'auth.token.invalid'
  | 'auth.token.expired'
  | 'auth.challenge'
  | 'auth.claim.principal'
  | 'events.subscription.created-by-operator'
  | 'events.subscription.experience-id-optional'
  | 'events.subscription.id-received'
  | 'events.subscription.id-distinct'
  | 'events.subscription.supplies-destination-url'
  | 'events.subscription.supplies-types'
  | 'events.subscription.delivered-to-destination'
  | 'events.subscription.only-listed-types'
  | 'events.subscription.only-its-experience'
  | 'events.subscription.every-match'
  | 'events.endpoint.public'
  | 'events.endpoint.https'
  | 'events.endpoint.port-443'
  | 'events.endpoint.accepts-json-post'
  | 'events.endpoint.acknowledges-with-2xx'
  | 'events.endpoint.answers-in-time'
  | 'events.endpoint.acknowledges-what-it-keeps'
  | 'events.delivery.webhooks-only'
  | 'events.delivery.post'
  | 'events.delivery.json-body'
  | 'events.delivery.json-content-type'
  | 'events.delivery.https'
  | 'events.delivery.any-2xx-acknowledges'
  | 'events.delivery.retries-non-2xx'
  | 'events.delivery.retries-redirects'
  | 'events.delivery.retries-unanswered'
  | 'events.delivery.waits-for-answer'
  | 'events.delivery.repeat-is-same-event'
  | 'events.publish.once-per-change'
  | 'events.publish.nothing-when-refused'
  | 'events.publish.nothing-when-read'
  | 'events.consumer.discards-older'
  | 'events.consumer.applies-equal'
  | 'events.consumer.any-order'
  | 'events.consumer.remembers-deletions'
  | 'events.consumer.compares-instants'
  | 'events.consumer.deduplicates'
  | 'events.consumer.user-set-per-account'
  | 'events.consumer.user-set-seeded'
  | 'events.consumer.user-total-is-sum'
  | 'events.consumer.user-count-verified'
  | 'events.consumer.user-count-settled'
  | 'events.consumer.subscribes-before-seeding'
  | 'events.consumer.rebuilds-from-lists'
  | 'events.consumer.rebuild-ordered-by-updated-at'
  | 'events.consumer.rebuild-has-updated-at'
  | 'events.connection.created.on-create'
  | 'events.connection.created.on-portal-create'
  | 'events.connection.created.on-platform-create'
  | 'events.connection.activated.on-update'
  | 'events.connection.activated.on-portal-action'
  | 'events.connection.activated.on-platform-change'
  | 'events.connection.activated.not-when-already-active'
  | 'events.connection.deactivated.on-update'
  | 'events.connection.deactivated.on-portal-action'
  | 'events.connection.deactivated.on-platform-change'
  | 'events.connection.deactivated.not-when-already-inactive'
  | 'events.connection.deleted.on-delete'
  | 'events.connection.deleted.on-portal-removal'
  | 'events.connection.deleted.on-account-deletion'
  | 'events.connection.deleted.on-account-deletion-with-numbers'
  | 'events.connection.deleted.on-platform-removal'
  | 'events.connection.deleted.not-while-numbers-assigned'
  | 'events.assignment.created.on-create'
  | 'events.assignment.created.on-portal-create'
  | 'events.assignment.created.on-platform-create'
  | 'events.assignment.created.of-account'
  | 'events.assignment.created.of-phone-number'
  | 'events.assignment.created.of-user'
  | 'events.assignment.deleted.on-delete'
  | 'events.assignment.deleted.on-portal-removal'
  | 'events.assignment.deleted.on-platform-removal'
  | 'events.assignment.deleted.on-account-deletion'
  | 'events.assignment.deleted.on-user-deletion'
  | 'events.assignment.deleted.on-number-deletion'
  | 'events.assignment.deleted.on-account-deletion-of-its-targets'
  | 'events.provisioning.created.on-platform-create'
  | 'events.provisioning.created.on-portal-create'
  | 'events.provisioning.created.only-assigned-accounts'
  | 'events.consumer.user-set-adds'
  | 'events.provisioning.deleted.on-platform-delete'
  | 'events.provisioning.deleted.on-portal-delete'
  | 'events.provisioning.deleted.only-assigned-accounts'
  | 'events.consumer.user-set-removes'
  | 'events.headers.webhook-id'
  | 'events.headers.webhook-id-unique'
  | 'events.headers.webhook-id-kept'
  | 'events.headers.webhook-timestamp'
  | 'events.headers.webhook-timestamp-when-sent'
  | 'events.headers.webhook-timestamp-of-repeat'
  | 'events.envelope.type'
  | 'events.envelope.timestamp'
  | 'events.envelope.timestamp-of-event'
  | 'events.envelope.subscription-id'
  | 'events.envelope.scope'
  | 'events.envelope.scope-experience'
  | 'events.envelope.data'
  | 'events.connection.data.connection-id'
  | 'events.connection.data.experience-id'
  | 'events.connection.data.experience-name'
  | 'events.connection.data.provider-id'
  | 'events.connection.data.account-id'
  | 'events.connection.data.updated-at'
  | 'events.connection.data.names-experience'
  | 'events.connection.data.names-provider'
  | 'events.connection.data.of-connection'
  | 'events.connection.data.updated-at-of-connection'
  | 'events.connection.data.updated-at-grows'
  | 'events.consumer.provider-id-opaque'
  | 'events.assignment.data.assignment-id'
  | 'events.assignment.data.experience-id'
  | 'events.assignment.data.experience-name'
  | 'events.assignment.data.provider-id'
  | 'events.assignment.data.account-id'
  | 'events.assignment.data.target-type'
  | 'events.assignment.data.target-value'
  | 'events.assignment.data.updated-at'
  | 'events.assignment.data.names-experience'
  | 'events.assignment.data.names-provider'
  | 'events.assignment.data.of-assignment'
  | 'events.assignment.data.updated-at-of-assignment'
  | 'events.assignment.data.updated-at-grows'
  | 'events.provisioning.data.user-id'
  | 'events.provisioning.data.account-id'
  | 'events.provisioning.data.updated-at'
  | 'events.provisioning.data.of-user'
  | 'events.provisioning.data.updated-at-grows';

export interface Rule {
  /** One sentence. */
  text: string;
  level: 'documented' | 'implied' | 'advice';
  /** The place in the specification. */
  section: string;
  /** Who keeps the rule. */
  actor: 'service' | 'operator' | 'consumer' | 'client';
  /** The document it stands in. */
  document: 'openapi' | 'asyncapi' | 'control';
  operations?: readonly OperationId[];
  /** The documented status it stands at, such as '404' or '2XX'. */
  status?: string;
  /** The event type it stands at. */
  event?: string;
}

/** The rules on each documented response of an operation. */
export interface RulesOf {
  getExperienceAssignability: {
    200:
      | 'assignability.shape'
      | 'assignability.echo'
      | 'assignability.unknown-target-false'
      | 'assignability.free-target-true'
      | 'limits.assignability.under-limit';
    400:
      | 'assignability.target-missing'
      | 'assignability.target-type-not-allowed'
      | 'assignability.target-value-format';
    401: 'auth.token.missing' | 'auth.token.invalid' | 'auth.token.expired' | 'auth.challenge';
    403: 'assignability.read-only';
    404: 'assignability.not-found';
    429:
      | 'limits.assignability.rate'
      | 'limits.assignability.per-credential'
      | 'limits.assignability.forms-share';
  };
  getExperienceAssignments: {
    200:
      | 'assignments.list.shape'
      | 'assignments.list.updated-at-prefixed'
      | 'assignments.list.by-account'
      | 'assignments.list.by-account-and-experience'
      | 'assignments.list.by-account-and-type'
      | 'assignments.list.by-account-experience-and-type'
      | 'assignments.list.by-target'
      | 'assignments.list.default-page-size'
      | 'assignments.list.page-size'
      | 'assignments.list.cursor'
      | 'assignments.list.only-visible';
    400:
      | 'assignments.list.filter-required'
      | 'assignments.list.value-needs-type'
      | 'assignments.list.account-id-uuid'
      | 'assignments.list.experience-needs-account'
      | 'assignments.list.experience-id-uuid'
      | 'assignments.list.target-value-format'
      | 'assignments.list.target-type-not-allowed'
      | 'assignments.list.type-alone'
      | 'assignments.list.page-size-integer';
    401: 'auth.token.missing' | 'auth.token.invalid' | 'auth.token.expired' | 'auth.challenge';
  };
  createExperienceAssignment: {
    201:
      | 'assignments.create.created'
      | 'assignments.create.echo'
      | 'assignments.create.account-of-target'
      | 'assignments.create.several-experiences'
      | 'assignments.create.again'
      | 'assignments.create.updated-at-utc';
    401: 'auth.token.missing' | 'auth.token.invalid' | 'auth.token.expired' | 'auth.challenge';
    409: never;
    422:
      | 'assignments.create.required-field'
      | 'assignments.create.invalid-value'
      | 'assignments.create.target-value-format'
      | 'assignments.create.unknown-user'
      | 'assignments.create.agent-number-taken';
  };
  getExperienceAssignment: {
    200: 'assignments.get.shape' | 'assignments.get.same-as-created';
    401: 'auth.token.missing' | 'auth.token.invalid' | 'auth.token.expired' | 'auth.challenge';
    404: 'assignments.get.not-found';
  };
  deleteExperienceAssignment: {
    204: 'assignments.delete.no-body' | 'assignments.delete.gone';
    401: 'auth.token.missing' | 'auth.token.invalid' | 'auth.token.expired' | 'auth.challenge';
    403: 'assignments.delete.read-only';
    404: 'assignments.delete.not-found';
  };
  getExperienceConnections: {
    200:
      | 'connections.list.shape'
      | 'connections.list.by-account'
      | 'connections.list.by-telephone-number'
      | 'connections.list.by-tn'
      | 'connections.list.account-wins'
      | 'connections.list.telephone-number-wins'
      | 'connections.list.by-experience'
      | 'connections.list.default-page-size'
      | 'connections.list.page-size'
      | 'connections.list.cursor'
      | 'connections.list.only-visible';
    400:
      | 'connections.list.selector-required'
      | 'connections.list.account-id-uuid'
      | 'connections.list.experience-id-uuid'
      | 'connections.list.telephone-number-format'
      | 'connections.list.tn-format'
      | 'connections.list.page-size-range';
    401: 'auth.token.missing' | 'auth.token.invalid' | 'auth.token.expired' | 'auth.challenge';
  };
  createExperienceConnection: {
    400: 'connections.create.malformed';
    401: 'auth.token.missing' | 'auth.token.invalid' | 'auth.token.expired' | 'auth.challenge';
    403: 'connections.create.read-only';
    409: 'connections.create.exists';
    422: 'connections.create.required-field' | 'connections.create.invalid-value';
    '2XX':
      | 'connections.create.success'
      | 'connections.create.listed'
      | 'connections.create.state'
      | 'connections.create.again';
  };
  getExperienceConnection: {
    200: 'connections.get.shape';
    401: 'auth.token.missing' | 'auth.token.invalid' | 'auth.token.expired' | 'auth.challenge';
    404: 'connections.get.not-found';
  };
  updateExperienceConnection: {
    400: 'connections.update.malformed';
    401: 'auth.token.missing' | 'auth.token.invalid' | 'auth.token.expired' | 'auth.challenge';
    403: 'connections.update.read-only';
    404: 'connections.update.not-found';
    409: 'connections.update.same-state' | 'connections.update.same-state-unchanged';
    422: 'connections.update.invalid-value';
    '2XX':
      | 'connections.update.activates'
      | 'connections.update.deactivates'
      | 'connections.update.updated-at-grows';
  };
  deleteExperienceConnection: {
    401: 'auth.token.missing' | 'auth.token.invalid' | 'auth.token.expired' | 'auth.challenge';
    403: 'connections.delete.read-only';
    404: 'connections.delete.not-found';
    409: 'connections.delete.numbers-assigned' | 'connections.delete.refused-changes-nothing';
    '2XX': 'connections.delete.deleted' | 'connections.delete.only-numbers-block' | 'connections.delete.gone';
  };
  getUsers: {
    200:
      | 'users.list.shape'
      | 'users.list.by-account'
      | 'users.list.count'
      | 'users.list.count-present'
      | 'users.list.hidden-account-empty'
      | 'users.list.no-match-empty'
      | 'users.list.default-page-size'
      | 'users.list.page-size'
      | 'users.list.page-size-may-change'
      | 'users.list.traversal'
      | 'users.list.sorted'
      | 'users.updated-at-null';
    400:
      | 'users.list.account-id-required'
      | 'users.list.account-id-uuid'
      | 'users.list.sort-by-allowed'
      | 'users.list.sort-order-allowed'
      | 'users.list.page-size-range'
      | 'users.list.cursor-malformed'
      | 'users.list.cursor-other-account'
      | 'users.list.cursor-other-sort-by'
      | 'users.list.cursor-other-sort-order';
    401:
      | 'auth.token.missing'
      | 'auth.token.invalid'
      | 'auth.token.expired'
      | 'auth.challenge'
      | 'auth.claim.principal';
    403: 'users.list.scope';
    429: 'users.list.rate';
    500: 'users.list.internal';
    503: 'users.list.fail-closed';
  };
  getUser: {
    200:
      | 'users.get.shape'
      | 'users.get.by-unified-id'
      | 'users.get.by-base62-id'
      | 'users.get.by-legacy-numeric-id'
      | 'users.get.unified-id'
      | 'users.get.current'
      | 'users.updated-at-null';
    401:
      | 'auth.token.missing'
      | 'auth.token.invalid'
      | 'auth.token.expired'
      | 'auth.challenge'
      | 'auth.claim.principal';
    403: 'users.get.scope';
    404: 'users.get.not-found';
    429: 'users.get.rate';
    500: 'users.get.internal';
    503: 'users.get.fail-closed';
  };
}

/** The status that a rule of an operation is answered with. Ranges such as 2XX are left out: they give no status. */
export const statusOf = {
  getExperienceAssignability: {
    'assignability.shape': 200,
    'assignability.echo': 200,
    'assignability.unknown-target-false': 200,
    'assignability.free-target-true': 200,
    'limits.assignability.under-limit': 200,
    'assignability.target-missing': 400,
    'assignability.target-type-not-allowed': 400,
    'assignability.target-value-format': 400,
    'auth.token.missing': 401,
    'auth.token.invalid': 401,
    'auth.token.expired': 401,
    'auth.challenge': 401,
    'assignability.read-only': 403,
    'assignability.not-found': 404,
    'limits.assignability.rate': 429,
    'limits.assignability.per-credential': 429,
    'limits.assignability.forms-share': 429,
  },
  getExperienceAssignments: {
    'assignments.list.shape': 200,
    'assignments.list.updated-at-prefixed': 200,
    'assignments.list.by-account': 200,
    'assignments.list.by-account-and-experience': 200,
    'assignments.list.by-account-and-type': 200,
    'assignments.list.by-account-experience-and-type': 200,
    'assignments.list.by-target': 200,
    'assignments.list.default-page-size': 200,
    'assignments.list.page-size': 200,
    'assignments.list.cursor': 200,
    'assignments.list.only-visible': 200,
    'assignments.list.filter-required': 400,
    'assignments.list.value-needs-type': 400,
    'assignments.list.account-id-uuid': 400,
    'assignments.list.experience-needs-account': 400,
    'assignments.list.experience-id-uuid': 400,
    'assignments.list.target-value-format': 400,
    'assignments.list.target-type-not-allowed': 400,
    'assignments.list.type-alone': 400,
    'assignments.list.page-size-integer': 400,
    'auth.token.missing': 401,
    'auth.token.invalid': 401,
    'auth.token.expired': 401,
    'auth.challenge': 401,
  },
  createExperienceAssignment: {
    'assignments.create.created': 201,
    'assignments.create.echo': 201,
    'assignments.create.account-of-target': 201,
    'assignments.create.several-experiences': 201,
    'assignments.create.again': 201,
    'assignments.create.updated-at-utc': 201,
    'auth.token.missing': 401,
    'auth.token.invalid': 401,
    'auth.token.expired': 401,
    'auth.challenge': 401,
    'assignments.create.required-field': 422,
    'assignments.create.invalid-value': 422,
    'assignments.create.target-value-format': 422,
    'assignments.create.unknown-user': 422,
    'assignments.create.agent-number-taken': 422,
  },
  getExperienceAssignment: {
    'assignments.get.shape': 200,
    'assignments.get.same-as-created': 200,
    'auth.token.missing': 401,
    'auth.token.invalid': 401,
    'auth.token.expired': 401,
    'auth.challenge': 401,
    'assignments.get.not-found': 404,
  },
  deleteExperienceAssignment: {
    'assignments.delete.no-body': 204,
    'assignments.delete.gone': 204,
    'auth.token.missing': 401,
    'auth.token.invalid': 401,
    'auth.token.expired': 401,
    'auth.challenge': 401,
    'assignments.delete.read-only': 403,
    'assignments.delete.not-found': 404,
  },
  getExperienceConnections: {
    'connections.list.shape': 200,
    'connections.list.by-account': 200,
    'connections.list.by-telephone-number': 200,
    'connections.list.by-tn': 200,
    'connections.list.account-wins': 200,
    'connections.list.telephone-number-wins': 200,
    'connections.list.by-experience': 200,
    'connections.list.default-page-size': 200,
    'connections.list.page-size': 200,
    'connections.list.cursor': 200,
    'connections.list.only-visible': 200,
    'connections.list.selector-required': 400,
    'connections.list.account-id-uuid': 400,
    'connections.list.experience-id-uuid': 400,
    'connections.list.telephone-number-format': 400,
    'connections.list.tn-format': 400,
    'connections.list.page-size-range': 400,
    'auth.token.missing': 401,
    'auth.token.invalid': 401,
    'auth.token.expired': 401,
    'auth.challenge': 401,
  },
  createExperienceConnection: {
    'connections.create.malformed': 400,
    'auth.token.missing': 401,
    'auth.token.invalid': 401,
    'auth.token.expired': 401,
    'auth.challenge': 401,
    'connections.create.read-only': 403,
    'connections.create.exists': 409,
    'connections.create.required-field': 422,
    'connections.create.invalid-value': 422,
  },
  getExperienceConnection: {
    'connections.get.shape': 200,
    'auth.token.missing': 401,
    'auth.token.invalid': 401,
    'auth.token.expired': 401,
    'auth.challenge': 401,
    'connections.get.not-found': 404,
  },
  updateExperienceConnection: {
    'connections.update.malformed': 400,
    'auth.token.missing': 401,
    'auth.token.invalid': 401,
    'auth.token.expired': 401,
    'auth.challenge': 401,
    'connections.update.read-only': 403,
    'connections.update.not-found': 404,
    'connections.update.same-state': 409,
    'connections.update.same-state-unchanged': 409,
    'connections.update.invalid-value': 422,
  },
  deleteExperienceConnection: {
    'auth.token.missing': 401,
    'auth.token.invalid': 401,
    'auth.token.expired': 401,
    'auth.challenge': 401,
    'connections.delete.read-only': 403,
    'connections.delete.not-found': 404,
    'connections.delete.numbers-assigned': 409,
    'connections.delete.refused-changes-nothing': 409,
  },
  getUsers: {
    'users.list.shape': 200,
    'users.list.by-account': 200,
    'users.list.count': 200,
    'users.list.count-present': 200,
    'users.list.hidden-account-empty': 200,
    'users.list.no-match-empty': 200,
    'users.list.default-page-size': 200,
    'users.list.page-size': 200,
    'users.list.page-size-may-change': 200,
    'users.list.traversal': 200,
    'users.list.sorted': 200,
    'users.updated-at-null': 200,
    'users.list.account-id-required': 400,
    'users.list.account-id-uuid': 400,
    'users.list.sort-by-allowed': 400,
    'users.list.sort-order-allowed': 400,
    'users.list.page-size-range': 400,
    'users.list.cursor-malformed': 400,
    'users.list.cursor-other-account': 400,
    'users.list.cursor-other-sort-by': 400,
    'users.list.cursor-other-sort-order': 400,
    'auth.token.missing': 401,
    'auth.token.invalid': 401,
    'auth.token.expired': 401,
    'auth.challenge': 401,
    'auth.claim.principal': 401,
    'users.list.scope': 403,
    'users.list.rate': 429,
    'users.list.internal': 500,
    'users.list.fail-closed': 503,
  },
  getUser: {
    'users.get.shape': 200,
    'users.get.by-unified-id': 200,
    'users.get.by-base62-id': 200,
    'users.get.by-legacy-numeric-id': 200,
    'users.get.unified-id': 200,
    'users.get.current': 200,
    'users.updated-at-null': 200,
    'auth.token.missing': 401,
    'auth.token.invalid': 401,
    'auth.token.expired': 401,
    'auth.challenge': 401,
    'auth.claim.principal': 401,
    'users.get.scope': 403,
    'users.get.not-found': 404,
    'users.get.rate': 429,
    'users.get.internal': 500,
    'users.get.fail-closed': 503,
  },
} as const satisfies { [Id in OperationId]: { readonly [Rule in RuleId]?: number } };
