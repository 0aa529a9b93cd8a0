// Machine-written by `npm run generate` from conformance/profile.schema.yaml. Do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /**
     * Target profile
     * @description Describes a server that `xpk conformance` tests. Every member is optional: a check that needs a missing member is not testable, and the report names the member. In every string, ${NAME} stands for the environment variable NAME. Reports never contain secrets from the environment.
     */
    Profile: {
      /** @description The name of the target in reports. */
      name?: string;
      /** @description The base URL of the service, an http or https address such as https://api.example.com. */
      baseUrl?: string;
      /** @description The path forms to test. Default: both. */
      forms?: ("prefixed" | "flat")[];
      /** @description Headers of every request. */
      headers?: components["schemas"]["Headers"];
      /** @description How long a request may take. Default: 10. */
      timeoutSeconds?: number;
      /** @description The highest number of requests per second. It also limits the rate checks (allow.rate). */
      requestsPerSecond?: number;
      /** @description What the suite may do at the target. Default: read only. */
      allow?: {
        /** @description Create, change and delete assignments and connections of the accounts and Experiences below. The suite deletes what it creates. */
        write?: boolean;
        /** @description Send several hundred requests within one second. */
        rate?: boolean;
      };
      /** @description Access tokens. Take them from the environment instead of writing them into this file. */
      tokens?: {
        /** @description An identity that may manage the accounts and Experiences below. All four scopes and the principal claim. */
        full?: components["schemas"]["Token"];
        /** @description An identity that may read the same and manage nothing. All scopes. */
        reader?: components["schemas"]["Token"];
        /** @description An identity that may see none of it. All scopes. */
        outsider?: components["schemas"]["Token"];
        /** @description Another client with the permissions of full. */
        secondCredential?: components["schemas"]["Token"];
        /** @description Like full, without the principal claim. */
        withoutClaim?: components["schemas"]["Token"];
        /** @description Like full, without the principal claim and without the scope users:manage. */
        withoutClaimAndScope?: components["schemas"]["Token"];
        /** @description Like full, but expired. */
        expired?: components["schemas"]["Token"];
        /** @description Like full, but each without the scope in its name. All four are required. */
        withoutScope?: {
          "experience-assignability:check": components["schemas"]["Token"];
          "experience-assignments:manage": components["schemas"]["Token"];
          "experience-connections:manage": components["schemas"]["Token"];
          "users:manage": components["schemas"]["Token"];
        };
      };
      /** @description Ids of accounts. */
      accounts?: {
        /** @description The account of the numbers and users below. */
        main?: components["schemas"]["Id"];
        /** @description Another account that full may manage. */
        second?: components["schemas"]["Id"];
        /** @description An account that exists and that full may not view. */
        hidden?: components["schemas"]["Id"];
        /** @description An account with more than 200 users. */
        manyUsers?: components["schemas"]["Id"];
        /** @description An account with more than 100 connections. */
        manyConnections?: components["schemas"]["Id"];
      };
      /** @description Ids of Experiences. */
      experiences?: {
        main?: components["schemas"]["Id"];
        second?: components["schemas"]["Id"];
        /** @description An Experience of type AGENT. */
        agent?: components["schemas"]["Id"];
        /** @description Another one of type AGENT. */
        secondAgent?: components["schemas"]["Id"];
        /** @description An Experience that full may read, but for which it may not check assignability. */
        readOnly?: components["schemas"]["Id"];
        /** @description An Experience that exists and that full may not see. */
        hidden?: components["schemas"]["Id"];
        /** @description At least three Experiences without a connection to the main or the second account. */
        unconnected?: components["schemas"]["Id"][];
        /** @description What events contain of the Experiences above, by id. */
        facts?: {
          [key: string]: {
            name: string;
            providerId: string;
          };
        };
      };
      /** @description Telephone numbers of the main account without assignments. Give more than a dozen if you can. */
      freeNumbers?: components["schemas"]["TelephoneNumber"][];
      /** @description A telephone number of the second account. */
      numberOfSecondAccount?: components["schemas"]["TelephoneNumber"];
      /** @description An Experience with assignments to more than 100 targets of an account. */
      manyAssignments?: {
        accountId: components["schemas"]["Id"];
        experienceId: components["schemas"]["Id"];
        /** @description The number of assignments. */
        count: number;
      };
      /** @description Unified ids of users of the main account without assignments. */
      freeUsers?: components["schemas"]["Id"][];
      users?: {
        /** @description A user who exists and whom full may not view. */
        hidden?: components["schemas"]["Id"];
        /** @description A user with a Base62 native id. */
        base62?: components["schemas"]["NativeUser"];
        /** @description A user with a legacy numeric native id. */
        legacyNumeric?: components["schemas"]["NativeUser"];
        /** @description A native id of digits that identifies two users, one in each style, and the unified ids of both. */
        ambiguous?: {
          nativeId: string;
          legacyNumeric: components["schemas"]["Id"];
          base62: components["schemas"]["Id"];
        };
        /** @description Within how many milliseconds the users list shows a change. */
        readModelBoundMs?: number;
        /** @description How the users list can be sorted. The specification does not define the values. */
        sort?: {
          /** @description The value of sortBy for each member that the list can be sorted by. */
          fields: {
            createdAt?: string;
            updatedAt?: string;
            firstName?: string;
            lastName?: string;
          };
          /** @description The value of sortOrder for ascending order. */
          ascending: string;
          /** @description The value of sortOrder for descending order. */
          descending: string;
        };
      };
      /** @description Request bodies that the specification does not define. In their strings, {{accountId}}, {{experienceId}} and {{state}} are replaced by values; {{state?}} marks an optional member. */
      bodies?: {
        connectionCreate?: Record<string, unknown>;
        connectionUpdate?: Record<string, unknown>;
      };
      /** @description The authorization server and its clients. Take secrets from the environment instead of writing them into this file. */
      authorization?: {
        /** @description The {auth_url} of the specification. The suite uses its paths /authorize and /oauth/token. */
        url?: components["schemas"]["Address"];
        /** @description A client that authenticates with client_secret. */
        secretClient?: {
          id: components["schemas"]["Id"];
          secret: string;
          redirectUri: components["schemas"]["Address"];
        };
        /** @description A client that authenticates with client_assertion. */
        keyClient?: {
          id: components["schemas"]["Id"];
          /** @description The private key as a JWK. Its kid and alg are used if present. */
          privateKey: Record<string, unknown>;
          /** @description The audience (aud) of the client assertions. */
          audience: string;
          redirectUri: components["schemas"]["Address"];
          /** @description The client secret of the same client if it can also authenticate with one. */
          secret?: string;
        };
        /** @description The telephone number of a user who may manage the main account. */
        loginHint?: components["schemas"]["TelephoneNumber"];
        /**
         * @description Who approves: the server by itself (automatic), or a person whom --interactive asks (interactive).
         * @enum {unknown}
         */
        approve?: "automatic" | "interactive";
      };
      /** @description Where and when the suite receives deliveries. The hook subscriptions.create creates a subscription for each check. Without the hook, the member subscription names one that exists. */
      events?: {
        receiver: {
          /** @description The address at which the target reaches the receiver, such as https://hooks.example.com. A proxy or tunnel there forwards to listen. */
          publicUrl: components["schemas"]["Address"];
          /** @description Where the suite listens: host:port, such as 127.0.0.1:9000. */
          listen: string;
        };
        /** @description A subscription that the operator created: all types, no experienceId, and a destinationUrl of publicUrl with this path. */
        subscription?: {
          /** @description The subscriptionId. */
          id: components["schemas"]["Id"];
          /** @description The path below publicUrl, such as /events. */
          path: string;
        };
        /** @description Within how many seconds an event is delivered. Default: 30. */
        patienceSeconds?: number;
        /** @description How many seconds longer to wait for an event that must not come. Default: 2. */
        graceSeconds?: number;
        /** @description Within how many seconds a delivery that was not acknowledged is repeated. */
        repeatsWithinSeconds?: number;
      };
      /** @description Actions that only an operator can perform: functions of a module, or addresses that receive a JSON body with POST and respond with 2xx. A hook takes precedence over another member that gives the same. */
      hooks?: {
        /** @description The path of a module of functions, relative to the profile. A function has the name of its hook in camel case. */
        module?: string;
        urls?: {
          /** @description Receives {operation, status}. The next request of the operation, and no other, fails with the status. */
          "fault.users"?: components["schemas"]["Address"];
          /** @description Receives {accountId, firstName?, lastName?}, returns {userId}. */
          "platform.users.create"?: components["schemas"]["Address"];
          /** @description Receives {userId, firstName}. */
          "platform.users.rename"?: components["schemas"]["Address"];
          /** @description Receives {userId}. */
          "platform.users.remove"?: components["schemas"]["Address"];
          /** @description Receives {accountId}, returns {telephoneNumber} without assignments, never the same one twice. */
          numbers?: components["schemas"]["Address"];
          /** @description Receives {telephoneNumber} when it is no longer needed. */
          "numbers.release"?: components["schemas"]["Address"];
          /** @description Receives {accountId}, returns {userId} without assignments, never the same one twice. */
          users?: components["schemas"]["Address"];
          /** @description Receives {userId} when it is no longer needed. */
          "users.release"?: components["schemas"]["Address"];
          /** @description Receives {}, returns {experienceId} without a connection to either account, and not one of the last two. */
          "experiences.unconnected"?: components["schemas"]["Address"];
          /** @description Receives {experienceId} when it is no longer needed. */
          "experiences.unconnected.release"?: components["schemas"]["Address"];
          /** @description Receives {destinationUrl, types, experienceId?}, returns {subscriptionId}. */
          "subscriptions.create"?: components["schemas"]["Address"];
          /** @description Receives {subscriptionId}. */
          "subscriptions.remove"?: components["schemas"]["Address"];
          /** @description Receives {accountId, experienceId, state}, returns {connectionId}. Connects them in an end-user portal. */
          "portal.connections.create"?: components["schemas"]["Address"];
          /** @description Receives {connectionId, state}. */
          "portal.connections.update"?: components["schemas"]["Address"];
          /** @description Receives {connectionId}. */
          "portal.connections.remove"?: components["schemas"]["Address"];
          /** @description Receives {experienceId, targetType, targetValue}, returns {assignmentId}. Assigns in an end-user portal. */
          "portal.assignments.create"?: components["schemas"]["Address"];
          /** @description Receives {assignmentId}. */
          "portal.assignments.remove"?: components["schemas"]["Address"];
          /** @description Receives {accountId}, returns {userId}. Creates the user in an end-user portal. */
          "portal.users.create"?: components["schemas"]["Address"];
          /** @description Receives {userId}. */
          "portal.users.remove"?: components["schemas"]["Address"];
          /** @description Receives {accountId, experienceId, state}, returns {connectionId}. Connects them on the platform. */
          "platform.connections.create"?: components["schemas"]["Address"];
          /** @description Receives {connectionId, state}. */
          "platform.connections.update"?: components["schemas"]["Address"];
          /** @description Receives {connectionId}. */
          "platform.connections.remove"?: components["schemas"]["Address"];
          /** @description Receives {experienceId, targetType, targetValue}, returns {assignmentId}. Assigns on the platform. */
          "platform.assignments.create"?: components["schemas"]["Address"];
          /** @description Receives {assignmentId}. */
          "platform.assignments.remove"?: components["schemas"]["Address"];
          /** @description Receives {}, returns {accountId} of an empty account that full may manage. */
          "platform.accounts.create"?: components["schemas"]["Address"];
          /** @description Receives {accountId}. Deletes the account and everything in it. */
          "platform.accounts.remove"?: components["schemas"]["Address"];
          /** @description Receives {accountId}, returns {telephoneNumber}, a new one of the account. */
          "platform.numbers.create"?: components["schemas"]["Address"];
          /** @description Receives {telephoneNumber}. Deletes the number. */
          "platform.numbers.remove"?: components["schemas"]["Address"];
          /** @description Receives {}, returns {accessToken}, like tokens.full but expired. */
          "token.expired"?: components["schemas"]["Address"];
        };
        /** @description Headers of the requests to the addresses. */
        headers?: components["schemas"]["Headers"];
      };
      /** @description Rules that are not applied to this target, each with a reason. */
      notApplicable?: {
        rule: string;
        /** @enum {unknown} */
        form?: "prefixed" | "flat";
        reason: string;
      }[];
    };
    Headers: {
      [key: string]: string;
    };
    /** @description A token has no spaces. */
    Token: string;
    Id: string;
    /** @description It has to be an http or https address. */
    Address: string;
    /** @description It is a number such as '+12065550100' */
    TelephoneNumber: string;
    NativeUser: {
      nativeId: string;
      unifiedId: components["schemas"]["Id"];
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
