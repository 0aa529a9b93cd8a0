// Machine-written by `npm run generate` from openapi/gates.yaml. Do not edit.

export interface Gate {
  status: number;
  title: string;
  /** A sentence that says which requests the gate refuses. */
  text: string;
}

/** The problems for requests that no operation handles: no operation has the path, or the request fails before the operation starts. */
export const gates = {
  'http.malformed-request': { status: 400, title: 'Malformed request', text: 'The received bytes are not a valid HTTP/1.1 request.' },
  'http.malformed-path': { status: 400, title: 'Malformed path', text: 'The request target is not a valid path, or its percent-encoding is not UTF-8.' },
  'http.malformed-body': { status: 400, title: 'Malformed body', text: 'The body cannot be decoded as its headers declare.' },
  'http.upgrade-refused': { status: 400, title: 'No protocol upgrade', text: 'This service supports only HTTP/1.1, not WebSocket.' },
  'http.duplicate-parameter': { status: 400, title: 'Duplicate query parameter', text: 'The request contains a single-valued query parameter more than once.' },
  'http.unknown-parameter': { status: 400, title: 'Unknown query parameter', text: 'The request contains a query parameter that the operation does not have.' },
  'http.preference-not-documented': { status: 400, title: 'Preference not documented', text: 'The Prefer header asks for a status with which the operation refuses no request.' },
  'http.control-token-required': { status: 401, title: 'Control token required', text: 'The control API requires the control token with which the kit was started.' },
  'http.unknown-host': { status: 403, title: 'Unknown host', text: 'The Host header names a host that this service is not configured to serve.' },
  'http.foreign-origin': { status: 403, title: 'Foreign origin', text: 'The control API refuses requests from web pages of another origin unless --allow-origin names that origin.' },
  'http.unknown-route': { status: 404, title: 'Unknown path', text: 'No operation has this path.' },
  'http.method-not-allowed': { status: 405, title: 'Method not allowed', text: 'The path exists, but it does not support this method.' },
  'http.request-timeout': { status: 408, title: 'Request timeout', text: 'The request was not received completely within the allowed time.' },
  'http.body-too-large': { status: 413, title: 'Body too large', text: 'The body exceeds the size limit of this service.' },
  'http.unsupported-media-type': { status: 415, title: 'Unsupported media type', text: 'The body must be application/json in UTF-8, either uncompressed or compressed with gzip, deflate, br or zstd.' },
  'http.expectation-failed': { status: 417, title: 'Expectation failed', text: 'The only expectation that this service supports is 100-continue.' },
  'http.headers-too-large': { status: 431, title: 'Header fields too large', text: 'The header fields exceed the size limit of this service.' },
  'http.shutting-down': { status: 503, title: 'Shutting down', text: 'The service is stopping and accepts no new requests.' },
  'http.unavailable': { status: 503, title: 'Database unavailable', text: 'The service cannot use its database at the moment. Its log contains the reason. Before you repeat the request, check whether the change was made.' },
  'http.unexpected-error': { status: 500, title: 'Unexpected error', text: 'The service failed while it handled the request.' },
  'http.injected-fault': { status: 503, title: 'Injected fault', text: 'A fault from the control API or a scenario produced this response, regardless of whether the request was valid.' },
  'proxy.no-login': { status: 404, title: 'No login here', text: 'This proxy forwards only the API. Clients log in at the real authorization server, or the proxy is started with --auth-to.' },
  'proxy.unknown-hook': { status: 404, title: 'Unknown receiver', text: 'The proxy has no receiver with this name. It is started with --events to have one.' },
  'proxy.unreachable': { status: 502, title: 'No response from the target', text: 'The target of the proxy could not be reached, or its response is not valid HTTP. The response comes from the proxy.' },
  'proxy.cut': { status: 502, title: 'Response cut', text: 'The target of the proxy ended the connection within its response, so the proxy did the same.' },
  'proxy.timeout': { status: 504, title: 'Target too slow', text: 'The target of the proxy did not respond within the time that --timeout allows. The response comes from the proxy.' },
  'control.invalid': { status: 400, title: 'Invalid request', text: 'The request to the control API is not valid.' },
  'control.not-found': { status: 404, title: 'Not found', text: 'The control API found nothing with this name.' },
  'control.too-many-worlds': { status: 429, title: 'Too many worlds', text: 'The kit already has as many worlds as --max-worlds allows.' },
  'control.conflict': { status: 409, title: 'Conflict', text: 'The current state does not allow this request.' },
} as const satisfies Record<string, Gate>;

export type GateId = keyof typeof gates;
