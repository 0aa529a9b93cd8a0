// Machine-written by `npm run generate` from openapi/decisions.yaml, openapi/openapi.yaml. Do not edit.

/** The decisions of the kit: one value for every point that the specification leaves open. In each type, the default comes first. */
export interface Decisions {
  /** Which status does a token without the required scope get from all operations except the users operations? */
  'auth.missing-scope': 403 | 401;
  /** Which vendor name does the claim urn:<vendor>:claims:principal_id contain? */
  'auth.principal-claim': string;
  /** Which status does a body with a content type other than JSON get? */
  'http.body.content-type': 'as-malformed' | 415;
  /** What happens to read-only and unknown fields in a body? */
  'http.body.read-only-fields': 'ignored' | 422;
  /** What happens to query parameters that the operation does not document? */
  'http.query.unknown-parameter': 'ignored' | 400;
  /** What happens if a request repeats a query parameter that may have only one value? */
  'http.query.duplicate-parameter': 400 | 'first' | 'last';
  /** May a UUID in a request contain upper-case letters? */
  'http.uuid-letter-case': 'accepted' | 'refused';
  /** Must a telephone number in a request begin with a plus sign? */
  'http.e164-plus': 'needed';
  /** Is every telephone number in E.164 form valid, or must a numbering plan also allow the number? */
  'http.e164-plan': 'shape';
  /** Which status does a request get if the id in its path is not a UUID? The specification documents the path ids of Experiences, assignments and connections as strings. */
  'http.path-id': 404 | 400;
  /** Which error is returned if a request has several errors? */
  'http.precedence': 'as-listed';
  /** Which status does an operation return while the service cannot use its database? A 503 is documented only for the users operations. */
  'http.outage': 503;
  /** What do the assignments and connections lists return for a cursor that was altered or that belongs to another list? */
  'lists.cursor.invalid': 400 | 'first-page' | 'empty';
  /** In which order are assignments and connections listed? */
  'lists.order': 'newest-last' | 'newest-first';
  /** What do the assignments and connections lists return for an account that does not exist or that the caller may not view? */
  'lists.hidden-account': 'empty' | 403 | 404;
  /** After how many milliseconds do the assignments and connections lists show a write? A delay is documented only for the users list. */
  'lists.read-model-lag': number;
  /** Does a list whose last page is full return a cursor to an additional page? */
  'lists.last-page': 'none' | 'empty-page';
  /** What does pageSize in a response mean? */
  'lists.page-size': 'asked-for' | 'held';
  /** How many items does a page contain while more items follow: all that pageSize allows (full), about half as many (short), or none on the first page and then about half as many (empty)? */
  'lists.page-fill': string;
  /** Is a target assignable if it is already assigned to the Experience? */
  'assignability.already-assigned': false | true;
  /** Is a number assignable to an AGENT Experience while the number is assigned to another AGENT Experience? */
  'assignability.agent-conflict': false | true;
  /** Is a target assignable if it exists but the caller may not view or manage it? */
  'assignability.hidden-target': false | true;
  /** Over which period does the rate limit count checks? */
  'limits.assignability.window': 'sliding' | 'fixed' | 'bucket' | 'small-bucket';
  /** Which checks count towards the rate limit? */
  'limits.assignability.counts': 'authenticated' | 'valid';
  /** Does a 429 response contain Retry-After? */
  'limits.assignability.retry-after': 'sent' | 'absent';
  /** To which credential does the rate limit apply? */
  'limits.assignability.credential': 'client' | 'token';
  /** Do operations without a documented rate limit have a rate limit? */
  'limits.other-operations': 'none';
  /** What happens if a request for the assignments list has a pageSize below 1 or above 100? */
  'assignments.list.page-size-out-of-range': 400 | 'clamped';
  /** May a request combine accountId with targetType and targetValue? This combination is not in the list of valid combinations, but “combine with AND” allows it. */
  'assignments.list.account-with-target': 'and' | 400;
  /** Which status does a create request get if its body is not JSON or not a JSON object? No 400 is documented for this operation. */
  'assignments.create.malformed-body': 422 | 400;
  /** Which status does a create request get if its target is already assigned to the Experience? The specification names this case for both 409 and 422. */
  'assignments.create.duplicate': 409 | 422;
  /** Which status does a create request get if its Experience does not exist or is not accessible to the caller? */
  'assignments.create.unknown-experience': 422 | 409 | 403 | 404;
  /** Which status does a create request get if the caller has only read access to the Experience in the request? */
  'assignments.create.read-only-experience': 422 | 409 | 403 | 404;
  /** Which status does a create request get if its account or number does not exist, or if the caller has no access to its target? */
  'assignments.create.unknown-target': 422 | 409 | 403 | 404;
  /** Which status does a create request get if its target belongs to an account that the caller may only read? */
  'assignments.create.read-only-target': 422 | 409 | 403 | 404;
  /** Must the target's account be connected to the Experience before an assignment is created? */
  'assignments.create.needs-connection': 'no' | 409;
  /** What does the connections list return for a telephone number that no accessible account owns? */
  'connections.list.unknown-number': 'empty' | 403 | 404;
  /** What happens to a malformed tn if the request also contains a valid telephoneNumber, which takes precedence? */
  'connections.list.malformed-tn-beside-number': 'ignored' | 400;
  /** Which status does a request to create or update a connection get if its body is JSON but not an object? */
  'connections.malformed-body': 400 | 422;
  /** Which members does every connection contain? The specification marks no member as required. */
  'connections.members': 'all';
  /** What is the body of a request that creates a connection? */
  'connections.create.body': '{accountId, experienceId, state?}';
  /** Which status is returned when a connection is created? */
  'connections.create.status': 201 | 200 | 202;
  /** Which state does a new connection have if the request contains no state? */
  'connections.create.initial-state': 'INACTIVE' | 'ACTIVE';
  /** Does the creation of an ACTIVE connection publish experience.connection.activated in addition to experience.connection.created? */
  'connections.create.activated-event': 'no' | 'yes';
  /** Does the creation of an INACTIVE connection publish experience.connection.deactivated in addition to experience.connection.created? */
  'connections.create.deactivated-event': 'no' | 'yes';
  /** Which status does a request to create a connection get if its account or Experience does not exist or is not accessible to the caller? */
  'connections.create.unknown-account-or-experience': 422 | 403 | 404;
  /** What is the body of a request that updates a connection? */
  'connections.update.body': '{state}';
  /** Which status is returned when a connection is updated? */
  'connections.update.status': 200 | 204 | 202;
  /** May a state in a request contain lower-case letters? */
  'connections.state-letter-case': 'refused' | 'accepted';
  /** Which status does a request to update a connection get if its body contains no state? */
  'connections.update.missing-field': 422 | 400;
  /** Which status is returned when a connection is deleted? */
  'connections.delete.status': 204 | 200 | 202;
  /** Which telephone numbers prevent the deletion of a connection? */
  'connections.delete.blocking-numbers': 'account' | 'experience';
  /** What happens to an account's USER and ACCOUNT assignments when the account's connection is deleted? */
  'connections.delete.other-assignments': 'kept' | 'removed';
  /** Which status do the users operations return for a token that lacks both the principal claim and the scope? */
  'users.token-without-claim-and-scope': 401 | 403;
  /** Which count does the users list contain for an account that the caller may not view? */
  'users.list.count-hidden-account': 'zero' | 'absent';
  /** Which values may sortBy and sortOrder have, and what are their defaults? */
  'users.list.sort-fields': 'all' | 'createdAt';
  /** After how many milliseconds does the users list show a write? */
  'users.list.read-model-lag': number;
  /** How many requests per second may one credential send to the users operations? */
  'users.rate-limit': number;
  /** Which status does a request about an unknown user or account get while the authorization service is unreachable? */
  'users.fail-closed.unknown': 'refused';
  /** Which user does a native id identify if it contains only digits and therefore fits both supported styles? */
  'users.native-id.ambiguous': 'legacy-numeric' | 'base62';
  /** What happens if the portal requests the state that a connection already has? */
  'portal.same-state': 'refused' | 'no-op';
  /** May the portal remove a connection while telephone numbers are assigned to the Experience? */
  'portal.delete-with-numbers': 'allowed' | 'refused';
  /** When is an account “assigned to the Experience” for provisioning events? */
  'provisioning.assigned-means': 'account-assignment' | 'connection';
  /** How many events are published when a user is created in an account that is assigned to several Experiences? */
  'provisioning.several-experiences': 'one-each' | 'one';
  /** Does deleting an account publish provisioning.user.deleted for its users? */
  'provisioning.account-deleted': 'sent' | 'not-sent';
  /** Which events does a subscription without experienceId receive? */
  'subscriptions.without-experience': 'all-of-provider';
  /** Does a subscription receive events about changes that were made before the subscription was created? */
  'subscriptions.earlier-events': 'none';
  /** Does one event have the same webhook-id in every subscription? */
  'events.webhook-id': 'same' | 'different';
  /** Which part of the response to a delivery must arrive within 15 seconds? */
  'events.delivery.acknowledged-by': 'headers-and-body' | 'headers';
  /** When and how often is a delivery repeated? */
  'events.delivery.retry-schedule': 'standard' | 'fast';
  /** Are deliveries to an endpoint paused or ended if other deliveries to the same endpoint fail? */
  'events.delivery.failing-endpoint': 'each-alone';
  /** How are deliveries signed? */
  'events.delivery.signature': 'none' | 'standard-webhooks';
  /** Which clock does the webhook-timestamp of a signed delivery follow? */
  'events.delivery.signed-timestamp': 'wall-time' | 'kit-time';
  /** Which audience must a client assertion have? */
  'oauth.assertion.audience': 'issuer-or-token-endpoint' | 'token-endpoint' | 'also-others';
  /** How many seconds in the future may the expiry of a client assertion be? RFC 7523, section 3, lets a server refuse an exp that is unreasonably far in the future. */
  'oauth.assertion.lifetime': number;
  /** Which algorithms and claims must a client assertion have? */
  'oauth.assertion.construction': 'rfc7523';
  /** May a client assertion be used twice? */
  'oauth.assertion.replay': 'refused' | 'accepted';
  /** May a client authenticate with HTTP Basic? */
  'oauth.client-basic': 'refused' | 'accepted';
  /** What happens if an authorization request contains an unknown scope? */
  'oauth.unknown-scope': 'refused' | 'ignored';
  /** What happens if login_hint is missing or not E.164? */
  'oauth.login-hint': 'refused' | 'ignored';
  /** Does a token response contain a refresh token if the scope offline_access is granted? */
  'oauth.refresh': 'rotated' | 'kept' | 'none';
  /** Does the token endpoint support undocumented grant types? */
  'oauth.other-grants': 'refused' | 'client-credentials';
  /** Does the reuse of an authorization code revoke the tokens that were issued for the code? */
  'oauth.code-reuse': 'revoked' | 'kept';
  /** Which members does a token response contain besides expires_in? */
  'oauth.token-response': 'rfc6749';
  /** For how many seconds is an access token valid? */
  'oauth.access-token-lifetime': number;
  /** For how many seconds is a “short-lived” authorization code valid? */
  'oauth.code-lifetime': number;
  /** Does the authorization server return errors as problem details, like the API, or as OAuth errors? */
  'oauth.error-body': 'rfc6749' | 'problem';
  /** What happens if a request contains the scope offline_access without the connection and assignment scopes? */
  'oauth.offline-access-alone': 'granted' | 'refused';
  /** At which step is a missing or invalid code_challenge refused? */
  'oauth.pkce-refused-at': 'authorize';
  /** Which types of Experience exist besides AGENT? */
  'experience.types': 'GENERAL';
  /** What is the format of a cursor, and when does it expire? */
  'lists.cursor.format': 'signed' | 'reserved-characters';
  /** Does a traversal of a list return items that are inserted during the traversal? */
  'lists.concurrent-inserts': 'yes-at-the-end';
  /** Does the API version appear in paths or in headers? */
  'versioning.scheme': 'none';
  /** What are the steps of the connect-and-activate flow? */
  'connect-and-activate': 'create-assign-activate';
  /** Which updatedAt does provisioning.user.created contain for a user that was never updated? */
  'events.provisioning.updated-at': 'creation';
  /** Which updatedAt does the event for a deletion contain? */
  'events.deleted.updated-at': 'deletion';
  /** Does the deletion of an ACTIVE connection also publish experience.connection.deactivated? */
  'events.connection.deleted.deactivated-first': 'no' | 'yes';
}

export type DecisionId = keyof Decisions;

/** The open points that affect an operation, by operation. */
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
    | 'lists.last-page'
    | 'lists.page-size'
    | 'lists.page-fill'
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
    | 'lists.last-page'
    | 'lists.page-size'
    | 'lists.page-fill'
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
    | 'lists.last-page'
    | 'lists.page-size'
    | 'lists.page-fill'
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
  'lists.last-page': 'none',
  'lists.page-size': 'asked-for',
  'lists.page-fill': 'full',
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
