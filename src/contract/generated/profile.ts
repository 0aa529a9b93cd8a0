// Machine-written by `npm run generate` from conformance/profile.schema.yaml. Do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /**
     * Target profile
     * @description A target profile: describes a server that `xpk conformance` tests. Every member is optional: a check that needs a missing member is not testable, and the report names the member. In every string, ${NAME} stands for the environment variable NAME. Reports never contain secrets from the environment.
     */
    readonly Profile: {
      /**
       * @description The name of the target in reports.
       * @example Staging
       */
      readonly name?: string;
      /**
       * @description The base URL of the service, an http or https address such as https://api.example.com.
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
       * @description Headers of every request.
       * @example {
       *       "x-api-key": "${API_KEY}"
       *     }
       */
      readonly headers?: components["schemas"]["Headers"];
      /**
       * @description How long a request may take. Default: 10.
       * @example 10
       */
      readonly timeoutSeconds?: number;
      /**
       * @description The highest number of requests per second. It also limits the rate checks (allow.rate).
       * @example 50
       */
      readonly requestsPerSecond?: number;
      /** @description What the suite may do at the target. Default: read only. */
      readonly allow?: {
        /**
         * @description Create, change and delete assignments and connections of the accounts and Experiences below. The suite deletes what it creates. Without this, most rules cannot be tested.
         * @example false
         */
        readonly write?: boolean;
        /**
         * @description Send several hundred requests within one second.
         * @example false
         */
        readonly rate?: boolean;
      };
      /** @description Access tokens. Take them from the environment instead of writing them into this file. */
      readonly tokens?: {
        /**
         * @description An identity that may manage the accounts and Experiences below. All four scopes and the principal claim.
         * @example ${XPK_TOKEN}
         */
        readonly full?: components["schemas"]["Token"];
        /**
         * @description An identity that may read the same and manage nothing. All scopes.
         * @example ${XPK_TOKEN_READER}
         */
        readonly reader?: components["schemas"]["Token"];
        /**
         * @description An identity that may see none of it. All scopes.
         * @example ${XPK_TOKEN_OUTSIDER}
         */
        readonly outsider?: components["schemas"]["Token"];
        /**
         * @description Another client with the permissions of full.
         * @example ${XPK_TOKEN_SECOND}
         */
        readonly secondCredential?: components["schemas"]["Token"];
        /**
         * @description Like full, without the principal claim.
         * @example ${XPK_TOKEN_WITHOUT_CLAIM}
         */
        readonly withoutClaim?: components["schemas"]["Token"];
        /**
         * @description Like full, without the principal claim and without the scope users:manage.
         * @example ${XPK_TOKEN_WITHOUT_CLAIM_AND_SCOPE}
         */
        readonly withoutClaimAndScope?: components["schemas"]["Token"];
        /**
         * @description Like full, but expired.
         * @example ${XPK_TOKEN_EXPIRED}
         */
        readonly expired?: components["schemas"]["Token"];
        /** @description Tokens like `full`, each without the scope after which it is named. All four are required. */
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
        /** @description The account of freeNumbers and freeUsers. */
        readonly main?: components["schemas"]["Id"];
        /** @description Another account that full may manage. */
        readonly second?: components["schemas"]["Id"];
        /** @description An account that exists and that full may not view. */
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
        /** @description An Experience that full may read, but for which it may not check assignability. */
        readonly readOnly?: components["schemas"]["Id"];
        /** @description An Experience that exists and that full may not see. */
        readonly hidden?: components["schemas"]["Id"];
        /** @description At least three Experiences without a connection to the main or the second account. */
        readonly unconnected?: readonly components["schemas"]["Id"][];
        /**
         * @description The members of these Experiences that events contain, by id.
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
      /** @description Telephone numbers of the main account without assignments. Give more than a dozen, because some checks need ten at a time. */
      readonly freeNumbers?: readonly components["schemas"]["TelephoneNumber"][];
      /** @description A telephone number of the second account. */
      readonly numberOfSecondAccount?: components["schemas"]["TelephoneNumber"];
      /**
       * @description Within how many milliseconds the lists of assignments and connections show a change. Default: at once.
       * @example 1000
       */
      readonly listsBoundMs?: number;
      /** @description An Experience with assignments to more than 100 targets of an account. */
      readonly manyAssignments?: {
        readonly accountId: components["schemas"]["Id"];
        readonly experienceId: components["schemas"]["Id"];
        /**
         * @description The number of assignments.
         * @example 120
         */
        readonly count: number;
      };
      /** @description Unified ids of users of the main account without assignments. Give more than a dozen, because some checks need ten at a time. */
      readonly freeUsers?: readonly components["schemas"]["Id"][];
      readonly users?: {
        /** @description A user who exists and whom full may not view. */
        readonly hidden?: components["schemas"]["Id"];
        /** @description A user with a Base62 native id. */
        readonly base62?: components["schemas"]["NativeUser"];
        /** @description A user with a legacy numeric native id. */
        readonly legacyNumeric?: components["schemas"]["NativeUser"];
        /** @description A native id of digits that identifies two users, one in each style, and the unified ids of both. */
        readonly ambiguous?: {
          /** @example 4815162342 */
          readonly nativeId: string;
          readonly legacyNumeric: components["schemas"]["Id"];
          readonly base62: components["schemas"]["Id"];
        };
        /**
         * @description Within how many milliseconds the users list shows a change.
         * @example 5000
         */
        readonly readModelBoundMs?: number;
        /** @description How the users list can be sorted. The specification does not define the values. */
        readonly sort?: {
          /** @description The value of sortBy for each member that the list can be sorted by. */
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
           * @description The value of sortOrder for ascending order.
           * @example asc
           */
          readonly ascending: string;
          /**
           * @description The value of sortOrder for descending order.
           * @example desc
           */
          readonly descending: string;
        };
      };
      /** @description Request bodies that the specification does not define. In their strings, {{accountId}}, {{experienceId}} and {{state}} are replaced by values; {{state?}} marks an optional member. */
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
         * @description The {auth_url} of the specification. The suite uses its paths /authorize and /oauth/token.
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
           * @description The client secret of the same client if it can also authenticate with one.
           * @example ${XPK_CLIENT_SECRET}
           */
          readonly secret?: string;
        };
        /** @description The telephone number of a user who may manage the main account. */
        readonly loginHint?: components["schemas"]["TelephoneNumber"];
        /**
         * @description After how many seconds a code has expired. The suite lets a code expire.
         * @example 60
         */
        readonly codeLifetimeSeconds?: number;
        /**
         * @description How many seconds a check may wait until a code or an access token has expired. The tokens of the clients should be short-lived, because the suite waits for expires_in seconds.
         * @example 90
         */
        readonly waitSeconds?: number;
        /**
         * @description Who approves the requests of this user: the server without a login (automatic), or a person (interactive), whom --interactive asks to log in. The browser of the person is redirected to this machine.
         * @example interactive
         * @enum {unknown}
         */
        readonly approve?: "automatic" | "interactive";
      };
      /** @description Where and when the suite receives deliveries. The hook subscriptions.create creates a subscription for each check. Without the hook, the member subscription names one that exists. */
      readonly events?: {
        readonly receiver: {
          /**
           * @description The address at which the target reaches the receiver, such as https://hooks.example.com. A proxy or tunnel there forwards to listen.
           * @example https://hooks.example.com
           */
          readonly publicUrl: components["schemas"]["Address"];
          /**
           * @description Whether this machine also reaches publicUrl, so that the suite can try it before the run. Default: true.
           * @example true
           */
          readonly reachableFromHere?: boolean;
          /**
           * @description Where the suite listens: host:port, such as 127.0.0.1:9000.
           * @example 127.0.0.1:9000
           */
          readonly listen: string;
        };
        /** @description A subscription that the operator created: all types, no experienceId, and a destinationUrl of publicUrl with this path. */
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
         * @description Within how many seconds an event is delivered. A later event is a failure. Without this member, the suite waits 30 seconds, and a check whose event does not arrive is not testable.
         * @example 30
         */
        readonly patienceSeconds?: number;
        /**
         * @description How many additional seconds to wait for an event that must not be delivered. Default: 2.
         * @example 2
         */
        readonly graceSeconds?: number;
        /**
         * @description Within how many seconds a delivery that was not acknowledged is repeated. If it is not, that is a failure. Without this member, checks of repeats are not testable. With it, checks respond to some deliveries with errors or not at all, and acknowledge them in the end. If the target disables endpoints that fail, omit this member or give the hook subscriptions.create.
         * @example 60
         */
        readonly repeatsWithinSeconds?: number;
      };
      /** @description Actions that only an operator can perform: functions of a module, or addresses that receive a JSON body with POST and respond with 2xx. Every hook is optional, but those that create, change and remove the same kind of entity are used only together, and need allow.write. A hook takes precedence over another member that gives the same. */
      readonly hooks?: {
        /**
         * @description The path of a module of functions, relative to the profile. A function has the name of its hook in camel case. It receives the object that is described below and returns the response, or a promise of it: export async function platformUsersCreate({ accountId, firstName, lastName }) { …; return { userId } }
         * @example ./hooks.mjs
         */
        readonly module?: string;
        /** @description The address of each hook, with what it receives and returns. */
        readonly urls?: {
          /** @description Receives {operation, status} with the accountId (getUsers) or the userId (getUser). The next request of the operation for this account or user, and no other, fails with the status. */
          readonly "fault.users"?: components["schemas"]["Address"];
          /** @description Receives {operation} with the accountId (getUsers) or the userId (getUser). During the next request of the operation for this account or user, and no other, the service cannot reach its authorization service. The service, not the hook, answers the request. */
          readonly "fault.authorization"?: components["schemas"]["Address"];
          /** @description Receives {accountId, firstName?, lastName?}, returns {userId}. */
          readonly "platform.users.create"?: components["schemas"]["Address"];
          /** @description Receives {userId, firstName}. */
          readonly "platform.users.rename"?: components["schemas"]["Address"];
          /** @description Receives {userId}. */
          readonly "platform.users.remove"?: components["schemas"]["Address"];
          /** @description Receives {accountId}, returns {telephoneNumber} without assignments, never the same value twice. */
          readonly numbers?: components["schemas"]["Address"];
          /** @description Receives {telephoneNumber} when it is no longer needed. */
          readonly "numbers.release"?: components["schemas"]["Address"];
          /** @description Receives {accountId}, returns {userId} without assignments, never the same value twice. */
          readonly users?: components["schemas"]["Address"];
          /** @description Receives {userId} when it is no longer needed. */
          readonly "users.release"?: components["schemas"]["Address"];
          /** @description Receives {}, returns {experienceId, name?, providerId?} without a connection to either account, and not one of the last two. Events contain the name and the providerId. */
          readonly "experiences.unconnected"?: components["schemas"]["Address"];
          /** @description Receives {experienceId} when it is no longer needed. */
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
          /** @description Receives {}, returns {accountId} of an empty account that full may manage. */
          readonly "platform.accounts.create"?: components["schemas"]["Address"];
          /** @description Receives {accountId}. Deletes the account and everything in it. */
          readonly "platform.accounts.remove"?: components["schemas"]["Address"];
          /** @description Receives {accountId}, returns {telephoneNumber}, a new one of the account. */
          readonly "platform.numbers.create"?: components["schemas"]["Address"];
          /** @description Receives {telephoneNumber}. Deletes the number. */
          readonly "platform.numbers.remove"?: components["schemas"]["Address"];
          /** @description Receives {}, returns {accessToken}, like tokens.full but expired. */
          readonly "token.expired"?: components["schemas"]["Address"];
        };
        /**
         * @description Headers of the requests to the addresses.
         * @example {
         *       "authorization": "Bearer ${XPK_OPERATOR_TOKEN}"
         *     }
         */
        readonly headers?: components["schemas"]["Headers"];
      };
      /**
       * @description Rules that are not applied to this target, each with a reason.
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
    /** @description A token has no spaces. */
    readonly Token: string;
    readonly Id: string;
    /** @description It has to be an http or https address. */
    readonly Address: string;
    /** @description It is a number such as '+12065550100' */
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
