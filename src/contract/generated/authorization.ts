// Machine-written by `npm run generate` from openapi/authorization.yaml. Do not edit.
export interface paths {
  "/authorize": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Asks the user to authorize the client. */
    get: operations["authorize"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/oauth/token": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Exchanges a code for an access token. */
    post: operations["token"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    TokenRequest: {
      grant_type: string;
      code?: string;
      redirect_uri?: string;
      client_id?: string;
      code_verifier?: string;
      client_secret?: string;
      /** @constant */
      client_assertion_type?: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
      client_assertion?: string;
    };
    /** @description The specification shows only expires_in. RFC 6749 defines the other fields. */
    TokenResponse: {
      access_token: string;
      token_type: string;
      expires_in: number;
      scope?: string;
      refresh_token?: string;
    };
    /** @description RFC 6749, section 5.2. */
    OAuthError: {
      error: string;
      error_description?: string;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type TokenRequest = components['schemas']['TokenRequest'];
export type TokenResponse = components['schemas']['TokenResponse'];
export type OAuthError = components['schemas']['OAuthError'];
export type $defs = Record<string, never>;
export interface operations {
  authorize: {
    parameters: {
      query: {
        response_type: "code";
        client_id: string;
        redirect_uri: string;
        /** @description The requested scopes, separated by spaces. */
        scope: string;
        state: string;
        code_challenge: string;
        code_challenge_method: "S256";
        /** @description The phone number that the user wants to use with the Experience. */
        login_hint: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Redirects to the login page, or to redirect_uri with state and either code or error. */
      "3XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is refused, and the response is not a redirect. */
      "4XX": {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["OAuthError"];
        };
      };
    };
  };
  token: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/x-www-form-urlencoded": components["schemas"]["TokenRequest"];
      };
    };
    responses: {
      /** @description The token. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TokenResponse"];
        };
      };
      /** @description The request is refused. The body is an OAuth error (RFC 6749) or a problem. */
      "4XX": {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["OAuthError"];
        };
      };
    };
  };
}
