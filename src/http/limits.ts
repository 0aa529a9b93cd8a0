/** Bodies of the service larger than this get 413. */
export const MAX_BODY_BYTES = 1_048_576;
/** A dump of a large world is loaded through the control API. */
export const MAX_CONTROL_BODY_BYTES = 256 * 1_048_576;
