/** Whether a host, written without brackets, is this machine by itself: a name that only leads here is not. */
export function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
