// These files form one Playwright file, so that the checks that wait for repeats can run at the same time (REPEATS_TAG).
import './waiting/assignments.ts';
import './waiting/connections.ts';
import './waiting/events-delivery.ts';
