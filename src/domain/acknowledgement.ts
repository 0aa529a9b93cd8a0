/** Whether a status acknowledges a delivery: any 2xx does, and no other (Events › Subscription). */
export function isAcknowledgement(status: number): boolean {
  return status >= 200 && status <= 299;
}
