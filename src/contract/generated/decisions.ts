// Machine-written by `npm run generate` from openapi/decisions.yaml, openapi/openapi.yaml. Do not edit.

/** The decisions of the kit: one value for every point that the specification leaves open. In each type, the default comes first. */
export interface Decisions {
  /** What does a token without the operation's scope get on the ten operations that are not about users? */
  'auth.missing-scope': 403 | 401;
  /** Which vendor name is in the claim urn:<vendor>:claims:principal_id? */
  'auth.principal-claim': string;
  /** What does a body with a content type other than JSON get? */
  'http.body.content-type': 'as-malformed' | 415;
  /** What happens to read-only and unknown fields in a body? */
  'http.body.read-only-fields': 'ignored' | 422;
  /** What happens to query parameters that an operation does not have? */
  'http.query.unknown-parameter': 'ignored' | 400;
  /** What does a single-valued parameter get when it is given twice? */
  'http.query.duplicate-parameter': 400 | 'first' | 'last';
  /** May a UUID in a request be written with capital letters? */
  'http.uuid-letter-case': 'accepted' | 'refused';
  /** Does a telephone number in a request need its plus? */
  'http.e164-plus': 'needed';
  /** Is a telephone number E.164 by its shape, or must a numbering plan also allow it? */
  'http.e164-plan': 'shape';
  /** What does an id in the path get that is no UUID? The path ids of Experiences, assignments and connections are documented as strings. */
  'http.path-id': 404 | 400;
  /** Which error is returned when a request has several? */
  'http.precedence': 'as-listed';
  /** What does an operation answer while the service cannot use its database? A 503 is documented for the users operations only. */
  'http.outage': 503;
  /** What does a cursor that was altered, or belongs to another list, get on the assignments and connections lists? */
  'lists.cursor.invalid': 400 | 'first-page' | 'empty';
  /** In which order are assignments and connections listed? */
  'lists.order': 'newest-last' | 'newest-first';
  /** What do the assignments and connections lists answer for an account that is unknown or that the caller may not view? */
  'lists.hidden-account': 'empty' | 403 | 404;
  /** How many milliseconds do the assignments and connections lists lag behind a write? A lag is documented for the users list only. */
  'lists.read-model-lag': number;
  /** What does the pageSize of a page mean? */
  'lists.page-size': 'asked-for' | 'held';
  /** Is a target assignable that is already assigned to the Experience? */
  'assignability.already-assigned': false | true;
  /** Is a number assignable to an AGENT Experience while another AGENT Experience has it? */
  'assignability.agent-conflict': false | true;
  /** Is a target assignable that exists but that the caller may not view or manage? */
  'assignability.hidden-target': false | true;
  /** How does the rate limit measure a second? */
  'limits.assignability.window': 'sliding' | 'fixed' | 'bucket' | 'small-bucket';
  /** Which checks count towards the rate limit? */
  'limits.assignability.counts': 'authenticated' | 'valid';
  /** Does a 429 carry Retry-After? */
  'limits.assignability.retry-after': 'sent' | 'absent';
  /** What is a credential to the rate limit? */
  'limits.assignability.credential': 'client' | 'token';
  /** Are operations without a documented rate limited? */
  'limits.other-operations': 'none';
  /** What does a pageSize below 1 or above 100 get on the assignments list? */
  'assignments.list.page-size-out-of-range': 400 | 'clamped';
  /** accountId together with targetType and targetValue: the valid combinations do not list it, “combine with AND” does. */
  'assignments.list.account-with-target': 'and' | 400;
  /** What does a creation get whose body is not a JSON object, or no JSON? No 400 is documented there. */
  'assignments.create.malformed-body': 422 | 400;
  /** A target already assigned to the Experience: 409 and 422 both name it. */
  'assignments.create.duplicate': 409 | 422;
  /** What does a creation get whose Experience does not exist or is not accessible to the caller? */
  'assignments.create.unknown-experience': 422 | 409 | 403 | 404;
  /** What does a creation get whose Experience the caller may only read? */
  'assignments.create.read-only-experience': 422 | 409 | 403 | 404;
  /** What does a creation get whose account or number does not exist, or whose target the caller has no access to? */
  'assignments.create.unknown-target': 422 | 409 | 403 | 404;
  /** What does a creation get whose target belongs to an account that the caller may only read? */
  'assignments.create.read-only-target': 422 | 409 | 403 | 404;
  /** Does an assignment need a connection of its account to the Experience? */
  'assignments.create.needs-connection': 'no' | 409;
  /** What does the connections list return for a telephone number that no accessible account owns? */
  'connections.list.unknown-number': 'empty' | 403 | 404;
  /** telephoneNumber is valid while tn, which it wins over, is malformed. */
  'connections.list.malformed-tn-beside-number': 'ignored' | 400;
  /** What does a connection body get that is JSON but not an object? */
  'connections.malformed-body': 400 | 422;
  /** Which members does a connection always have? Its table marks none as required. */
  'connections.members': 'all';
  /** What is the body of a creation? */
  'connections.create.body': '{accountId, experienceId, state?}';
  /** Which status does a successful creation have? */
  'connections.create.status': 201 | 200 | 202;
  /** Which state does a new connection have if none is requested? */
  'connections.create.initial-state': 'INACTIVE' | 'ACTIVE';
  /** Does a connection that is created ACTIVE publish experience.connection.activated in addition to created? */
  'connections.create.activated-event': 'no' | 'yes';
  /** Does a connection that is created INACTIVE publish experience.connection.deactivated in addition to created? */
  'connections.create.deactivated-event': 'no' | 'yes';
  /** What does a creation get whose account or Experience does not exist or is not accessible to the caller? */
  'connections.create.unknown-account-or-experience': 422 | 403 | 404;
  /** What is the body of an update? */
  'connections.update.body': '{state}';
  /** Which status does a successful update have? */
  'connections.update.status': 200 | 204 | 202;
  /** May a state in a request be written in other letters than capitals? */
  'connections.state-letter-case': 'refused' | 'accepted';
  /** What does an update without state get? */
  'connections.update.missing-field': 422 | 400;
  /** Which status does a successful deletion have? */
  'connections.delete.status': 204 | 200 | 202;
  /** Whose telephone numbers block the deletion of a connection? */
  'connections.delete.blocking-numbers': 'account' | 'experience';
  /** What happens to the account's USER and ACCOUNT assignments when its connection is deleted? */
  'connections.delete.other-assignments': 'kept' | 'removed';
  /** What does a token that lacks both the principal claim and the scope get? */
  'users.token-without-claim-and-scope': 401 | 403;
  /** What is the count of an account that the caller may not view? */
  'users.list.count-hidden-account': 'zero' | 'absent';
  /** Which values may sortBy and sortOrder have, and what are their defaults? */
  'users.list.sort-fields': 'all' | 'createdAt';
  /** How many milliseconds does the users list lag behind a write? */
  'users.list.read-model-lag': number;
  /** How many users requests a second may a credential make? */
  'users.rate-limit': number;
  /** What does a request about an unknown user or account get while the authorization service cannot be reached? */
  'users.fail-closed.unknown': 'refused';
  /** A native id that is digits only fits both supported styles: which user is it? */
  'users.native-id.ambiguous': 'legacy-numeric' | 'base62';
  /** What happens when the portal requests the state a connection already has? */
  'portal.same-state': 'refused' | 'no-op';
  /** May the portal remove a connection while numbers are still assigned? */
  'portal.delete-with-numbers': 'allowed' | 'refused';
  /** When is an account “assigned to the Experience” for provisioning events? */
  'provisioning.assigned-means': 'account-assignment' | 'connection';
  /** A user is created in an account assigned to several Experiences: how many events? */
  'provisioning.several-experiences': 'one-each' | 'one';
  /** Does deleting an account publish provisioning.user.deleted for its users? */
  'provisioning.account-deleted': 'sent' | 'not-sent';
  /** Which events does a subscription without experienceId receive? */
  'subscriptions.without-experience': 'all-of-provider';
  /** Does a subscription receive events of changes made before it was created? */
  'subscriptions.earlier-events': 'none';
  /** Is the webhook-id of one event the same in every subscription? */
  'events.webhook-id': 'same' | 'different';
  /** What must arrive within 15 seconds? */
  'events.delivery.acknowledged-by': 'headers-and-body' | 'headers';
  /** When and how often is a delivery repeated? */
  'events.delivery.retry-schedule': 'standard' | 'fast';
  /** Are deliveries to an endpoint paused or ended when others to it failed? */
  'events.delivery.failing-endpoint': 'each-alone';
  /** How are deliveries signed? */
  'events.delivery.signature': 'none' | 'standard-webhooks';
  /** Which clock does the webhook-timestamp of a signed delivery follow? */
  'events.delivery.signed-timestamp': 'wall-time' | 'kit-time';
  /** Which audience does a client assertion need? */
  'oauth.assertion.audience': 'issuer-or-token-endpoint' | 'token-endpoint' | 'also-others';
  /** How many seconds ahead may a client assertion expire? RFC 7523, section 3, lets a server refuse an exp that is unreasonably far in the future. */
  'oauth.assertion.lifetime': number;
  /** Which algorithms and claims does a client assertion have? */
  'oauth.assertion.construction': 'rfc7523';
  /** May a client assertion be used twice? */
  'oauth.assertion.replay': 'refused' | 'accepted';
  /** Is HTTP Basic accepted as client authentication? */
  'oauth.client-basic': 'refused' | 'accepted';
  /** What does an unknown scope get? */
  'oauth.unknown-scope': 'refused' | 'ignored';
  /** What does a missing login_hint, or one that is not E.164, get? */
  'oauth.login-hint': 'refused' | 'ignored';
  /** Is there a refresh token with offline_access? */
  'oauth.refresh': 'rotated' | 'kept' | 'none';
  /** Are there other grant types? */
  'oauth.other-grants': 'refused' | 'client-credentials';
  /** Does reusing a code revoke the tokens issued for it? */
  'oauth.code-reuse': 'revoked' | 'kept';
  /** Which fields does a token response have besides expires_in? */
  'oauth.token-response': 'rfc6749';
  /** How many seconds is an access token valid? */
  'oauth.access-token-lifetime': number;
  /** How many seconds is a code valid that is “short-lived”? */
  'oauth.code-lifetime': number;
  /** Does the authorization server report errors as problems, like the API, or as OAuth errors? */
  'oauth.error-body': 'rfc6749' | 'problem';
  /** What happens when offline_access is requested without the connection and assignment scopes? */
  'oauth.offline-access-alone': 'granted' | 'refused';
  /** At which step is a missing or invalid code_challenge refused? */
  'oauth.pkce-refused-at': 'authorize';
  /** Which types of Experience exist besides AGENT? */
  'experience.types': 'GENERAL';
  /** What is the format, and the expiry, of a cursor? */
  'lists.cursor.format': 'signed';
  /** Does a traversal return items inserted in the meantime? */
  'lists.concurrent-inserts': 'yes-at-the-end';
  /** Is the version in paths or headers? */
  'versioning.scheme': 'none';
  /** What are the steps of the connect-and-activate flow? */
  'connect-and-activate': 'create-assign-activate';
  /** Which updatedAt does provisioning.user.created carry for a user that was never updated? */
  'events.provisioning.updated-at': 'creation';
  /** Which updatedAt does an event of a deletion carry? */
  'events.deleted.updated-at': 'deletion';
  /** Does deleting an ACTIVE connection publish experience.connection.deactivated, too? */
  'events.connection.deleted.deactivated-first': 'no' | 'yes';
}

export type DecisionId = keyof Decisions;

/** The open points that affect each operation, by operation. */
export interface DecisionsOf {
  getExperienceAssignability:
    | 'assignability.already-assigned'
    | 'assignability.agent-conflict'
    | 'assignability.hidden-target'
    | 'limits.assignability.window'
    | 'limits.assignability.counts'
    | 'limits.assignability.retry-after'
    | 'limits.assignability.credential'
    | 'http.path-id'
    | 'auth.missing-scope';
  getExperienceAssignments:
    | 'assignments.list.page-size-out-of-range'
    | 'assignments.list.account-with-target'
    | 'lists.page-size'
    | 'lists.read-model-lag'
    | 'lists.cursor.invalid'
    | 'lists.cursor.format'
    | 'lists.order'
    | 'lists.concurrent-inserts'
    | 'lists.hidden-account'
    | 'auth.missing-scope';
  createExperienceAssignment:
    | 'assignments.create.malformed-body'
    | 'assignments.create.duplicate'
    | 'assignments.create.unknown-experience'
    | 'assignments.create.read-only-experience'
    | 'assignments.create.unknown-target'
    | 'assignments.create.read-only-target'
    | 'assignments.create.needs-connection'
    | 'http.body.content-type'
    | 'http.body.read-only-fields'
    | 'auth.missing-scope';
  getExperienceAssignment: 'http.path-id' | 'auth.missing-scope';
  deleteExperienceAssignment: 'http.path-id' | 'auth.missing-scope';
  getExperienceConnections:
    | 'connections.list.malformed-tn-beside-number'
    | 'connections.list.unknown-number'
    | 'connections.members'
    | 'lists.page-size'
    | 'lists.read-model-lag'
    | 'lists.cursor.invalid'
    | 'lists.cursor.format'
    | 'lists.order'
    | 'lists.concurrent-inserts'
    | 'lists.hidden-account'
    | 'auth.missing-scope';
  createExperienceConnection:
    | 'connections.create.body'
    | 'connections.create.status'
    | 'connections.create.initial-state'
    | 'connections.state-letter-case'
    | 'connections.create.activated-event'
    | 'connections.create.unknown-account-or-experience'
    | 'connections.malformed-body'
    | 'http.body.content-type'
    | 'http.body.read-only-fields'
    | 'auth.missing-scope';
  getExperienceConnection: 'connections.members' | 'http.path-id' | 'auth.missing-scope';
  updateExperienceConnection:
    | 'connections.update.body'
    | 'connections.update.status'
    | 'connections.update.missing-field'
    | 'connections.state-letter-case'
    | 'connections.malformed-body'
    | 'http.path-id'
    | 'http.body.content-type'
    | 'http.body.read-only-fields'
    | 'auth.missing-scope';
  deleteExperienceConnection:
    | 'connections.delete.status'
    | 'connections.delete.blocking-numbers'
    | 'connections.delete.other-assignments'
    | 'events.connection.deleted.deactivated-first'
    | 'http.path-id'
    | 'auth.missing-scope';
  getUsers:
    | 'users.token-without-claim-and-scope'
    | 'users.list.count-hidden-account'
    | 'users.list.sort-fields'
    | 'lists.page-size'
    | 'users.list.read-model-lag'
    | 'users.fail-closed.unknown'
    | 'users.rate-limit';
  getUser:
    | 'users.token-without-claim-and-scope'
    | 'users.native-id.ambiguous'
    | 'users.fail-closed.unknown'
    | 'users.rate-limit';
}

export const defaultDecisions: Readonly<Decisions> = {
  'auth.missing-scope': 403,
  'auth.principal-claim': 'urn:example:claims:principal_id',
  'http.body.content-type': 'as-malformed',
  'http.body.read-only-fields': 'ignored',
  'http.query.unknown-parameter': 'ignored',
  'http.query.duplicate-parameter': 400,
  'http.uuid-letter-case': 'accepted',
  'http.e164-plus': 'needed',
  'http.e164-plan': 'shape',
  'http.path-id': 404,
  'http.precedence': 'as-listed',
  'http.outage': 503,
  'lists.cursor.invalid': 400,
  'lists.order': 'newest-last',
  'lists.hidden-account': 'empty',
  'lists.read-model-lag': 0,
  'lists.page-size': 'asked-for',
  'assignability.already-assigned': false,
  'assignability.agent-conflict': false,
  'assignability.hidden-target': false,
  'limits.assignability.window': 'sliding',
  'limits.assignability.counts': 'authenticated',
  'limits.assignability.retry-after': 'sent',
  'limits.assignability.credential': 'client',
  'limits.other-operations': 'none',
  'assignments.list.page-size-out-of-range': 400,
  'assignments.list.account-with-target': 'and',
  'assignments.create.malformed-body': 422,
  'assignments.create.duplicate': 409,
  'assignments.create.unknown-experience': 422,
  'assignments.create.read-only-experience': 422,
  'assignments.create.unknown-target': 422,
  'assignments.create.read-only-target': 422,
  'assignments.create.needs-connection': 'no',
  'connections.list.unknown-number': 'empty',
  'connections.list.malformed-tn-beside-number': 'ignored',
  'connections.malformed-body': 400,
  'connections.members': 'all',
  'connections.create.body': '{accountId, experienceId, state?}',
  'connections.create.status': 201,
  'connections.create.initial-state': 'INACTIVE',
  'connections.create.activated-event': 'no',
  'connections.create.deactivated-event': 'no',
  'connections.create.unknown-account-or-experience': 422,
  'connections.update.body': '{state}',
  'connections.update.status': 200,
  'connections.state-letter-case': 'refused',
  'connections.update.missing-field': 422,
  'connections.delete.status': 204,
  'connections.delete.blocking-numbers': 'account',
  'connections.delete.other-assignments': 'kept',
  'users.token-without-claim-and-scope': 401,
  'users.list.count-hidden-account': 'zero',
  'users.list.sort-fields': 'all',
  'users.list.read-model-lag': 250,
  'users.rate-limit': 0,
  'users.fail-closed.unknown': 'refused',
  'users.native-id.ambiguous': 'legacy-numeric',
  'portal.same-state': 'refused',
  'portal.delete-with-numbers': 'allowed',
  'provisioning.assigned-means': 'account-assignment',
  'provisioning.several-experiences': 'one-each',
  'provisioning.account-deleted': 'sent',
  'subscriptions.without-experience': 'all-of-provider',
  'subscriptions.earlier-events': 'none',
  'events.webhook-id': 'same',
  'events.delivery.acknowledged-by': 'headers-and-body',
  'events.delivery.retry-schedule': 'standard',
  'events.delivery.failing-endpoint': 'each-alone',
  'events.delivery.signature': 'none',
  'events.delivery.signed-timestamp': 'wall-time',
  'oauth.assertion.audience': 'issuer-or-token-endpoint',
  'oauth.assertion.lifetime': 3600,
  'oauth.assertion.construction': 'rfc7523',
  'oauth.assertion.replay': 'refused',
  'oauth.client-basic': 'refused',
  'oauth.unknown-scope': 'refused',
  'oauth.login-hint': 'refused',
  'oauth.refresh': 'rotated',
  'oauth.other-grants': 'refused',
  'oauth.code-reuse': 'revoked',
  'oauth.token-response': 'rfc6749',
  'oauth.access-token-lifetime': 3600,
  'oauth.code-lifetime': 60,
  'oauth.error-body': 'rfc6749',
  'oauth.offline-access-alone': 'granted',
  'oauth.pkce-refused-at': 'authorize',
  'experience.types': 'GENERAL',
  'lists.cursor.format': 'signed',
  'lists.concurrent-inserts': 'yes-at-the-end',
  'versioning.scheme': 'none',
  'connect-and-activate': 'create-assign-activate',
  'events.provisioning.updated-at': 'creation',
  'events.deleted.updated-at': 'deletion',
  'events.connection.deleted.deactivated-first': 'no',
};
