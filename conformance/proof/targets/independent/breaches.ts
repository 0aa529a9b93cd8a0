export interface Breach {
  quote: string;
  what: string;
  /** True if the quote does not state the rule, but implies it. */
  implied?: true;
}

/** The breaches that `setBreach` can start, one at a time. */
const breaches = {
  'refused-delete-deactivates': {
    quote: 'any | delete of the connection | telephone numbers still assigned | unchanged | response 409',
    what: 'The refused deletion of an ACTIVE connection gets 409, but sets the connection to INACTIVE.',
  },
  'refused-update-touches': {
    quote: 'ACTIVE or INACTIVE | update requesting the state it already has | | unchanged | response 409',
    what: 'An update that requests the current state gets 409, but changes updatedAt.',
  },
  'inactive-deleted-with-numbers': {
    quote: 'any | delete of the connection | telephone numbers still assigned | unchanged | response 409',
    what: 'An INACTIVE connection is deleted although telephone numbers are still assigned.',
  },
  'second-connection-beside-inactive': {
    quote: '409 (a connection already exists for this account and Experience)',
    what: 'A second connection can be created while the first one is INACTIVE.',
  },
  'portal-deactivation-silent': {
    quote: 'experience.connection.deactivated | connection state becomes INACTIVE (portal or provider)',
    what: 'No event is sent when the connection is deactivated in the portal.',
  },
  'account-deletion-silent': {
    quote: 'experience.connection.deleted | provider deletes it, end user removes it in the portal, or the customer account is deleted',
    what: 'No connection event is sent when the customer account is deleted.',
  },
  'user-deletion-keeps-assignment': {
    quote: 'assignment removed by provider or in the portal, or the assigned account, user or number is deleted',
    what: 'Deleting a user does not delete assignments to the user.',
  },
  'number-deletion-silent': {
    quote: 'assignment removed by provider or in the portal, or the assigned account, user or number is deleted',
    what: 'Deleting a telephone number removes its assignments, but sends no event.',
  },
  'agent-conflict-per-provider': {
    quote: 'targetType is PHONE_NUMBER, the Experience is of type AGENT and the number is already assigned to another AGENT Experience',
    what: 'The number can be assigned to a second AGENT Experience of another provider.',
  },
  'unknown-user-404': {
    quote: '422 when: [...] targetType is USER and the user id is unknown to the unified user store',
    what: 'Creating an assignment to an unknown user returns 404.',
  },
  'refused-assignment-created': {
    quote: '422 when: required field missing or value invalid; duplicate assignment',
    implied: true,
    what: 'A creation that is refused with 422 because of another AGENT Experience creates the assignment anyway.',
  },
  'second-delete-204': {
    quote: '404 (missing, already deleted, or caller lacks access)',
    what: 'Deleting an assignment that is already deleted returns 204 again.',
  },
  'reader-gets-404': {
    quote: '403 (exists, caller may read but not delete)',
    what: 'Deleting an assignment that the caller may only read returns 404.',
  },
  'unfound-target-assignable': {
    quote: 'assignable | boolean | yes | false when the target cannot be found',
    what: 'The assignability check returns assignable true for a user who does not exist.',
  },
  'target-format-unchecked': {
    quote: '400 ([...] targetValue not matching the format of targetType)',
    what: 'The assignability check returns 200 with assignable false for a targetValue in the wrong format.',
  },
  'experience-without-account': {
    quote: '400 when: [...] experienceId without accountId',
    what: 'The assignments list accepts experienceId without accountId if targetType and targetValue are given.',
  },
  'experience-filter-lost': {
    quote: 'filters combine with logical AND',
    what: 'The assignments list ignores experienceId if targetType is also given.',
  },
  'ignored-number-checked': {
    quote: 'accountId | string uuid | when present, telephoneNumber and tn are ignored',
    what: 'A malformed telephoneNumber is refused although accountId is given.',
  },
  'tn-wins': {
    quote: 'required when accountId is absent; takes precedence over tn',
    what: 'The connections list uses tn when both telephoneNumber and tn are given.',
  },
  'hidden-connections-listed': {
    quote: '404 (missing, or caller lacks access)',
    implied: true,
    what: 'The connections list shows connections that the caller has no access to.',
  },
  'local-time': {
    quote: 'updatedAt | string date-time | ISO 8601 UTC',
    what: 'The updatedAt of connections is in local time, with its offset.',
  },
  'updated-at-not-moved': {
    quote: 'Compare data.updatedAt with the stored value and discard an event that is older',
    implied: true,
    what: 'Changing the state of a connection does not change its updatedAt.',
  },
  'count-of-page': {
    quote: 'count | integer int64 | no | users list only: total matching users across all pages',
    what: "The users list's count is the number of items on the page.",
  },
  'cursor-ignores-sort-order': {
    quote: 'opaque; bound to the accountId, sortBy and sortOrder it was issued for',
    what: 'A cursor of the users list can be replayed with another sortOrder.',
  },
  'page-size-prefix': {
    quote: '400: [...] pageSize not an integer from 1 to 200',
    what: 'The users list accepts a pageSize that only begins with an integer, such as 10.5.',
  },
  'page-size-capped': {
    quote: '400: [...] pageSize not an integer from 1 to 200',
    what: 'The users list accepts a pageSize over 200 and uses 200.',
  },
  'hidden-account-404': {
    quote: 'and also when the caller may not view the account (never 404 for this)',
    what: 'The users list returns 404 if the account does not exist or may not be viewed.',
  },
  'hidden-user-told': {
    quote: 'the caller may not view it, or the id style is unsupported; these cases are indistinguishable',
    what: 'The 404 for a user that the caller may not view contains a detail, unlike every other 404.',
  },
  'numeric-id-unknown': {
    quote: 'a native infrastructure user id of a supported style (the first supported infrastructure: URL-safe Base62 or legacy numeric',
    what: 'Reading a user by a legacy numeric id returns 404.',
  },
  'stale-user': {
    quote: 'GET /users/{userId} is always current',
    what: 'Reading a user returns data from the read model, so a change is visible only later.',
  },
  'deleted-user-listed': {
    quote: 'The list comes from a read model updated shortly after writes',
    what: 'The read model never drops a deleted user.',
  },
  'updated-at-creation': {
    quote: 'updatedAt | string or null, date-time | no | null if never updated',
    what: 'The updatedAt of a user who was never updated equals createdAt.',
  },
  'failure-told': {
    quote: 'detail is always one fixed generic message',
    what: 'The detail of a 500 response contains the cause and the time of the failure.',
  },
  'user-get-fails-open': {
    quote: 'including when the authorization service cannot be reached (requests fail closed)',
    what: 'GET /users/{userId} succeeds while the authorization service cannot be reached.',
  },
  'claim-missing-403': {
    quote: 'For the users endpoints a token also needs the claim urn:<vendor>:claims:principal_id, else 401',
    what: 'A token without the principal claim gets 403 at the users endpoints.',
  },
  'expired-token-grace': {
    quote: 'A missing, invalid or expired token gives 401',
    what: 'A token is accepted for one minute after it expires.',
  },
  'connections-scope-for-assignments': {
    quote: 'Scope: experience-assignments:manage',
    what: 'The scope experience-connections:manage also allows the operations on assignments.',
  },
  'bucket-per-path-form': {
    quote: '100 requests per second per credential',
    what: 'Each path form of the assignability check has its own rate limit.',
  },
  'limit-without-trace-id': {
    quote: 'The traceId is always present',
    what: 'The body of a 429 response has no traceId.',
  },
  'no-retry-after-4xx': {
    quote: 'answers with a 2xx status to acknowledge (any other status triggers retries)',
    what: 'A 4xx response from the subscriber ends the delivery.',
  },
  'redirect-acknowledges': {
    quote: 'answers with a 2xx status to acknowledge (any other status triggers retries)',
    what: 'A 3xx response from the subscriber counts as an acknowledgement.',
  },
  'new-id-on-repeat': {
    quote: 'webhook-id | unique id of the event; used to deduplicate',
    what: 'Each repeat of a delivery has a new webhook-id.',
  },
  'timestamp-of-first-attempt': {
    quote: 'webhook-timestamp | Unix time in seconds when sent',
    what: 'Each repeat of a delivery has the webhook-timestamp of the first attempt.',
  },
  'narrow-subscription-flooded': {
    quote: 'The subscriber supplies destinationUrl, optionally experienceId, and the list types of event types',
    implied: true,
    what: 'A subscription with an experienceId receives events of other Experiences.',
  },
  'types-by-prefix': {
    quote: 'The subscriber supplies destinationUrl, optionally experienceId, and the list types of event types',
    implied: true,
    what: 'A subscription to one event type receives every event type about the same kind of entity.',
  },
  'code-twice': {
    quote: 'redirect to redirect_uri | query code (short-lived) and state',
    implied: true,
    what: 'An authorization code can be exchanged more than once.',
  },
  'pkce-optional': {
    quote: 'PKCE is required',
    what: 'An authorization request without code_challenge gets a code, which can be exchanged without code_verifier.',
  },
  'verifier-any-length': {
    quote: 'generate a random code_verifier of 43 to 128 unreserved characters',
    what: 'A code_verifier of fewer than 43 or more than 128 characters is accepted.',
  },
  'both-client-authentications': {
    quote: 'Client authentication (never both in one request)',
    what: 'A token request with client_secret and client_assertion is accepted.',
  },
} satisfies Record<string, Breach>;

export type BreachName = keyof typeof breaches;

export const BREACHES: Record<BreachName, Breach> = breaches;
