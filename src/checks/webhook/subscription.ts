import { getSigningSecret } from '../../domain/deliveries.ts';

/** The id of the check's subscription in a kit that the check starts. It is the same in every run, so that a consumer can be configured with it. */
export const SUBSCRIPTION_ID = '019b76da-a800-7000-8000-00000000c4ec';

/** Signs the deliveries of each check without a secret, in every kit, so that an endpoint can be configured with it. */
export const DEFAULT_SECRET = getSigningSecret({ id: SUBSCRIPTION_ID, secret: null });
