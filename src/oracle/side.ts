import type { OperationId, PathForm } from '../contract/generated/operations.ts';

/** A string may contain names of entities, such as `«account 1»`. Each side replaces them with its own ids. */
export interface Request {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly as: TokenName;
  readonly form: PathForm;
}

/** A request with one fault, which the model refuses or which shows nothing. */
export interface Probe {
  readonly operation: OperationId;
  readonly request: Request;
  /** The query of the manager's list whose first page's cursor the request contains. */
  readonly cursorOf?: Request['query'] | undefined;
  /** Whether the authorization service cannot be reached during the request. */
  readonly withoutAuthorization?: boolean;
}

/** Principals that may manage everything, only read, and see nothing, and tokens that are missing, invalid or lack something. */
export type TokenName = 'manager' | 'reader' | 'outsider' | OddToken;
export type OddToken = 'nobody' | 'invalid' | 'expired' | 'no claim' | 'no scope';

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** Undefined if the body is not JSON. */
  readonly json: unknown;
}

/** The number of entities on a page. */
export const countEntities = ({ json }: Answer): number => ((json ?? {}) as { entities?: readonly unknown[] }).entities?.length ?? 0;

export const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 300;

/** Changes that only the portal or the platform can make. */
export type ActionName =
  | `${'portal' | 'platform'}.${'connections' | 'assignments' | 'users'}.${'create' | 'remove'}`
  | `${'portal' | 'platform'}.connections.update`
  | 'platform.users.rename'
  | `platform.${'accounts' | 'numbers'}.${'create' | 'remove'}`;

export interface ReceivedEvent {
  /** The name of the subscription at which the event arrived. */
  readonly subscription: string;
  readonly webhookId: string | undefined;
  readonly json: unknown;
}

/** One of the two servers that get the same commands: the target or its twin. */
export interface Side {
  /** The body of a request that creates or updates a connection contains the values of the profile's template. */
  call(operation: OperationId, request: Request): Promise<Answer>;
  /**
   * @returns the id of the entity that the action created, or an empty string
   * @throws Error if the side refuses the action
   */
  act(action: ActionName, args: readonly unknown[]): Promise<string>;
  /** Makes the authorization service unreachable during the next call. @returns a function that ends the failure, if the side has one */
  readonly failAuthorization?: (
    operation: 'getUsers' | 'getUser',
    parameters: Readonly<Record<string, string>>,
  ) => Promise<(() => Promise<unknown>) | undefined>;
  readonly events: readonly ReceivedEvent[];
  /** Waits up to `ms` milliseconds for another event. */
  waitForEvent(ms: number): Promise<void>;
}

/** The index of a side in pairs: 0 for the target, 1 for the twin. */
export type SideIndex = 0 | 1;

/** The name of what a command creates. It remains the same if other commands are removed. */
export const nameCreated = (kind: string, number: number): string => `«${kind} #${number}»`;
/** Whether a step created the entity: then its name contains a number sign, such as `«user #1»`. */
export const isCreatedName = (name: string): boolean => name.includes('#');

/** A caret after a name stands for the id in capital letters, and ⌫ for the number without its last digit. */
const NAME = /(«[^»]+»)([\^⌫]?)/g;

/** The names of entities, and their ids at both sides. */
export class Names {
  private readonly ids = new Map<string, readonly [string, string]>();
  private readonly names = [new Map<string, string>(), new Map<string, string>()] as const;

  define(name: string, target: string, twin: string): void {
    this.ids.set(name, [target, twin]);
    this.names[0].set(target.toLowerCase(), name);
    this.names[1].set(twin.toLowerCase(), name);
  }

  /** Forgets the names of entities that a sequence created, because the next sequence uses the same names. */
  forget(names: Iterable<string>): void {
    for (const name of names) {
      const ids = this.ids.get(name);
      this.ids.delete(name);
      for (const side of [0, 1] as const) if (ids) this.names[side].delete(ids[side].toLowerCase());
    }
  }

  /** @throws Error if a name has no id */
  resolve<T>(side: SideIndex, value: T): T {
    return mapStrings(value, (text) =>
      text.replace(NAME, (_, name: string, mark: string) => {
        const ids = this.ids.get(name);
        if (ids === undefined) throw new Error(`${name} has no id.`);
        const id = ids[side];
        return mark === '^' ? id.toUpperCase() : mark === '⌫' ? id.slice(0, -1) : id;
      }),
    );
  }

  canResolve(value: unknown): boolean {
    return (JSON.stringify(value) ?? '').matchAll(NAME).every(([, name]) => this.ids.has(name!));
  }

  /** Replaces each string that is an id with the entity's name. */
  replaceIds<T>(side: SideIndex, value: T): T {
    return mapStrings(value, (text) => this.names[side].get(text.toLowerCase()) ?? text);
  }

  /** Replaces the ids in an answer's reason with names. */
  describe(side: SideIndex, answer: Answer): Answer {
    const named = this.nameIds(side, answer.text);
    return named === answer.text ? answer : { ...answer, text: named, json: mapStrings(answer.json, (text) => this.nameIds(side, text)) };
  }

  private nameIds(side: SideIndex, text: string): string {
    return [...this.names[side]].reduce((part, [id, name]) => part.replaceAll(id, name), text);
  }

  findName(side: SideIndex, id: unknown): string | undefined {
    return typeof id === 'string' ? this.names[side].get(id.toLowerCase()) : undefined;
  }
}

function mapStrings<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T;
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapStrings(member, change)])) as T;
}
