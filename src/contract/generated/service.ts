// Machine-written by `npm run generate` from openapi/openapi.yaml. Do not edit.
export interface paths {
  "/experience/experiences/{experienceId}/assignability": components["pathItems"]["assignability"];
  "/experiences/{experienceId}/assignability": components["pathItems"]["assignability"];
  "/experience/assignments": components["pathItems"]["assignments"];
  "/experience-assignments": components["pathItems"]["assignments"];
  "/experience/assignments/{assignmentId}": components["pathItems"]["assignment"];
  "/experience-assignments/{assignmentId}": components["pathItems"]["assignment"];
  "/experience/connections": components["pathItems"]["connections"];
  "/experience-connections": components["pathItems"]["connections"];
  "/experience/connections/{experienceConnectionId}": components["pathItems"]["connection"];
  "/experience-connections/{experienceConnectionId}": components["pathItems"]["connection"];
  "/users": components["pathItems"]["users"];
  "/users/{userId}": components["pathItems"]["user"];
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    AssignabilityQuery: {
      targetType: components["schemas"]["TargetType"];
      targetValue: string;
    };
    AssignmentsListQuery: {
      pageSize?: string;
      targetType?: components["schemas"]["TargetType"];
      targetValue?: string;
      accountId?: components["schemas"]["Uuid"];
      experienceId?: components["schemas"]["Uuid"];
      cursor?: string;
    };
    ConnectionsListQuery: {
      accountId?: components["schemas"]["Uuid"];
      telephoneNumber?: string;
      tn?: string;
      experienceId?: components["schemas"]["Uuid"];
      cursor?: string;
      pageSize?: string;
    };
    UsersListQuery: {
      accountId: components["schemas"]["Uuid"];
      cursor?: string;
      pageSize?: string;
      /** @enum {string} */
      sortBy?: "createdAt" | "updatedAt" | "firstName" | "lastName";
      /** @enum {string} */
      sortOrder?: "asc" | "desc";
    };
    /**
     * @description The type of the target to which an Experience is assigned.
     * @enum {string}
     */
    TargetType: "ACCOUNT" | "PHONE_NUMBER" | "USER";
    /**
     * @description A telephone number in E.164 form: a plus, then at most 15 digits.
     * @example +12065550100
     */
    E164: string;
    /**
     * @description A UUID in the 8-4-4-4-12 form. The specification leaves the letter case open. The kit's responses contain lower-case letters.
     * @example 0f5ad5bc-63f2-4d6c-9d7e-2b7f1f0a5c11
     */
    Uuid: string;
    AssignabilityResult: {
      /** @description The Experience that was checked. */
      experienceId: string;
      targetType: components["schemas"]["TargetType"];
      targetValue: string;
      /** @description False if the target cannot be found. */
      assignable: boolean;
    };
    /** @description Problem details, sent as application/problem+json. */
    Problem: {
      /**
       * Format: uri-reference
       * @description Identifies the problem type.
       */
      type?: string;
      title: string;
      /** @description The HTTP status. */
      status: number;
      detail?: string;
      /**
       * Format: uri-reference
       * @description The resource or endpoint.
       */
      instance?: string;
      traceId: string;
      errors?: Record<string, unknown>[];
    };
    /**
     * @description An instant in ISO 8601, in UTC.
     * @example 2026-03-01T09:30:00.000Z
     */
    DateTimeUtc: string;
    /** @description An assignment in a list. updatedAt is not required, because lists under the flat path form may omit it. */
    ExperienceAssignmentListItem: {
      readonly id: string;
      experienceId: string;
      readonly accountId: string;
      targetType: components["schemas"]["TargetType"];
      targetValue: string;
      readonly updatedAt?: components["schemas"]["DateTimeUtc"];
    };
    /** @description The opaque cursor for the next page; null if there are no more pages. */
    Cursor: string | null;
    ExperienceAssignmentPage: {
      entities: components["schemas"]["ExperienceAssignmentListItem"][];
      cursor?: components["schemas"]["Cursor"];
      /** @description The number of items per page. */
      pageSize: number;
    };
    /** @description The body of a request that assigns an Experience. Read-only fields are not sent. */
    ExperienceAssignmentCreate: {
      /** @description The Experience being assigned. */
      experienceId: string;
      targetType: components["schemas"]["TargetType"];
      targetValue: string;
    };
    /** @description An Experience assigned to a target. */
    ExperienceAssignment: {
      /** @description The assignment's identifier. */
      readonly id: string;
      /** @description The Experience being assigned. */
      experienceId: string;
      /** @description The account that owns the target. */
      readonly accountId: string;
      targetType: components["schemas"]["TargetType"];
      /** @description The target; its format depends on targetType. */
      targetValue: string;
      /** @description The time of the last modification. */
      readonly updatedAt: components["schemas"]["DateTimeUtc"];
    };
    /**
     * @description The connection's state.
     * @enum {string}
     */
    ConnectionState: "ACTIVE" | "INACTIVE";
    /** @description An Experience connected to an account. The specification marks no field as required. */
    ExperienceConnection: {
      id?: string;
      accountId?: components["schemas"]["Uuid"];
      accountName?: string;
      experienceId?: components["schemas"]["Uuid"];
      state?: components["schemas"]["ConnectionState"];
      updatedAt?: components["schemas"]["DateTimeUtc"];
    };
    ExperienceConnectionPage: {
      entities: components["schemas"]["ExperienceConnection"][];
      cursor?: components["schemas"]["Cursor"];
      /** @description The number of items per page. */
      pageSize: number;
    };
    /** @description The kit's own choice (decision connections.create.body); the specification does not show this body. */
    ExperienceConnectionCreate: {
      accountId: components["schemas"]["Uuid"];
      experienceId: components["schemas"]["Uuid"];
      state?: components["schemas"]["ConnectionState"];
    };
    /** @description The kit's own choice (decision connections.update.body); the specification does not show this body. */
    ExperienceConnectionUpdate: {
      state: components["schemas"]["ConnectionState"];
    };
    UnifiedUser: {
      /** @description Unified user id. */
      readonly id: components["schemas"]["Uuid"];
      /** @description The user's unified account. */
      readonly accountId: components["schemas"]["Uuid"];
      /** @description Absent, not null, if the user has none. */
      firstName?: string;
      /** @description Absent, not null, if the user has none. */
      lastName?: string;
      readonly createdAt: components["schemas"]["DateTimeUtc"];
      /** @description Null if the user was never updated. */
      readonly updatedAt?: components["schemas"]["DateTimeUtc"] | null;
    };
    UnifiedUserPage: {
      entities: components["schemas"]["UnifiedUser"][];
      cursor?: components["schemas"]["Cursor"];
      /** @description The number of items per page. */
      pageSize: number;
      /**
       * Format: int64
       * @description The number of matching users across all pages.
       */
      count?: number;
    };
  };
  responses: {
    /** @description The token is missing, invalid or expired. */
    Unauthorized: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    /** @description The token is missing, invalid or expired, or lacks the principal claim. */
    UsersUnauthorized: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: {
    assignability: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      /**
       * Checks whether an Experience can be assigned to a target.
       * @description A client calls this operation before it creates a connection.
       */
      get: operations["getExperienceAssignability"];
      put?: never;
      post?: never;
      delete?: never;
      options?: never;
      head?: never;
      patch?: never;
      trace?: never;
    };
    assignments: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      /**
       * Lists assignments.
       * @description A request needs at least one filter. Filters are combined with AND. Valid combinations: accountId; accountId with experienceId; accountId with targetType; accountId with experienceId and targetType; targetType with targetValue.
       */
      get: operations["getExperienceAssignments"];
      put?: never;
      /** Assigns an Experience to a target. */
      post: operations["createExperienceAssignment"];
      delete?: never;
      options?: never;
      head?: never;
      patch?: never;
      trace?: never;
    };
    assignment: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          assignmentId: string;
        };
        cookie?: never;
      };
      /** Reads an assignment. */
      get: operations["getExperienceAssignment"];
      put?: never;
      post?: never;
      /** Deletes an assignment. */
      delete: operations["deleteExperienceAssignment"];
      options?: never;
      head?: never;
      patch?: never;
      trace?: never;
    };
    connections: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      /**
       * Lists the connections of an account.
       * @description The account is selected by accountId, or by one of the account's telephone numbers.
       */
      get: operations["getExperienceConnections"];
      put?: never;
      /** Connects an Experience to an account. */
      post: operations["createExperienceConnection"];
      delete?: never;
      options?: never;
      head?: never;
      patch?: never;
      trace?: never;
    };
    connection: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          experienceConnectionId: string;
        };
        cookie?: never;
      };
      /** Reads a connection. */
      get: operations["getExperienceConnection"];
      /** Activates or deactivates a connection. */
      put: operations["updateExperienceConnection"];
      post?: never;
      /** Deletes a connection. */
      delete: operations["deleteExperienceConnection"];
      options?: never;
      head?: never;
      patch?: never;
      trace?: never;
    };
    users: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      /**
       * Lists the unified users of an account.
       * @description The list shows a write after a short delay. GET /users/{userId} is always current.
       */
      get: operations["getUsers"];
      put?: never;
      post?: never;
      delete?: never;
      options?: never;
      head?: never;
      patch?: never;
      trace?: never;
    };
    user: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** Reads a unified user, by unified or native id. */
      get: operations["getUser"];
      put?: never;
      post?: never;
      delete?: never;
      options?: never;
      head?: never;
      patch?: never;
      trace?: never;
    };
  };
}
export type AssignabilityQuery = components['schemas']['AssignabilityQuery'];
export type AssignmentsListQuery = components['schemas']['AssignmentsListQuery'];
export type ConnectionsListQuery = components['schemas']['ConnectionsListQuery'];
export type UsersListQuery = components['schemas']['UsersListQuery'];
export type TargetType = components['schemas']['TargetType'];
export type E164 = components['schemas']['E164'];
export type Uuid = components['schemas']['Uuid'];
export type AssignabilityResult = components['schemas']['AssignabilityResult'];
export type Problem = components['schemas']['Problem'];
export type DateTimeUtc = components['schemas']['DateTimeUtc'];
export type ExperienceAssignmentListItem = components['schemas']['ExperienceAssignmentListItem'];
export type Cursor = components['schemas']['Cursor'];
export type ExperienceAssignmentPage = components['schemas']['ExperienceAssignmentPage'];
export type ExperienceAssignmentCreate = components['schemas']['ExperienceAssignmentCreate'];
export type ExperienceAssignment = components['schemas']['ExperienceAssignment'];
export type ConnectionState = components['schemas']['ConnectionState'];
export type ExperienceConnection = components['schemas']['ExperienceConnection'];
export type ExperienceConnectionPage = components['schemas']['ExperienceConnectionPage'];
export type ExperienceConnectionCreate = components['schemas']['ExperienceConnectionCreate'];
export type ExperienceConnectionUpdate = components['schemas']['ExperienceConnectionUpdate'];
export type UnifiedUser = components['schemas']['UnifiedUser'];
export type UnifiedUserPage = components['schemas']['UnifiedUserPage'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseUsersUnauthorized = components['responses']['UsersUnauthorized'];
export type PathItemAssignability = components['pathItems']['assignability'];
export type PathItemAssignments = components['pathItems']['assignments'];
export type PathItemAssignment = components['pathItems']['assignment'];
export type PathItemConnections = components['pathItems']['connections'];
export type PathItemConnection = components['pathItems']['connection'];
export type PathItemUsers = components['pathItems']['users'];
export type PathItemUser = components['pathItems']['user'];
export type $defs = Record<string, never>;
export interface operations {
  getExperienceAssignability: {
    parameters: {
      query: {
        targetType: components["schemas"]["TargetType"];
        /** @description An E.164 number for PHONE_NUMBER, a UUID for USER and ACCOUNT. */
        targetValue: string;
      };
      header?: never;
      path: {
        /** @description The Experience to check. */
        experienceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The check's result. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AssignabilityResult"];
        };
      };
      /** @description targetType or targetValue is missing or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      401: components["responses"]["Unauthorized"];
      /** @description The caller may read the Experience but not check its assignability. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      /** @description The Experience does not exist, or the caller has no access to it. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      /** @description More than 100 checks in one second with one credential. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getExperienceAssignments: {
    parameters: {
      query?: {
        /** @description Required when targetValue is given. */
        targetType?: components["schemas"]["TargetType"];
        /** @description Selects exact matches. Requires targetType. */
        targetValue?: string;
        /** @description Selects the assignments whose targets belong to the account. */
        accountId?: components["schemas"]["Uuid"];
        /** @description Requires accountId. */
        experienceId?: components["schemas"]["Uuid"];
        /** @description The cursor from a previous response. If absent, the response contains the first page. */
        cursor?: string;
        pageSize?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of assignments. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ExperienceAssignmentPage"];
        };
      };
      /** @description A filter is missing, invalid, or not allowed in this combination. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      401: components["responses"]["Unauthorized"];
    };
  };
  createExperienceAssignment: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ExperienceAssignmentCreate"];
      };
    };
    responses: {
      /** @description The assignment. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ExperienceAssignment"];
        };
      };
      401: components["responses"]["Unauthorized"];
      /** @description The assignment cannot be created in the current state, for example because the target is already assigned to the Experience. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      /** @description Invalid data. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getExperienceAssignment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        assignmentId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The assignment. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ExperienceAssignment"];
        };
      };
      401: components["responses"]["Unauthorized"];
      /** @description The entity does not exist, or the caller has no access to it. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  deleteExperienceAssignment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        assignmentId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      401: components["responses"]["Unauthorized"];
      /** @description The caller may read the assignment but not delete it. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      /** @description The entity does not exist or was already deleted, or the caller has no access to it. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getExperienceConnections: {
    parameters: {
      query?: {
        /** @description If accountId is present, telephoneNumber and tn are ignored. */
        accountId?: components["schemas"]["Uuid"];
        /** @description Selects the account that owns the number. Required when accountId is absent. Takes precedence over tn. */
        telephoneNumber?: string;
        /**
         * @deprecated
         * @description Alias of telephoneNumber.
         */
        tn?: string;
        experienceId?: components["schemas"]["Uuid"];
        /** @description The cursor from a previous response. If absent, the response contains the first page. */
        cursor?: string;
        pageSize?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of connections. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ExperienceConnectionPage"];
        };
      };
      /** @description A query value is missing or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      401: components["responses"]["Unauthorized"];
    };
  };
  createExperienceConnection: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ExperienceConnectionCreate"];
      };
    };
    responses: {
      /** @description Malformed request. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      401: components["responses"]["Unauthorized"];
      /** @description The caller may not create a connection. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      /** @description A connection already exists for this account and Experience. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      /** @description Invalid data. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      /** @description Created. The specification shows neither the status nor the body. The kit returns the connection. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ExperienceConnection"];
        };
      };
    };
  };
  getExperienceConnection: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        experienceConnectionId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The connection. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ExperienceConnection"];
        };
      };
      401: components["responses"]["Unauthorized"];
      /** @description The entity does not exist, or the caller has no access to it. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  updateExperienceConnection: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        experienceConnectionId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ExperienceConnectionUpdate"];
      };
    };
    responses: {
      /** @description Malformed request. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      401: components["responses"]["Unauthorized"];
      /** @description The caller may read the connection, but not update it. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      /** @description The entity does not exist, or the caller has no access to it. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      /** @description The connection is already in the requested state. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      /** @description Invalid data. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      /** @description Updated. The specification shows neither the status nor the body. The kit returns the connection. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ExperienceConnection"];
        };
      };
    };
  };
  deleteExperienceConnection: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        experienceConnectionId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      401: components["responses"]["Unauthorized"];
      /** @description The caller may read the connection, but not delete it. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      /** @description The entity does not exist or was already deleted, or the caller has no access to it. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      /** @description Telephone numbers are still assigned to the Experience. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      /** @description Deleted. The specification does not show the status. The kit returns 204 without a body. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  getUsers: {
    parameters: {
      query: {
        accountId: components["schemas"]["Uuid"];
        /** @description An opaque cursor. It is bound to the accountId, sortBy and sortOrder for which it was issued. */
        cursor?: string;
        pageSize?: number;
        /** @description The specification does not show the allowed values. The kit allows createdAt, updatedAt, firstName and lastName. */
        sortBy?: string;
        /** @description The specification does not show the allowed values. The kit allows asc and desc. */
        sortOrder?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of users. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["UnifiedUserPage"];
        };
      };
      /** @description A query value is missing or invalid, or does not match the cursor. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      401: components["responses"]["UsersUnauthorized"];
      /** @description The token lacks the scope users:manage. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      /** @description Rate limit exceeded. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      /** @description An internal failure. The detail is always the same generic message. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      /** @description Service unavailable. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The unified UUID, or a native id of a supported style (URL-safe Base62, legacy numeric). */
        userId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The user. Its id is always the unified id. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["UnifiedUser"];
        };
      };
      401: components["responses"]["UsersUnauthorized"];
      /** @description The token lacks the scope users:manage. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      /** @description The user does not exist, the caller may not view the user, or the id style is unsupported. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      /** @description Rate limit exceeded. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      /** @description An internal failure. The detail is always the same generic message. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
      /** @description Service unavailable. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
}
