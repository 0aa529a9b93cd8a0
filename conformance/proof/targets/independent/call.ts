import type { Service } from './service.ts';
import type { Reply, Token } from './types.ts';

export interface Call {
  service: Service;
  token: Token;
  id: string;
  query: URLSearchParams;
  text: string;
  flat: boolean;
}

export interface Route {
  operation: string;
  family: 'assignability' | 'assignments' | 'connections' | 'users';
  method: string;
  /** The path in prefixed and in flat form; `*` stands for an id. */
  paths: [prefixed: string, flat: string];
  scope: string;
  /** The status for a token without the scope: 403 if documented, otherwise 401. */
  lackingScope: 401 | 403;
  handle: (call: Call) => Reply;
}
