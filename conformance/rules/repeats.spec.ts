// These files form one Playwright file, so that the checks that wait for repeats or expiry can run at the same time (REPEATS_TAG).
import './waiting/assignability-limits.ts';
import './waiting/connections.ts';
import './waiting/events-delivery.ts';
import './waiting/oauth-tokens.ts';
