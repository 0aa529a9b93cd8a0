/** Removes access tokens from a command line, because reports contain it. */
export const redactSecrets = (text: string): string => text.replace(/(\b(?:Bearer|Basic)\s+)[^\s'"]+/gi, '$1[redacted]');
