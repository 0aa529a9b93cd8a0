/** Where events may be delivered to: anywhere but to link-local and metadata addresses, or only where the service itself would (Events › Subscription). */
export const DESTINATION_MODES = ['local', 'strict'] as const;
export type DestinationMode = (typeof DESTINATION_MODES)[number];
