/**
 * What is true of the whole world at this moment and cheap to ask at every request: its name, and a number that grows whenever something changed
 * that caches rest on (clients, principals, the world itself). With several replicas both live in the database.
 */
export interface WorldState {
  readonly name: string;
  readonly version: number;
  /** Takes over what other replicas did. Undefined where there are none: then nothing is waited for. */
  refresh(): Promise<void> | undefined;
}
