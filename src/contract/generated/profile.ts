// Machine-written by `npm run generate` from conformance/profile.schema.yaml. Do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /**
     * Target profile
     * @description A target profile describes a server that `xpk conformance` tests. Every member is optional. A check that needs a missing member is not testable, and the report names the member. In every string, ${NAME} stands for the environment variable NAME. Reports never contain secrets from the environment.
     */
    readonly Profile: {
      /**
       * @description The target's name in reports.
       * @example Staging
       */
      readonly name?: string;
      /**
       * @description The service's base URL, an http or https URL such as https://api.example.com.
       * @example https://api.example.com
       */
      readonly baseUrl?: string;
      /**
       * @description The path forms to test. Default: both.
       * @example [
       *       "prefixed",
       *       "flat"
       *     ]
       */
      readonly forms?: readonly ("prefixed" | "flat")[];
      /**
       * @description Headers to send with every request.
       * @example {
       *       "x-api-key": "${API_KEY}"
       *     }
       */
      readonly headers?: components["schemas"]["Headers"];
      /**
       * @description The request timeout, in seconds. Default: 10.
       * @example 10
       */
      readonly timeoutSeconds?: number;
      /**
       * @description The maximum number of requests per second. The maximum also applies to the rate checks (allow.rate).
       * @example 50
       */
      readonly requestsPerSecond?: number;
      /** @description What the suite may do. By default, it may only read. */
      readonly allow?: {
        /**
         * @description Create, change and delete assignments and connections for the accounts and Experiences below. The suite deletes what it creates. Without this, most rules cannot be tested.
         * @example false
         */
        readonly write?: boolean;
        /**
         * @description Send several hundred requests within one second.
         * @example false
         */
        readonly rate?: boolean;
      };
      /** @description Random sequences of requests and actions, whose results are compared with a kit that gets the same commands. Needs allow.write. */
      readonly explore?: {
        /**
         * @description The time for sequences, in seconds; 0 omits them. The option --explore takes precedence. Default: 20.
         * @example 20
         */
        readonly seconds?: number;
        /**
         * @description The longest sequence. Default: 20.
         * @example 20
         */
        readonly commands?: number;
        /**
         * @description Whether several clients may send a command at the same moment. Default: true.
         * @example true
         */
        readonly parallel?: boolean;
      };
      /** @description Access tokens. Take them from the environment instead of writing them into this file. */
      readonly tokens?: {
        /**
         * @description A token with all four scopes and the principal claim. Its user may manage the accounts and Experiences below.
         * @example ${XPK_TOKEN}
         */
        readonly full?: components["schemas"]["Token"];
        /**
         * @description A token with all scopes. Its user may read the accounts and Experiences below, but manage nothing.
         * @example ${XPK_TOKEN_READER}
         */
        readonly reader?: components["schemas"]["Token"];
        /**
         * @description A token with all scopes. Its user may see none of the accounts and Experiences below.
         * @example ${XPK_TOKEN_OUTSIDER}
         */
        readonly outsider?: components["schemas"]["Token"];
        /**
         * @description A token with the same permissions as `full`, issued to another client.
         * @example ${XPK_TOKEN_SECOND}
         */
        readonly secondCredential?: components["schemas"]["Token"];
        /**
         * @description A token like `full`, but without the principal claim.
         * @example ${XPK_TOKEN_WITHOUT_CLAIM}
         */
        readonly withoutClaim?: components["schemas"]["Token"];
        /**
         * @description A token like `full`, but without the principal claim and without the scope users:manage.
         * @example ${XPK_TOKEN_WITHOUT_CLAIM_AND_SCOPE}
         */
        readonly withoutClaimAndScope?: components["schemas"]["Token"];
        /**
         * @description A token like `full`, but expired.
         * @example ${XPK_TOKEN_EXPIRED}
         */
        readonly expired?: components["schemas"]["Token"];
        /** @description For each of the four scopes, a token like `full`, but without this scope. */
        readonly withoutScope?: {
          /** @example ${XPK_TOKEN_WITHOUT_ASSIGNABILITY} */
          readonly "experience-assignability:check": components["schemas"]["Token"];
          /** @example ${XPK_TOKEN_WITHOUT_ASSIGNMENTS} */
          readonly "experience-assignments:manage": components["schemas"]["Token"];
          /** @example ${XPK_TOKEN_WITHOUT_CONNECTIONS} */
          readonly "experience-connections:manage": components["schemas"]["Token"];
          /** @example ${XPK_TOKEN_WITHOUT_USERS} */
          readonly "users:manage": components["schemas"]["Token"];
        };
      };
      /** @description Ids of accounts. */
      readonly accounts?: {
        /** @description The account to which freeNumbers and freeUsers belong. */
        readonly main?: components["schemas"]["Id"];
        /** @description Another account that tokens.full may manage. */
        readonly second?: components["schemas"]["Id"];
        /** @description An existing account that tokens.full may not view. */
        readonly hidden?: components["schemas"]["Id"];
        /** @description An account with more than 200 users. */
        readonly manyUsers?: components["schemas"]["Id"];
        /** @description An account with more than 100 connections. */
        readonly manyConnections?: components["schemas"]["Id"];
      };
      /** @description Ids of Experiences. */
      readonly experiences?: {
        /** @description An Experience of any type. */
        readonly main?: components["schemas"]["Id"];
        /** @description Another Experience of any type. */
        readonly second?: components["schemas"]["Id"];
        /** @description An Experience of type AGENT. */
        readonly agent?: components["schemas"]["Id"];
        /** @description Another Experience of type AGENT. */
        readonly secondAgent?: components["schemas"]["Id"];
        /** @description An Experience that tokens.full is permitted to read, but not to check for assignability. */
        readonly readOnly?: components["schemas"]["Id"];
        /** @description An existing Experience that tokens.full may not view. */
        readonly hidden?: components["schemas"]["Id"];
        /** @description At least three Experiences without a connection to the main or the second account. */
        readonly unconnected?: readonly components["schemas"]["Id"][];
        /**
         * @description Maps an Experience id to the name and the provider id that events contain.
         * @example {
         *       "00000000-0000-4000-8000-000000000006": {
         *         "name": "Concierge",
         *         "providerId": "acme"
         *       }
         *     }
         */
        readonly facts?: {
          readonly [key: string]: {
            readonly name: string;
            readonly providerId: string;
          };
        };
      };
      /** @description Unassigned telephone numbers in the main account. Provide more than a dozen, because some checks need twelve at a time. */
      readonly freeNumbers?: readonly components["schemas"]["TelephoneNumber"][];
      /** @description A telephone number in the second account. */
      readonly numberOfSecondAccount?: components["schemas"]["TelephoneNumber"];
      /**
       * @description The longest delay, in milliseconds, before a change appears in the lists of assignments and connections. Default: no delay.
       * @example 1000
       */
      readonly listsBoundMs?: number;
      /** @description An Experience that is assigned to more than 100 targets in one account. */
      readonly manyAssignments?: {
        readonly accountId: components["schemas"]["Id"];
        readonly experienceId: components["schemas"]["Id"];
        /**
         * @description The number of assignments.
         * @example 120
         */
        readonly count: number;
      };
      /** @description Unified ids of unassigned users in the main account. Provide more than a dozen, because some checks need twelve at a time. */
      readonly freeUsers?: readonly components["schemas"]["Id"][];
      readonly users?: {
        /** @description An existing user whom tokens.full may not view. */
        readonly hidden?: components["schemas"]["Id"];
        /** @description A user with a Base62 native id. */
        readonly base62?: components["schemas"]["NativeUser"];
        /** @description A user with a legacy numeric native id. */
        readonly legacyNumeric?: components["schemas"]["NativeUser"];
        /** @description A native id that is one user's legacy numeric id and another user's Base62 id, with the unified ids of both users. */
        readonly ambiguous?: {
          /** @example 4815162342 */
          readonly nativeId: string;
          readonly legacyNumeric: components["schemas"]["Id"];
          readonly base62: components["schemas"]["Id"];
        };
        /**
         * @description The longest delay, in milliseconds, before a change appears in the users list.
         * @example 5000
         */
        readonly readModelBoundMs?: number;
        /** @description How the users list can be sorted. The specification does not define the values. */
        readonly sort?: {
          /** @description Maps each field by which the list can be sorted to its sortBy value. */
          readonly fields: {
            /** @example createdAt */
            readonly createdAt?: string;
            /** @example updatedAt */
            readonly updatedAt?: string;
            /** @example firstName */
            readonly firstName?: string;
            /** @example lastName */
            readonly lastName?: string;
          };
          /**
           * @description The sortOrder value for ascending order.
           * @example asc
           */
          readonly ascending: string;
          /**
           * @description The sortOrder value for descending order.
           * @example desc
           */
          readonly descending: string;
        };
      };
      /** @description Request bodies that the specification does not define. In their strings, {{accountId}}, {{experienceId}} and {{state}} are replaced with values; {{state?}} marks an optional member. */
      readonly bodies?: {
        /**
         * @example {
         *       "accountId": "{{accountId}}",
         *       "experienceId": "{{experienceId}}",
         *       "state": "{{state?}}"
         *     }
         */
        readonly connectionCreate?: Record<string, unknown>;
        /**
         * @example {
         *       "state": "{{state}}"
         *     }
         */
        readonly connectionUpdate?: Record<string, unknown>;
      };
      /** @description The authorization server and its clients. Take secrets from the environment instead of writing them into this file. */
      readonly authorization?: {
        /**
         * @description The {auth_url} in the specification. The suite uses the paths /authorize and /oauth/token below it.
         * @example https://auth.example.com
         */
        readonly url?: components["schemas"]["Address"];
        /** @description A client that authenticates with client_secret. */
        readonly secretClient?: {
          /** @example conformance */
          readonly id: components["schemas"]["Id"];
          /** @example ${XPK_CLIENT_SECRET} */
          readonly secret: string;
          /** @example http://127.0.0.1:3000/callback */
          readonly redirectUri: components["schemas"]["Address"];
        };
        /** @description A client that authenticates with client_assertion. */
        readonly keyClient?: {
          /** @example conformance */
          readonly id: components["schemas"]["Id"];
          /**
           * @description The private key as a JWK. Its kid and alg are used if present.
           * @example {
           *       "kty": "OKP",
           *       "crv": "Ed25519",
           *       "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
           *       "d": "${XPK_CLIENT_KEY}"
           *     }
           */
          readonly privateKey: Record<string, unknown>;
          /**
           * @description The audience (aud) of the client assertions.
           * @example https://auth.example.com/oauth/token
           */
          readonly audience: string;
          /** @example http://127.0.0.1:3000/callback */
          readonly redirectUri: components["schemas"]["Address"];
          /**
           * @description The same client's secret, if the client can also authenticate with client_secret.
           * @example ${XPK_CLIENT_SECRET}
           */
          readonly secret?: string;
        };
        /** @description The telephone number of a user who may manage the main account. */
        readonly loginHint?: components["schemas"]["TelephoneNumber"];
        /**
         * @description The lifetime of an authorization code, in seconds. The suite waits until a code has expired.
         * @example 60
         */
        readonly codeLifetimeSeconds?: number;
        /**
         * @description The longest time, in seconds, that a check may wait until a code or an access token has expired. The clients' tokens should be short-lived, because the suite waits for expires_in seconds.
         * @example 90
         */
        readonly waitSeconds?: number;
        /**
         * @description How this user's requests are approved. automatic: by the server, without a login. interactive: by a person, whom the suite asks to log in if it runs with --interactive. The person's browser is redirected to this machine.
         * @example interactive
         * @enum {unknown}
         */
        readonly approve?: "automatic" | "interactive";
      };
      /** @description The address at which the suite receives deliveries, and the time for which it waits for them. The hook subscriptions.create creates a subscription for each check. Without the hook, the member `subscription` must describe an existing subscription. */
      readonly events?: {
        readonly receiver: {
          /**
           * @description The URL at which the target reaches the receiver, such as https://hooks.example.com. A proxy or tunnel at this URL forwards requests to `listen`.
           * @example https://hooks.example.com
           */
          readonly publicUrl: components["schemas"]["Address"];
          /**
           * @description Whether this machine can also reach publicUrl. If so, the suite tests publicUrl before the run. Default: true.
           * @example true
           */
          readonly reachableFromHere?: boolean;
          /**
           * @description The address at which the suite listens: host:port, such as 127.0.0.1:9000.
           * @example 127.0.0.1:9000
           */
          readonly listen: string;
        };
        /** @description A subscription that the operator created for all event types, without an experienceId. Its destinationUrl is publicUrl followed by `path`. */
        readonly subscription?: {
          /** @description The subscriptionId. */
          readonly id: components["schemas"]["Id"];
          /**
           * @description The path below publicUrl, such as /events.
           * @example /events
           */
          readonly path: string;
        };
        /**
         * @description The longest time, in seconds, until an event is delivered. A later event is a failure. Without this member, the suite waits 30 seconds, and a check is not testable if its event does not arrive.
         * @example 30
         */
        readonly patienceSeconds?: number;
        /**
         * @description The additional time, in seconds, to wait for an event that must not be delivered. Default: 2.
         * @example 2
         */
        readonly graceSeconds?: number;
        /**
         * @description The longest time, in seconds, until an unacknowledged delivery is repeated. A later repeat is a failure. Without this member, checks of repeats are not testable. With this member, checks respond to some deliveries with errors or not at all, and eventually acknowledge them. If the target disables failing endpoints, omit this member or provide the hook subscriptions.create.
         * @example 60
         */
        readonly repeatsWithinSeconds?: number;
      };
      /** @description Actions that only an operator can perform: functions in a module, or URLs that receive a POST request with a JSON body and respond with 2xx. Every hook is optional. Hooks that create, change and remove the same kind of entity are used only together, and only with allow.write. A hook takes precedence over another member that provides the same value. */
      readonly hooks?: {
        /**
         * @description The path of a module, relative to the profile. The module exports functions, each named after its hook in camel case. A function receives the object described below and returns the response, or a promise for the response: export async function platformUsersCreate({ accountId, firstName, lastName }) { …; return { userId } }
         * @example ./hooks.mjs
         */
        readonly module?: string;
        /** @description The URL of each hook, with the body that the hook receives and the response that it returns. */
        readonly urls?: {
          /** @description Receives {operation, status} with the accountId (getUsers) or the userId (getUser). The next request to the operation for this account or user fails with the status. No other request fails. */
          readonly "fault.users"?: components["schemas"]["Address"];
          /** @description Receives {operation} with the accountId (getUsers) or the userId (getUser). The target cannot reach its authorization service during the next request to the operation for this account or user. No other request is affected. The target, not the hook, responds to the request. */
          readonly "fault.authorization"?: components["schemas"]["Address"];
          /** @description Receives {accountId, firstName?, lastName?}, returns {userId}. */
          readonly "platform.users.create"?: components["schemas"]["Address"];
          /** @description Receives {userId, firstName}. */
          readonly "platform.users.rename"?: components["schemas"]["Address"];
          /** @description Receives {userId}. */
          readonly "platform.users.remove"?: components["schemas"]["Address"];
          /** @description Receives {accountId}, returns the {telephoneNumber} of an unassigned number, never the same number twice. */
          readonly numbers?: components["schemas"]["Address"];
          /** @description Receives the {telephoneNumber} of a number that the suite no longer needs. */
          readonly "numbers.release"?: components["schemas"]["Address"];
          /** @description Receives {accountId}, returns the {userId} of an unassigned user, never the same user twice. */
          readonly users?: components["schemas"]["Address"];
          /** @description Receives the {userId} of a user that the suite no longer needs. */
          readonly "users.release"?: components["schemas"]["Address"];
          /** @description Receives {}, returns the {experienceId, name?, providerId?} of an Experience without a connection to the main or the second account. Three calls in a row return three different Experiences. Events contain the name and the providerId. */
          readonly "experiences.unconnected"?: components["schemas"]["Address"];
          /** @description Receives the {experienceId} of an Experience that the suite no longer needs. */
          readonly "experiences.unconnected.release"?: components["schemas"]["Address"];
          /** @description Receives {destinationUrl, types, experienceId?}, returns {subscriptionId}. */
          readonly "subscriptions.create"?: components["schemas"]["Address"];
          /** @description Receives {subscriptionId}. */
          readonly "subscriptions.remove"?: components["schemas"]["Address"];
          /** @description Receives {accountId, experienceId, state}, returns {connectionId}. Creates the connection in an end-user portal. A portal that cannot choose the state ignores state. */
          readonly "portal.connections.create"?: components["schemas"]["Address"];
          /** @description Receives {connectionId, state}. */
          readonly "portal.connections.update"?: components["schemas"]["Address"];
          /** @description Receives {connectionId}. */
          readonly "portal.connections.remove"?: components["schemas"]["Address"];
          /** @description Receives {experienceId, targetType, targetValue}, returns {assignmentId}. Creates the assignment in an end-user portal. */
          readonly "portal.assignments.create"?: components["schemas"]["Address"];
          /** @description Receives {assignmentId}. */
          readonly "portal.assignments.remove"?: components["schemas"]["Address"];
          /** @description Receives {accountId}, returns {userId}. Creates the user in an end-user portal. */
          readonly "portal.users.create"?: components["schemas"]["Address"];
          /** @description Receives {userId}. */
          readonly "portal.users.remove"?: components["schemas"]["Address"];
          /** @description Receives {accountId, experienceId, state}, returns {connectionId}. Creates the connection on the platform. A platform that cannot choose the state ignores state. */
          readonly "platform.connections.create"?: components["schemas"]["Address"];
          /** @description Receives {connectionId, state}. */
          readonly "platform.connections.update"?: components["schemas"]["Address"];
          /** @description Receives {connectionId}. */
          readonly "platform.connections.remove"?: components["schemas"]["Address"];
          /** @description Receives {experienceId, targetType, targetValue}, returns {assignmentId}. Creates the assignment on the platform. */
          readonly "platform.assignments.create"?: components["schemas"]["Address"];
          /** @description Receives {assignmentId}. */
          readonly "platform.assignments.remove"?: components["schemas"]["Address"];
          /** @description Receives {}, returns the {accountId} of an empty account that tokens.full may manage. */
          readonly "platform.accounts.create"?: components["schemas"]["Address"];
          /** @description Receives {accountId}. Deletes the account and everything in it. */
          readonly "platform.accounts.remove"?: components["schemas"]["Address"];
          /** @description Receives {accountId}, returns the {telephoneNumber} of a new number in the account. */
          readonly "platform.numbers.create"?: components["schemas"]["Address"];
          /** @description Receives {telephoneNumber}. Deletes the number. */
          readonly "platform.numbers.remove"?: components["schemas"]["Address"];
          /** @description Receives {}, returns {accessToken}, like tokens.full but expired. */
          readonly "token.expired"?: components["schemas"]["Address"];
        };
        /**
         * @description Headers to send with requests to the URLs.
         * @example {
         *       "authorization": "Bearer ${XPK_OPERATOR_TOKEN}"
         *     }
         */
        readonly headers?: components["schemas"]["Headers"];
      };
      /**
       * @description Rules that do not apply to this target, each with a reason.
       * @example [
       *       {
       *         "rule": "users.get.by-legacy-numeric-id",
       *         "form": "prefixed",
       *         "reason": "this platform never had numeric ids"
       *       }
       *     ]
       */
      readonly notApplicable?: readonly {
        readonly rule: string;
        /** @enum {unknown} */
        readonly form?: "prefixed" | "flat";
        readonly reason: string;
      }[];
    };
    readonly Headers: {
      readonly [key: string]: string;
    };
    /** @description A token must not contain spaces. */
    readonly Token: string;
    readonly Id: string;
    /** @description It must be an http or https address. */
    readonly Address: string;
    /** @description It must be a number in quotes, such as '+12065550100'. */
    readonly TelephoneNumber: string;
    readonly NativeUser: {
      /** @example 4fT9bQ */
      readonly nativeId: string;
      readonly unifiedId: components["schemas"]["Id"];
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type Profile = components['schemas']['Profile'];
export type Headers = components['schemas']['Headers'];
export type Token = components['schemas']['Token'];
export type Id = components['schemas']['Id'];
export type Address = components['schemas']['Address'];
export type TelephoneNumber = components['schemas']['TelephoneNumber'];
export type NativeUser = components['schemas']['NativeUser'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
