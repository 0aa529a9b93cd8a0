// Machine-written by `npm run generate` from openapi/gates.yaml. Do not edit.

export interface Gate {
  status: number;
  title: string;
  /** A sentence that says which requests the gate refuses. */
  text: string;
}

/** The problems for requests that no operation handles: no operation has the path, or the request fails before the operation starts. */
export const gates = {
  'http.malformed-request': { status: 400, title: 'Malformed request', text: 'The bytes received are not a valid HTTP/1.1 request.' },
  'http.malformed-path': { status: 400, title: 'Malformed path', text: 'The request target is not a valid path, or its percent-escapes are not UTF-8.' },
  'http.malformed-body': { status: 400, title: 'Malformed body', text: 'The body could not be read as what its headers say it is.' },
  'http.upgrade-refused': { status: 400, title: 'No protocol upgrade', text: 'This service speaks HTTP/1.1 only and offers no WebSocket.' },
  'http.duplicate-parameter': { status: 400, title: 'Duplicate query parameter', text: 'A query parameter that takes one value was given more than once.' },
  'http.unknown-parameter': { status: 400, title: 'Unknown query parameter', text: 'A query parameter that the operation does not have was given.' },
  'http.control-token-required': { status: 401, title: 'Control token required', text: 'The control API needs the control token it was started with.' },
  'http.unknown-host': { status: 403, title: 'Unknown host', text: 'The Host of the request is not one this service was told to answer for.' },
  'http.foreign-origin': { status: 403, title: 'Foreign origin', text: 'The control API does not answer pages of another origin, unless --allow-origin names it.' },
  'http.unknown-route': { status: 404, title: 'Unknown path', text: 'No operation has this path.' },
  'http.method-not-allowed': { status: 405, title: 'Method not allowed', text: 'The path exists, but not with this method.' },
  'http.request-timeout': { status: 408, title: 'Request timeout', text: 'The request was not received completely within the time allowed.' },
  'http.body-too-large': { status: 413, title: 'Body too large', text: 'The body is larger than this service reads.' },
  'http.unsupported-media-type': { status: 415, title: 'Unsupported media type', text: 'The body must be application/json in UTF-8, compressed by gzip, deflate, br or zstd, or not at all.' },
  'http.expectation-failed': { status: 417, title: 'Expectation failed', text: 'The only expectation this service can meet is 100-continue.' },
  'http.headers-too-large': { status: 431, title: 'Header fields too large', text: 'The header fields are larger than this service reads.' },
  'http.shutting-down': { status: 503, title: 'Shutting down', text: 'The service is stopping and takes no new requests.' },
  'http.unavailable': { status: 503, title: 'Database unavailable', text: 'The service cannot use its database at the moment, for the reason in its log; check whether the change was made before you repeat the request.' },
  'http.unexpected-error': { status: 500, title: 'Unexpected error', text: 'The service failed while it handled the request.' },
  'http.injected-fault': { status: 503, title: 'Injected fault', text: 'A fault of the control API or of the scenario injected this response, whatever the request was.' },
  'control.invalid': { status: 400, title: 'Invalid request', text: 'The control API cannot do this as it was asked.' },
  'control.not-found': { status: 404, title: 'Not found', text: 'The control API knows nothing by this name.' },
  'control.conflict': { status: 409, title: 'Conflict', text: 'The state does not allow this.' },
} as const satisfies Record<string, Gate>;

export type GateId = keyof typeof gates;
