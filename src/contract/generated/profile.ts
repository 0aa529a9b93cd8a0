// Machine-written by `npm run generate` from conformance/profile.schema.yaml. Do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /**
     * Target profile
     * @description Describes a server that `xpk conformance` tests. Every member is optional: a check that needs a missing member is not testable, and the report names the member. In every string, ${NAME} stands for the environment variable NAME. Reports never contain secrets from the environment.
     */
    readonly Profile: {
      /** @description The name of the target in reports. */
      readonly name?: string;
      /** @description The base URL of the service, an http or https address such as https://api.example.com. */
      readonly baseUrl?: string;
      /** @description The path forms to test. Default: both. */
      readonly forms?: readonly ("prefixed" | "flat")[];
      /** @description Headers of every request. */
      readonly headers?: components["schemas"]["Headers"];
      /** @description How long a request may take. Default: 10. */
      readonly timeoutSeconds?: number;
      /** @description The highest number of requests per second. It also limits the rate checks (allow.rate). */
      readonly requestsPerSecond?: number;
      /** @description What the suite may do at the target. Default: read only. */
      readonly allow?: {
        /** @description Create, change and delete assignments and connections of the accounts and Experiences below. The suite deletes what it creates. */
        readonly write?: boolean;
        /** @description Send several hundred requests within one second. */
        readonly rate?: boolean;
      };
      /** @description Access tokens. Take them from the environment instead of writing them into this file. */
      readonly tokens?: {
        /** @description An identity that may manage the accounts and Experiences below. All four scopes and the principal claim. */
        readonly full?: components["schemas"]["Token"];
        /** @description An identity that may read the same and manage nothing. All scopes. */
        readonly reader?: components["schemas"]["Token"];
        /** @description An identity that may see none of it. All scopes. */
        readonly outsider?: components["schemas"]["Token"];
        /** @description Another client with the permissions of full. */
        readonly secondCredential?: components["schemas"]["Token"];
        /** @description Like full, without the principal claim. */
        readonly withoutClaim?: components["schemas"]["Token"];
        /** @description Like full, without the principal claim and without the scope users:manage. */
        readonly withoutClaimAndScope?: components["schemas"]["Token"];
        /** @description Like full, but expired. */
        readonly expired?: components["schemas"]["Token"];
        /** @description Like full, but each without the scope in its name. All four are required. */
        readonly withoutScope?: {
          readonly "experience-assignability:check": components["schemas"]["Token"];
          readonly "experience-assignments:manage": components["schemas"]["Token"];
          readonly "experience-connections:manage": components["schemas"]["Token"];
          readonly "users:manage": components["schemas"]["Token"];
        };
      };
      /** @description Ids of accounts. */
      readonly accounts?: {
        /** @description The account of the numbers and users below. */
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
        readonly main?: components["schemas"]["Id"];
        readonly second?: components["schemas"]["Id"];
        /** @description An Experience of type AGENT. */
        readonly agent?: components["schemas"]["Id"];
        /** @description Another one of type AGENT. */
        readonly secondAgent?: components["schemas"]["Id"];
        /** @description An Experience that full may read, but for which it may not check assignability. */
        readonly readOnly?: components["schemas"]["Id"];
        /** @description An Experience that exists and that full may not see. */
        readonly hidden?: components["schemas"]["Id"];
        /** @description At least three Experiences without a connection to the main or the second account. */
        readonly unconnected?: readonly components["schemas"]["Id"][];
        /** @description What events contain of the Experiences above, by id. */
        readonly facts?: {
          readonly [key: string]: {
            readonly name: string;
            readonly providerId: string;
          };
        };
      };
      /** @description Telephone numbers of the main account without assignments. Give more than a dozen if you can. */
      readonly freeNumbers?: readonly components["schemas"]["TelephoneNumber"][];
      /** @description A telephone number of the second account. */
      readonly numberOfSecondAccount?: components["schemas"]["TelephoneNumber"];
      /** @description Within how many milliseconds the lists of assignments and connections show a change. Default: at once. */
      readonly listsBoundMs?: number;
      /** @description An Experience with assignments to more than 100 targets of an account. */
      readonly manyAssignments?: {
        readonly accountId: components["schemas"]["Id"];
        readonly experienceId: components["schemas"]["Id"];
        /** @description The number of assignments. */
        readonly count: number;
      };
      /** @description Unified ids of users of the main account without assignments. */
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
          readonly nativeId: string;
          readonly legacyNumeric: components["schemas"]["Id"];
          readonly base62: components["schemas"]["Id"];
        };
        /** @description Within how many milliseconds the users list shows a change. */
        readonly readModelBoundMs?: number;
        /** @description How the users list can be sorted. The specification does not define the values. */
        readonly sort?: {
          /** @description The value of sortBy for each member that the list can be sorted by. */
          readonly fields: {
            readonly createdAt?: string;
            readonly updatedAt?: string;
            readonly firstName?: string;
            readonly lastName?: string;
          };
          /** @description The value of sortOrder for ascending order. */
          readonly ascending: string;
          /** @description The value of sortOrder for descending order. */
          readonly descending: string;
        };
      };
      /** @description Request bodies that the specification does not define. In their strings, {{accountId}}, {{experienceId}} and {{state}} are replaced by values; {{state?}} marks an optional member. */
      readonly bodies?: {
        readonly connectionCreate?: Record<string, unknown>;
        readonly connectionUpdate?: Record<string, unknown>;
      };
      /** @description The authorization server and its clients. Take secrets from the environment instead of writing them into this file. */
      readonly authorization?: {
        /** @description The {auth_url} of the specification. The suite uses its paths /authorize and /oauth/token. */
        readonly url?: components["schemas"]["Address"];
        /** @description A client that authenticates with client_secret. */
        readonly secretClient?: {
          readonly id: components["schemas"]["Id"];
          readonly secret: string;
          readonly redirectUri: components["schemas"]["Address"];
        };
        /** @description A client that authenticates with client_assertion. */
        readonly keyClient?: {
          readonly id: components["schemas"]["Id"];
          /** @description The private key as a JWK. Its kid and alg are used if present. */
          readonly privateKey: Record<string, unknown>;
          /** @description The audience (aud) of the client assertions. */
          readonly audience: string;
          readonly redirectUri: components["schemas"]["Address"];
          /** @description The client secret of the same client if it can also authenticate with one. */
          readonly secret?: string;
        };
        /** @description The telephone number of a user who may manage the main account. */
        readonly loginHint?: components["schemas"]["TelephoneNumber"];
        /** @description After how many seconds a code has expired. The suite lets a code expire. */
        readonly codeLifetimeSeconds?: number;
        /** @description How many seconds a check may wait until a code or an access token has expired. The tokens of the clients should be short-lived, because the suite waits for expires_in seconds. */
        readonly waitSeconds?: number;
        /**
         * @description Who approves: the server by itself (automatic), or a person whom --interactive asks (interactive).
         * @enum {unknown}
         */
        readonly approve?: "automatic" | "interactive";
      };
      /** @description Where and when the suite receives deliveries. The hook subscriptions.create creates a subscription for each check. Without the hook, the member subscription names one that exists. */
      readonly events?: {
        readonly receiver: {
          /** @description The address at which the target reaches the receiver, such as https://hooks.example.com. A proxy or tunnel there forwards to listen. */
          readonly publicUrl: components["schemas"]["Address"];
          /** @description Whether this machine also reaches publicUrl, so that the suite can try it before the run. Default: true. */
          readonly reachableFromHere?: boolean;
          /** @description Where the suite listens: host:port, such as 127.0.0.1:9000. */
          readonly listen: string;
        };
        /** @description A subscription that the operator created: all types, no experienceId, and a destinationUrl of publicUrl with this path. */
        readonly subscription?: {
          /** @description The subscriptionId. */
          readonly id: components["schemas"]["Id"];
          /** @description The path below publicUrl, such as /events. */
          readonly path: string;
        };
        /** @description Within how many seconds an event is delivered. An event that does not come in that time is a failure. Without this member the suite waits 30 seconds, and a check whose event does not come is not testable. */
        readonly patienceSeconds?: number;
        /** @description How many seconds longer to wait for an event that must not come. Default: 2. */
        readonly graceSeconds?: number;
        /** @description Within how many seconds a delivery that was not acknowledged is repeated. If it is not, that is a failure. Without this member, checks of repeats are not testable. */
        readonly repeatsWithinSeconds?: number;
      };
      /** @description Actions that only an operator can perform: functions of a module, or addresses that receive a JSON body with POST and respond with 2xx. A hook takes precedence over another member that gives the same. */
      readonly hooks?: {
        /** @description The path of a module of functions, relative to the profile. A function has the name of its hook in camel case. */
        readonly module?: string;
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
          /** @description Receives {accountId}, returns {telephoneNumber} without assignments, never the same one twice. */
          readonly numbers?: components["schemas"]["Address"];
          /** @description Receives {telephoneNumber} when it is no longer needed. */
          readonly "numbers.release"?: components["schemas"]["Address"];
          /** @description Receives {accountId}, returns {userId} without assignments, never the same one twice. */
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
          /** @description Receives {accountId, experienceId, state}, returns {connectionId}. Connects them in an end-user portal; one that cannot choose the state ignores it. */
          readonly "portal.connections.create"?: components["schemas"]["Address"];
          /** @description Receives {connectionId, state}. */
          readonly "portal.connections.update"?: components["schemas"]["Address"];
          /** @description Receives {connectionId}. */
          readonly "portal.connections.remove"?: components["schemas"]["Address"];
          /** @description Receives {experienceId, targetType, targetValue}, returns {assignmentId}. Assigns in an end-user portal. */
          readonly "portal.assignments.create"?: components["schemas"]["Address"];
          /** @description Receives {assignmentId}. */
          readonly "portal.assignments.remove"?: components["schemas"]["Address"];
          /** @description Receives {accountId}, returns {userId}. Creates the user in an end-user portal. */
          readonly "portal.users.create"?: components["schemas"]["Address"];
          /** @description Receives {userId}. */
          readonly "portal.users.remove"?: components["schemas"]["Address"];
          /** @description Receives {accountId, experienceId, state}, returns {connectionId}. Connects them on the platform; one that cannot choose the state ignores it. */
          readonly "platform.connections.create"?: components["schemas"]["Address"];
          /** @description Receives {connectionId, state}. */
          readonly "platform.connections.update"?: components["schemas"]["Address"];
          /** @description Receives {connectionId}. */
          readonly "platform.connections.remove"?: components["schemas"]["Address"];
          /** @description Receives {experienceId, targetType, targetValue}, returns {assignmentId}. Assigns on the platform. */
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
        /** @description Headers of the requests to the addresses. */
        readonly headers?: components["schemas"]["Headers"];
      };
      /** @description Rules that are not applied to this target, each with a reason. */
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
