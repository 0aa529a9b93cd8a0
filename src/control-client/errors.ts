import type { components } from '../contract/generated/control.ts';

/** An invalid value in a request. */
export interface ProblemError {
  /** A JSON pointer into the body, or `?name` for a query parameter. */
  readonly pointer: string;
  readonly message: string;
}

/** A problem document (Resources › Problem details), as a kit sends it. */
export type Problem = Omit<components['schemas']['Problem'], 'errors'> & { readonly errors?: readonly ProblemError[] };

export type Health = components['schemas']['Health'];

/** Thrown for an invalid value from the caller. The message describes valid values. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The control API refused a call. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  /** The problem's type, such as `/problems/control.not-found`. */
  readonly type: string;
  /** The problem's detail. Unlike `message`, it does not contain the server's URL. */
  readonly detail: string;
  readonly problem: Problem;

  constructor(url: string, problem: Problem) {
    const { type = '', title, detail = title, errors = [] } = problem;
    // `detail` contains the first error.
    const others = errors.slice(1).map(({ pointer, message }) => `\n  ${pointer}: ${message}`);
    super(`${url} refused: ${detail}${others.join('')}`);
    this.type = type;
    this.detail = detail;
    this.problem = problem;
  }
}

/** Part of the kit is unhealthy (`GET /_control/health`). */
export class UnhealthyError extends Error {
  override readonly name = 'UnhealthyError';
  readonly health: Health;

  constructor(url: string, health: Health) {
    const { status, reason } = health.parts.database;
    super(`The database for ${url} is ${status}${reason === undefined ? '' : `: ${reason}`}.`);
    this.health = health;
  }
}
