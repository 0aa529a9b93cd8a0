// These files form one Playwright file, so that the checks that wait for absent events or a later second can run at the same time
// (SILENCE_TAG).
import './waiting/updated-at.ts';
import './waiting/events-connections.ts';
import './waiting/events-provisioning.ts';
import './waiting/events-publish.ts';
import './waiting/events-refused.ts';
import './waiting/events-subscriptions.ts';
import './waiting/observed-events.ts';
