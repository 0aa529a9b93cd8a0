/** Who answers authorization requests: a person at the login page, the fixtures (each principal as its `consent` says), or always no. */
export const LOGIN_MODES = ['page', 'auto', 'deny'] as const;
export type LoginMode = (typeof LOGIN_MODES)[number];
