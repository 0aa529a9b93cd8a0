import { type OperationId, operations, type PathForm } from './generated/operations.ts';

export interface MatchedPath {
  readonly operation: OperationId;
  /** As in the operation table, such as `/users/:userId`. */
  readonly route: string;
  /** Undefined if the operation has the same path in both forms. */
  readonly form: PathForm | undefined;
  /** The decoded path parameter. */
  readonly id: string | undefined;
  /** What stands before the operation's path, such as `/api`. */
  readonly prefix: string;
}

/** The longer path first, because `/experiences/{experienceId}/assignability` also ends the prefixed path. */
const ROUTES = Object.entries(operations)
  .flatMap(([operation, { method, routeForms }]) =>
    [...new Set([routeForms.prefixed, routeForms.flat])].map((route) => ({
      operation: operation as OperationId,
      method: method.toUpperCase(),
      route,
      form: routeForms.prefixed === routeForms.flat ? undefined : route === routeForms.prefixed ? ('prefixed' as const) : ('flat' as const),
      pattern: new RegExp(`${route.replace(/:\w+/, '([^/]+)')}$`),
    })),
  )
  .sort((a, b) => b.route.length - a.route.length);

/** Finds the operation to whose path a URL's path is equal, or with which it ends. */
export function matchPath(method: string, pathname: string): MatchedPath | undefined {
  for (const { pattern, method: allowed, ...route } of ROUTES) {
    const found = allowed === method ? pattern.exec(pathname) : null;
    if (found) return { ...route, id: found[1] === undefined ? undefined : decode(found[1]), prefix: pathname.slice(0, found.index) };
  }
  return undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
