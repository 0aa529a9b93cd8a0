/** Checks that do not pass yet, and a part of the message with which they must fail. An entry whose check passes fails the run. */
export const knownFailures: Readonly<Record<string, string>> = {};
