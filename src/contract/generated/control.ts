// Machine-written by `npm run generate` from openapi/control.yaml. Do not edit.
export interface paths {
  "/_control/health": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Returns whether the kit can serve requests.
     * @description For readiness probes: the status is 200 while all components work, and 503 otherwise. `parts` contains each component's state and the cause of a failure. A kit whose database is `read-only` still handles requests that change nothing. A degraded kit recovers without a restart. With `xpk start --drain`, the kit also
     *     returns 503 after a signal to stop, so that a load balancer sends clients to other replicas.
     */
    get: operations["health"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/health/live": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Confirms that the process is running.
     * @description For liveness probes. Does not use the database, because restarting the kit would not repair the database.
     */
    get: operations["live"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/metrics": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Returns this process's metrics in the Prometheus text format.
     * @description `xpk_requests_total` and `xpk_request_seconds_total` by `operation` and `status`, `xpk_delivery_attempts_total` by `outcome`, `xpk_deliveries_due` and
     *     `xpk_deliveries_due_age_seconds`, `xpk_database_connections` by `state` (PostgreSQL only), and the process metrics of Node.js. While the database is unavailable, the metrics that are read from the database are missing. Each replica reports only its own activity.
     */
    get: operations["readMetrics"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/info": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Returns the version, the current settings and decisions, the URLs, and ready-made tokens. */
    get: operations["info"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/operations": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Returns the service's operations, each with its documented refusals. */
    get: operations["listOperations"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/decisions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Returns the points that the specification leaves open, each with its current value and the alternatives. */
    get: operations["listDecisions"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/tokens": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Creates an access token that is valid or deliberately invalid. */
    post: operations["mintToken"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/world": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Returns the world's name and the number of its entities. */
    get: operations["readWorld"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/world/file": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Returns the whole state as YAML, which `xpk start --fixtures` accepts. */
    get: operations["downloadWorld"];
    /** Replaces the whole state with the world in a file. Publishes no events. Each error contains the line and column in the file. */
    put: operations["uploadWorld"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/worlds": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Returns the worlds besides the first one, oldest first. */
    get: operations["listWorlds"];
    put?: never;
    /**
     * Creates a world that shares nothing with the others.
     * @description A world has its own state, clock, faults, journal, limits, deliveries, authorization server and keys, at its own base URL: `/w/NAME` before every path. It ends when nobody has used it for its idle timeout. It is in memory or, if the kit has a PostgreSQL database, in a schema of its own there, and all replicas answer for it.
     */
    post: operations["createWorld"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/worlds/{name}": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The world's name. */
        name: string;
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /** Ends a world, with everything in it. Waits for its requests for at most five seconds. */
    delete: operations["deleteWorld"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/ended/worlds": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Returns the latest 20 worlds that have ended at this replica, newest first. */
    get: operations["listEndedWorlds"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/ended/worlds/{name}/requests": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Returns the latest 100 entries in the journal of a world that has ended, newest first. Of several worlds with this name, the latest counts. */
    get: operations["listEndedWorldRequests"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/scenarios": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Returns the package's scenarios. */
    get: operations["listScenarios"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/scenarios/{scenario}/load": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Loads a scenario, which replaces the world, the faults and the clock. Publishes no events. Refuses a scenario whose decisions differ from the current decisions, because decisions cannot change after a kit has started. */
    post: operations["loadScenario"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/state": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Returns the whole state as a world. Loading this world restores the same state. */
    get: operations["dumpState"];
    /** Replaces the whole state with a world. Publishes no events. */
    put: operations["loadState"];
    /**
     * Creates several entities in one transaction on behalf of the platform, and publishes the events. If one entity is refused, creates none.
     * @description To create assignments and connections, use createEntity.
     */
    post: operations["createEntities"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/state/{collection}": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        collection: components["parameters"]["collection"];
      };
      cookie?: never;
    };
    /**
     * Returns a collection's entities by alias.
     * @description The entities are sorted by alias. With `limit`, the response is a page. To get the next page, set `after` to the last alias on this page.
     */
    get: operations["listCollection"];
    put?: never;
    /** Creates an entity on behalf of the portal or the platform, and publishes the event. */
    post: operations["createEntity"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/state/{collection}/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        collection: components["parameters"]["collection"];
        /** @description An id, an alias or a telephone number. */
        id: string;
      };
      cookie?: never;
    };
    /** Returns an entity. */
    get: operations["readEntity"];
    /** Creates the entity with this alias, or replaces the existing entity. */
    put: operations["putEntity"];
    post?: never;
    /** Deletes the entity and everything that depends on it, and publishes the events. */
    delete: operations["deleteEntity"];
    options?: never;
    head?: never;
    /** Changes the given members. The value null removes a member. In the maps `levels` and `accounts`, only the given entries are changed. */
    patch: operations["patchEntity"];
    trace?: never;
  };
  "/_control/changes": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Returns the changes made through the control API and who made them, newest first.
     * @description Changes to connections and assignments are not listed, because listEvents returns them as events with their actors. Entities that were deleted because another entity was deleted are not listed either. Loading or resetting a world empties the list.
     */
    get: operations["listChanges"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/names": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Returns the names of the entities that a text mentions, or of the entities that a search finds. */
    post: operations["findNames"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/reset": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Restores a snapshot, an empty world, or the world with which the kit was started. Delivery modes are part of the restored state. Removes all faults, and empties the journal. Does not change settings or snapshots. */
    post: operations["reset"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/undo": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Returns the changes that can be undone, newest first. */
    get: operations["listUndoable"];
    put?: never;
    /**
     * Undoes the last change to the world.
     * @description Restores the world before the newest undoable change. A change is undoable if its request had the header `Xpk-Undoable`, which xpk and the console send: creating, changing and deleting entities, causing events, loading a world, and resetting. The response to such a request has the header `Xpk-Change`. The kit keeps the last 20 such changes, if the world has at most 20,000 entities. Repeated calls undo earlier changes.
     *     The request is refused with 409 if the world changed in another way since, because that change would be lost. Faults, the journal and logins stay as they are, so undoing a reset does not bring back the faults and the journal entries that it removed. Receivers keep the events that they received, and may receive an event again that was pending before the change.
     */
    post: operations["undo"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/snapshots": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Returns the saved snapshots, ordered by name. */
    get: operations["listSnapshots"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/snapshots/{name}": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        name: components["parameters"]["snapshot"];
      };
      cookie?: never;
    };
    get?: never;
    /** Saves the whole state as a snapshot: entities, clock, codes and refresh tokens, events and deliveries. Replaces an existing snapshot of this name. */
    put: operations["saveSnapshot"];
    post?: never;
    /** Deletes a snapshot. Does not change the current state. */
    delete: operations["deleteSnapshot"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/clock": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Returns kit time. */
    get: operations["readClock"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/clock/advance": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Moves kit time forward. Tokens expire, rate limit windows end, the users list shows earlier writes, and deliveries are repeated, as if this time had passed. */
    post: operations["advanceClock"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/deliveries": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Returns the deliveries in all states, newest first, or only the pending deliveries, ordered by due time. */
    get: operations["listDeliveries"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/deliveries/wait": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Waits until the requested number of deliveries is in the requested state, so that a test need not sleep. */
    post: operations["waitForDeliveries"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/deliveries/{deliveryId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Returns a delivery with its content and every attempt to send it. */
    get: operations["readDelivery"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/deliveries/{deliveryId}/redeliver": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Repeats a delivery immediately, whatever its state. The real service is also allowed to repeat any delivery. */
    post: operations["redeliver"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/deliveries/{deliveryId}/duplicate": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Immediately sends a delivery once more, with the same webhook-id, and waits for the response.
     * @description Unlike redeliver, this does not count as an attempt: the state, the retry schedule and the number of attempts do not change, regardless of the response.
     */
    post: operations["duplicateDelivery"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/subscriptions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Returns the subscriptions by alias, with their destinations and the number of deliveries in each state. */
    get: operations["listSubscriptions"];
    put?: never;
    /** Creates a subscription. For the real service, the platform operator does this on request. Has the same effect as creating an entity in state/subscriptions. */
    post: operations["createSubscription"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/subscriptions/{subscriptionId}": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The alias or id of the subscription. */
        subscriptionId: string;
      };
      cookie?: never;
    };
    /** Returns a subscription. */
    get: operations["readSubscription"];
    put?: never;
    post?: never;
    /** Deletes the subscription. Deliveries that are still pending are not sent. */
    delete: operations["deleteSubscription"];
    options?: never;
    head?: never;
    /** Changes the given members. The value null removes a member. The change applies to later events and deliveries. */
    patch: operations["patchSubscription"];
    trace?: never;
  };
  "/_control/subscriptions/{subscriptionId}/listen": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Streams the deliveries of a subscription as server-sent events, instead of sending them to its destination.
     * @description For an endpoint that the kit cannot reach, such as one on a laptop. While the stream is open, the kit sends each delivery of the subscription as a message
     *     `delivery`, and waits for `answerDelivery`: its status decides whether the delivery is acknowledged or repeated. If the stream ends before an answer, the attempt has failed.
     *     The first message is `listening`. If several streams are open, the newest one gets the deliveries: its `listening` has `replaces`, the one before gets the message `replaced`, and another `listening` when it gets the deliveries again. The stream ends when the subscription is deleted. A subscription without a destination has an inbox instead, and the request is refused with 409.
     *     The attempts to a subscription with the destination `https://xpk-listen.invalid/` fail while no stream is open.
     *     At a proxy, the name is that of a receiver: with `events`, the stream contains what arrives at `/hooks/events`, and the service gets the answer.
     *     Refused with 409 if several replicas share the database, because any of them may send a delivery.
     */
    get: operations["listen"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/subscriptions/{subscriptionId}/listen/{attemptId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Answers a delivery from the stream of a subscription. Has no effect if the attempt has ended, for example because of a timeout. */
    post: operations["answerDelivery"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/subscriptions/{subscriptionId}/recover": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Repeats the deliveries that were created for a subscription since an instant: all deliveries, or only those that were not acknowledged. */
    post: operations["recover"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/subscriptions/{subscriptionId}/delivery-mode": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The alias or id of the subscription. */
        subscriptionId: string;
      };
      cookie?: never;
    };
    /** Returns a subscription's delivery mode and the number of held deliveries. */
    get: operations["readDeliveryMode"];
    /** Sets a subscription's delivery mode. The mode makes deliveries fail on purpose, in ways that are also possible with the real service. Resets, snapshots and dumps include the mode, because it is part of the world. */
    put: operations["setDeliveryMode"];
    post?: never;
    /** Removes the delivery mode. Held deliveries remain held. */
    delete: operations["removeDeliveryMode"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/subscriptions/{subscriptionId}/release": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Sends the held deliveries one after another in the requested order. Each delivery is sent when the previous delivery's first attempt has ended. */
    post: operations["releaseDeliveries"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/inbox": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Returns the deliveries to subscriptions without a destination, oldest first. The kit keeps the deliveries of the newest 5,000 events. Only the kit has this inbox. The real service delivers only by webhooks. */
    get: operations["readInbox"];
    put?: never;
    post?: never;
    /** Empties the inbox. */
    delete: operations["emptyInbox"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/faults": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Returns the active faults. */
    get: operations["listFaults"];
    put?: never;
    /** Makes an operation fail on purpose. The fault affects every request, to any replica, that arrives after the response to this call. */
    post: operations["addFault"];
    /** Removes all faults. */
    delete: operations["clearFaults"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/faults/{faultId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /** Removes one fault. */
    delete: operations["removeFault"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/requests": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Returns the journal: the requests to the service and to its authorization server, with their responses, newest first. Replicas share the journal. */
    get: operations["listRequests"];
    put?: never;
    post?: never;
    /** Removes all journal entries. The numbering of later entries continues. */
    delete: operations["clearRequests"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/requests/wait": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Waits for a request, so that a test need not sleep. Without `since`, returns the newest matching request in the journal. With `since`, returns the first matching request after the entry with that number. */
    post: operations["waitForRequest"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/requests/{traceId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Returns the request with this trace id. If several requests have the same trace id, returns the newest. */
    get: operations["readRequest"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/events": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Returns the published events, newest first, each with its deliveries. Includes custom payloads. The kit keeps the newest 5,000 events, and the pending and held deliveries of older events. */
    get: operations["listEvents"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/events/raw": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Sends a custom payload to a subscription, without a change in the world. The payload is signed, repeated and logged like every delivery. */
    post: operations["sendRawEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/events/{event}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Returns an event with its deliveries. For each subscription, explains the delivery's state, or why there is no delivery. */
    get: operations["readEvent"];
    put?: never;
    /**
     * Causes an event of a type by a change in the world.
     * @description Creates, changes or deletes an entity on behalf of the portal or the platform. If no entity fits, first creates or changes one. Prefers Experiences that a subscription receives, and accounts that a principal can manage. To send a payload without a change in the world, use sendRawEvent.
     */
    post: operations["triggerEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/signatures/check": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Checks whether a delivery's signature matches a secret (Standard Webhooks). If not, explains why.
     * @description By default, the kit uses the headers and body that it sent with the delivery `deliveryId`, and the secret of that delivery's subscription.
     */
    post: operations["checkSignature"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/findings": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Checks the calls in the journal against the rules for clients, as xpk check client does. */
    get: operations["readFindings"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/reports": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Returns the reports that xpk conformance and xpk check have written to the reports folder, and those of the checks that startCheck started, newest first.
     * @description Reports of earlier versions of xpk, whose results.json has no member `verdicts`, are not listed.
     */
    get: operations["listReports"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/reports/{name}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Returns a report with its HTML page. */
    get: operations["readReport"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/checks": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Returns the running and the latest ended checks that startCheck started, newest first.
     * @description The kit keeps the latest 20 checks in memory. With several replicas, each replica has only the checks that it has started.
     */
    get: operations["listChecks"];
    put?: never;
    /**
     * Starts a check of a webhook endpoint, or of the calls in the journal, as xpk check does with --url.
     * @description `webhook` changes the kit's world, delivers the events to the endpoint itself, and removes its own entities at the end. In the meantime, the kit's subscriptions deliver nothing to this URL, and
     *     a second `webhook` check is refused with 409. The kit must be allowed to deliver to all URLs in the request (see `xpk start --destinations`). `client` checks the calls that the journal contains.
     */
    post: operations["startCheck"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/checks/{checkId}": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        checkId: components["parameters"]["checkId"];
      };
      cookie?: never;
    };
    /** Returns a check. If the check has ended, returns also its results. */
    get: operations["readCheck"];
    put?: never;
    post?: never;
    /** Stops a check after its current scenario. The results then contain what was tested until this time. */
    delete: operations["stopCheck"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/stream": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Streams requests, deliveries and events as server-sent events.
     * @description The message types are `request` (a new journal entry), `event` (an event was published), `delivery` (a delivery attempt has ended), `dropped` (the
     *     number of requests that the journal removed before the stream sent them to a slow reader) and, only on request, `check` (first each known check, and then each one that has started, continued or ended) and `journal` (the journal has new entries, or a world was loaded; sent at most four
     *     times a second, for a page that then reads the list again). A message's data is JSON on one line. If there is no message for 15 s, a comment is sent.
     *     Without Last-Event-ID, the stream begins with the next message. With Last-Event-ID, the stream continues after the message with this id, with the requests that are still
     *     in the journal, and with all events and attempts in the current world. If the kit was restarted with a new journal, the stream sends all requests in the journal.
     *     With several replicas, the stream contains the messages of all replicas. Events and attempts may then arrive up to half a second later.
     *     Only the kit has this stream. The real service delivers events only by webhooks.
     */
    get: operations["streamEverything"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/explain": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Explains to which subscriptions the newest events were sent, and why the other subscriptions did not receive them. If no event matches, explains why. */
    get: operations["explainEvents"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/_control/explain/{traceId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Explains why a request got its response. Also returns one change with which the request would have succeeded. */
    get: operations["explain"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @enum {string} */
    Collection: "providers" | "experiences" | "accounts" | "telephoneNumbers" | "users" | "principals" | "clients" | "assignments" | "connections" | "subscriptions";
    /** @description An entity with its alias, its id, and the members that the World schema defines for its collection. */
    Entity: {
      alias: string;
      /** @description The entity's id. Absent for a telephone number. */
      id?: string;
    } & {
      [key: string]: unknown;
    };
    /** @description The entities by alias, each with the members that the World schema defines for its collection. */
    Entities: {
      [key: string]: {
        [key: string]: unknown;
      };
    };
    Change: {
      id: string;
      /**
       * Format: date-time
       * @description Kit time.
       */
      at: string;
      collection: components["schemas"]["Collection"];
      /** @description The id of the entity, or the telephone number. */
      entityId: string;
      alias: string;
      /** @enum {string} */
      action: "created" | "changed" | "deleted";
      /** @enum {string} */
      actor: "portal" | "platform";
      difference?: components["schemas"]["Difference"];
    };
    NamesRequest: {
      /** @description A text that contains ids, or collections with aliases, such as `users/ada`. */
      text?: string;
      /** @description A part of an id, alias or name, in any letter case. If it is set, `text` is ignored. */
      search?: string;
      /** @description The collections to search. Default: all. */
      collections?: components["schemas"]["Collection"][];
      /**
       * @description The maximum number of entities of each collection that the search finds.
       * @default 20
       */
      limit?: number;
    };
    /** @description The names of entities, by id. Telephone numbers have no id, so their key is the number. */
    Names: {
      [key: string]: {
        collection: components["schemas"]["Collection"];
        alias: string;
        /** @description The name; for a connection or an assignment, the names of the entities that it connects; else the alias. */
        name: string;
      };
    };
    /** @description Entities by collection and alias. Later entities may refer to earlier entities. */
    EntitiesByCollection: {
      [key: string]: components["schemas"]["Entities"];
    };
    Health: {
      /**
       * @description `draining`: the kit is about to stop, and a load balancer should send clients to other replicas.
       * @enum {string}
       */
      status: "up" | "degraded" | "draining";
      /** @description The URL to which this kit forwards API requests. Absent unless the kit is a proxy. */
      proxyOf?: string;
      /** @enum {string} */
      engine: "sqlite" | "postgres";
      parts: {
        database: {
          /**
           * @description `read-only`: the last write failed and a trial write still fails, for example because the disk is full. `busy`: all connections to the database are in use, for example because they wait for a lock, and a request for a connection has timed out.
           * @enum {string}
           */
          status: "up" | "read-only" | "busy" | "down";
          /** @description The cause of the failure. Absent if the status is up. */
          reason?: string;
        };
      };
    };
    /** @description The servers to which a proxy forwards requests. */
    Upstream: {
      /** @description The base URL of the API. */
      api: string;
      /** @description The base URL of the authorization server. Absent if `/auth` is not forwarded. */
      auth?: string;
      /** @description The endpoints that receive the deliveries to `/hooks/NAME`, by name. */
      events?: {
        [key: string]: string;
      };
      timeoutMs?: number;
      /** @description Whether every TLS certificate is accepted. */
      insecure?: boolean;
      /** @description Whether faults also affect requests that change something. */
      faultWrites?: boolean;
    };
    Info: {
      version: string;
      /** @description Absent unless the kit is a proxy. */
      upstream?: components["schemas"]["Upstream"];
      world: string;
      baseUrl: string;
      /** @enum {string} */
      engine?: "sqlite" | "postgres";
      /** @description The number of processes that share the database: always 1 on SQLite. */
      replicas: number;
      /** @description Names the data that replicas do not share, although they use the same database. */
      perReplica?: string[];
      settings: Record<string, unknown>;
      decisions: Record<string, unknown>;
      tokens: {
        [key: string]: string;
      };
    };
    ServiceOperation: {
      operationId: string;
      /** @enum {string} */
      method: "GET" | "PUT" | "POST" | "DELETE" | "PATCH";
      /** @description The path with its parameters, such as `/users/{userId}`. */
      path: string;
      /** @description The scope that the access token must have. */
      scope: string;
      /** @description The documented statuses. A class such as 2XX means that the exact status is not documented. */
      statuses: (number | string)[];
      /** @description The rules by which the operation refuses requests. */
      refusals: components["schemas"]["DocumentedRefusal"][];
    };
    DocumentedRefusal: {
      status: number;
      /** @description The rule's id. A fault of the type `problem` can name this rule. */
      rule: string;
      text: string;
      /** @enum {string} */
      level: "documented" | "implied" | "advice";
      /** @description The section of the specification. */
      section: string;
    };
    DecisionInForce: {
      id: string;
      question: string;
      /** @description The section of the specification that leaves the point open. */
      section: string;
      /** @description The current value. */
      inForce: string | number | boolean;
      /** @description The default value. */
      default: string | number | boolean;
      /** @description The other values that the kit supports. Empty if there are none or if they cannot be listed. */
      alternatives: (string | number | boolean)[];
      /** @description Maps each value to the behavior that it selects. */
      means: {
        [key: string]: string;
      };
    };
    /**
     * @description good, or the reason why the token is invalid.
     * @enum {string}
     */
    TokenKind: "good" | "expired" | "not-yet-valid" | "wrong-signature" | "alg-none" | "wrong-algorithm" | "wrong-issuer" | "wrong-audience" | "no-expiry" | "no-client" | "unknown-client" | "unknown-principal" | "no-principal" | "malformed-claims" | "truncated" | "not-a-jwt";
    TokenRequest: {
      /** @description The alias or id of a client. */
      client: string;
      /** @description The alias or id of a principal. If absent, the token has no principal claim. */
      principal?: string;
      /** @description The token's scopes. Default: all scopes except offline_access. */
      scopes?: string[];
      /**
       * @description The token's lifetime, in seconds of kit time.
       * @default 3600
       */
      expiresIn?: number;
      /** @default good */
      kind?: components["schemas"]["TokenKind"];
    };
    MintedToken: {
      accessToken: string;
      expiresIn: number;
      kind?: components["schemas"]["TokenKind"];
    };
    Reset: {
      /**
       * @description seed, empty, or the name of a snapshot.
       * @default seed
       */
      to?: string;
    };
    Undoable: {
      id: string;
      /**
       * Format: date-time
       * @description The wall time of the change, because a reset may set kit time back.
       */
      at: string;
      /** @description The method and path of the request that made the change. */
      request: string;
      /** @description What the request did, as a sentence with the names at that time. */
      text: string;
      /** @description The changes to entities. Empty if the change replaced the world. */
      changes: components["schemas"]["NamedChange"][];
      /** @description Whether the change replaced the world. */
      isLoad: boolean;
      /** @description The end of the world's history before the change. */
      before: components["schemas"]["HistoryEnd"];
      /** @description The end of the world's history after the change. */
      after: components["schemas"]["HistoryEnd"];
    };
    NamedChange: {
      collection: components["schemas"]["Collection"];
      /** @description The id of the entity, or the telephone number. */
      entityId: string;
      /** @description The name of the entity after the change, or before its deletion. */
      name: string;
      /** @enum {string} */
      action: "created" | "changed" | "deleted";
      /** @enum {string} */
      actor: "portal" | "platform" | "provider";
      difference?: components["schemas"]["Difference"];
    };
    /** @description For `changed`: the changed members, each with its value before and after. A value is absent if the entity had or has no such member. Of maps, such as levels, it contains only the entries that differ. */
    Difference: {
      [key: string]: {
        before?: unknown;
        after?: unknown;
      };
    };
    HistoryEnd: {
      /** @description The id of the newest event; empty if there is none. */
      event: string;
      /** @description The id of the newest change by the portal or the platform; empty if there is none. */
      change: string;
    };
    Undone: {
      undone: components["schemas"]["Undoable"];
      world: string;
      /** @description The number of entities in each collection. */
      entities: {
        [key: string]: number;
      };
    };
    SnapshotName: string;
    Snapshot: {
      name: components["schemas"]["SnapshotName"];
      /**
       * Format: date-time
       * @description The kit time at which the snapshot was saved. Loading the snapshot restores the difference between kit time and wall time.
       */
      savedAt: string;
      world: string;
      /** @description The number of entities in each collection. */
      entities: {
        [key: string]: number;
      };
    };
    WorldRequest: {
      /** @description The name in the base URL. Default: a random name. */
      name?: string;
      /**
       * @description The state to copy: seed (the world with which the kit was started), empty, a world, or a snapshot of the first world.
       * @default seed
       */
      from?: string;
      /** @description The content, as in a world file, instead of `from`. */
      fixtures?: Record<string, unknown>;
      /** @description Decisions that differ from the kit's. */
      decisions?: Record<string, unknown>;
      /** @description Whose world it is, such as the name of a test. */
      label?: string;
      /**
       * @description How long the world may be unused before it ends, in milliseconds of wall time.
       * @default 1800000
       */
      idleTimeoutMs?: number;
    };
    RunningWorld: {
      name: string;
      from: string;
      label?: string;
      /** @description The name of the world's content. */
      world: string;
      /** @description The path of its base URL below the address of the kit, /w/NAME. Use it if you reach the kit by another address than its own. */
      path: string;
      /** @description The base URL of its API, without a trailing slash. */
      url: string;
      authUrl: string;
      console?: string;
      /**
       * Format: date-time
       * @description Wall time.
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description The wall time of the latest request. Replicas store it at most every tenth of the idle timeout.
       */
      usedAt: string;
      /**
       * Format: date-time
       * @description The wall time at which the world ends if nobody uses it.
       */
      endsAt: string;
    };
    EndedWorld: {
      name: string;
      from: string;
      label?: string;
      /** @description The name of the world's content. */
      world: string;
      /**
       * Format: date-time
       * @description Wall time.
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description Wall time.
       */
      endedAt: string;
      /** @description The number of its latest requests that can still be read. */
      requests: number;
    };
    CreatedWorld: components["schemas"]["RunningWorld"] & {
      /** @description The ready-made access tokens by name. */
      tokens: {
        [key: string]: string;
      };
      clients: {
        [key: string]: {
          id: string;
          secret?: string;
          redirectUris: string[];
        };
      };
      /** @description The ids by collection and alias. */
      ids: {
        [key: string]: {
          [key: string]: string;
        };
      };
    };
    Loaded: {
      world: string;
      /** @description The number of entities in each collection. */
      entities: {
        [key: string]: number;
      };
    };
    WorldFile: {
      /** @description The file's content. */
      yaml: string;
      /**
       * @description The file's name, for error messages.
       * @default world.yaml
       */
      name?: string;
    };
    Scenario: {
      name: string;
      description: string;
      /** @description The name of the scenario's world. */
      world: string;
      /** @description The number of faults in the scenario. */
      faults: number;
      /** @description The decisions that the scenario needs. */
      decisions: {
        [key: string]: string | number | boolean;
      };
    };
    Clock: {
      /** Format: date-time */
      now: string;
      /** @description Kit time minus wall time, in milliseconds. */
      offsetMs: number;
      /** @description The current position in the order of deliveries: after all existing deliveries and before all later deliveries. Pass the position to deliveries/wait as `since`. */
      position: string;
    };
    Advance: {
      by: string | number;
      /**
       * @description The longest time, in milliseconds of wall time, to wait for the delivery attempts that become due. If the attempts take longer, kit time moves to the requested time without waiting for them.
       * @default 30000
       */
      maxWaitMs?: number;
    };
    /**
     * @description pending: the delivery is being sent or will be sent; acknowledged: the response was a 2xx; exhausted: the schedule has no further attempt; held: the delivery is sent only after it is released.
     * @enum {string}
     */
    DeliveryState: "pending" | "acknowledged" | "exhausted" | "held";
    Delivery: {
      id: string;
      webhookId: string;
      /** @description The subscription's alias; null if the subscription was deleted. */
      subscription: string | null;
      subscriptionId: string;
      /** @description The event's type; raw for a custom payload without a documented type. */
      type: string;
      /** @description The id of the connection, assignment or user that the event is about; empty for a custom payload that contains no id. */
      entityId: string;
      state: components["schemas"]["DeliveryState"];
      /** @description The number of completed attempts. */
      attempts: number;
      /** Format: date-time */
      createdAt: string;
      /**
       * Format: date-time
       * @description The kit time of the next attempt. Absent if there is no further attempt.
       */
      nextAttemptAt?: string;
    };
    DeliveryWithAttempts: components["schemas"]["Delivery"] & {
      eventId: string;
      /** @description The event's envelope. For a custom payload that is not JSON: its text. */
      body: unknown;
      /** @description The places where the body does not match the event type's schema. Empty if the body matches. */
      errors: components["schemas"]["BodyError"][];
      /** @description The additional headers of a custom payload. Absent if there are none. */
      headers?: {
        [key: string]: string;
      };
      attemptLog: components["schemas"]["Attempt"][];
    };
    BodyError: {
      /** @description The JSON pointer to the place in the body. */
      pointer: string;
      message: string;
    };
    Attempt: {
      /** @description The attempt's number, starting at 1, or 0 for a duplicate, which does not count as an attempt. */
      number: number;
      /**
       * Format: date-time
       * @description The kit time at which the attempt started.
       */
      at: string;
      /** @description The duration, in milliseconds of wall time. */
      durationMs: number;
      /** @description The response's status; absent if there was no response. */
      status?: number;
      /** @description The reason why there was no response, or why the response was ignored. */
      error?: string;
      /**
       * Format: date-time
       * @description The kit time of the next attempt.
       */
      nextAt?: string;
    };
    DeliveryWait: {
      /** @description The alias or id of the subscription. */
      subscription?: string;
      type?: string;
      entityId?: string;
      /** @default acknowledged */
      state?: components["schemas"]["DeliveryState"];
      /** @description Selects the deliveries that were created after the delivery with this id, or after this position (from GET /_control/clock). Read the position before the action that causes the event. If absent, deliveries from before this request match, too. */
      since?: components["schemas"]["Position"];
      /** @default 1 */
      count?: number;
      /**
       * @description The longest time to wait, in milliseconds of wall time.
       * @default 5000
       */
      timeoutMs?: number;
    };
    SubscriptionRequest: {
      /** @description The subscription's id. Default: a new id. */
      id?: components["schemas"]["Id"];
      /** @description The subscription's alias. Default: its id. */
      alias?: components["schemas"]["Alias"];
      /** @description The alias or id of the provider. Default: the Experience's provider, or the provider of the client in the world's first ready-made token, or the only provider in the world. */
      provider?: string;
      /** @description The alias or id of the Experience. Default: every Experience of the provider. */
      experience?: string;
      /** @description The event types. Default: all. */
      types?: components["schemas"]["EventType"][];
      /** @description The URL to which events are delivered. Default: the kit's inbox. */
      destinationUrl?: components["schemas"]["Destination"];
      secret?: components["schemas"]["SigningSecret"];
      /** @description The delivery mode. Default: none. */
      mode?: components["schemas"]["DeliveryMode"];
    };
    SubscriptionPatch: {
      /** @description The alias or id of the Experience. Null: every Experience of the provider. */
      experience?: string | null;
      types?: components["schemas"]["EventType"][];
      destinationUrl?: components["schemas"]["Destination"] | null;
      /** @description The signing secret. Null restores the default. */
      secret?: components["schemas"]["SigningSecret"] | null;
      /** @description The delivery mode. Null removes it. */
      mode?: components["schemas"]["DeliveryMode"] | null;
    };
    /** @description The entity in state/subscriptions, with its alias and the number of its deliveries. */
    SubscriptionInForce: {
      alias: string;
      /** @description The id, which events contain as `subscriptionId`. */
      id: string;
      /** @description The provider's alias. */
      provider: string;
      /** @description The alias of the Experience. Absent if the subscription receives events about all of the provider's Experiences. */
      experience?: string;
      types: components["schemas"]["EventType"][];
      /** @description The URL to which events are delivered. Absent if the kit's inbox receives them. */
      destinationUrl?: string;
      /** @description The secret that signs the deliveries if the decision events.delivery.signature is standard-webhooks. */
      secret: string;
      /** @description The delivery mode. Absent if there is none. */
      mode?: components["schemas"]["DeliveryMode"];
      /** @description The number of deliveries in each state. */
      deliveries: {
        pending: number;
        acknowledged: number;
        exhausted: number;
        held: number;
      };
      health: components["schemas"]["ReceiverHealth"];
    };
    /** @description How the receiver of a subscription has responded. Only the newest 500 attempts of all subscriptions count. */
    ReceiverHealth: {
      /** @description The number of attempts. */
      attempts: number;
      /** @description The number of attempts that the receiver acknowledged. */
      acknowledged: number;
      /** @description The number of pending deliveries with a failed attempt. */
      failing: number;
      lastAttempt?: components["schemas"]["Attempt"];
      /**
       * Format: date-time
       * @description The kit time of the first failed attempt after the last acknowledged one. Absent if the last attempt was acknowledged, or if there was none.
       */
      failingSince?: string;
      /**
       * Format: date-time
       * @description The kit time of the next attempt of a pending delivery. Absent if none is pending.
       */
      nextAttemptAt?: string;
    };
    Recover: {
      /**
       * Format: date-time
       * @description The deliveries that were created at or after this instant of kit time are repeated.
       */
      since: string;
      /**
       * @description Whether acknowledged deliveries are also repeated.
       * @default false
       */
      acknowledged?: boolean;
    };
    Recovered: {
      /** @description The number of repeated deliveries. */
      deliveries: number;
    };
    DeliveryModeInForce: {
      subscriptionId: string;
      /** @description The subscription's delivery mode; null if it has none. */
      mode: components["schemas"]["DeliveryMode"] | null;
      /** @description The number of held deliveries. */
      held: number;
    };
    Release: {
      /** @default oldest-first */
      order?: ("oldest-first" | "newest-first") | string[];
      /** @description The maximum number of deliveries to release. Default: all. */
      count?: number;
      /**
       * @description The longest time, in milliseconds of wall time, for sending all these deliveries. Deliveries that are not sent within this time remain held.
       * @default 30000
       */
      maxWaitMs?: number;
    };
    Released: {
      /** @description The deliveries' ids, in the order in which they were sent. */
      released: string[];
      /** @description The number of deliveries that are still held. */
      held: number;
    };
    Received: {
      deliveryId: string;
      subscriptionId: string;
      /** Format: date-time */
      receivedAt: string;
      headers: {
        [key: string]: string;
      };
      /** @description The event's envelope. For a custom payload that is not JSON: its text. */
      body: unknown;
    };
    Advanced: components["schemas"]["Clock"] & {
      /** @description The attempts that were made while kit time moved. */
      attempts: components["schemas"]["AttemptOfDelivery"][];
      /** @description The number of deliveries that are still pending. */
      pending: number;
      /** @description Whether every attempt was made at the kit time at which it was due. False if maxWaitMs elapsed first. */
      settled: boolean;
    };
    AttemptOfDelivery: components["schemas"]["Attempt"] & {
      deliveryId: string;
      state: components["schemas"]["DeliveryState"];
    };
    HeaderValues: {
      [key: string]: string;
    };
    RawEvent: {
      /** @description The alias or id of the subscription. */
      subscription: string;
      /** @description The event's type. Requires data. */
      type?: string;
      /** @description The event's data. The kit adds the envelope. */
      data?: unknown;
      /** @description The whole body, instead of type and data: a JSON value, or a text that is sent unchanged. */
      body?: unknown;
      /** @description Additional headers of the delivery. A content-type replaces application/json. */
      headers?: components["schemas"]["HeaderValues"];
      /**
       * @description Whether the payload may violate the event schemas.
       * @default false
       */
      allowInvalid?: boolean;
    };
    Trigger: {
      /** @description The alias or id of the account for the entity. Default: the account that principals can manage. */
      account?: string;
      /** @description The alias or id of the Experience for the entity. Default: an Experience whose events the subscription receives. */
      experience?: string;
      /** @description The alias or id of the subscription that must receive the event. Default: the newest subscription that receives the type and has a destination. */
      subscription?: string;
    };
    Triggered: {
      type: components["schemas"]["EventType"];
      /** @description The id of the connection, assignment or user that the event is about. */
      entityId: string;
      /** @description The changes in the world, one sentence each. */
      did: string[];
      /** @description The aliases of the subscriptions that receive the event, the requested subscription first. */
      subscriptions: string[];
      /** @description The deliveries of the event. */
      deliveries: components["schemas"]["Delivery"][];
      /** @description The deliveries of other events that the changes caused. */
      also: components["schemas"]["Delivery"][];
    };
    PublishedEvent: {
      id: string;
      type: string;
      /**
       * Format: date-time
       * @description Kit time.
       */
      timestamp: string;
      providerId: string;
      experienceId: string;
      /** @description The id of the connection, assignment or user that the event is about. */
      entityId: string;
      /**
       * @description Who made the change that caused the event. Absent for a custom payload, because no change causes it.
       * @enum {string}
       */
      actor?: "provider" | "portal" | "platform";
      /** @description The event's data, as in the envelope. */
      data: unknown;
    };
    EventWithDeliveries: components["schemas"]["PublishedEvent"] & {
      /** @description Oldest first. */
      deliveries: components["schemas"]["Delivery"][];
    };
    EventInDetail: components["schemas"]["EventWithDeliveries"] & {
      subscriptions: components["schemas"]["ExplainedRecipient"][];
    };
    SignatureRequest: {
      /** @description The id of a delivery of the kit. */
      deliveryId?: string;
      /** @description The alias or id of the subscription whose secret is used. */
      subscription?: string;
      /** @description The secret to use instead of a subscription's secret. */
      secret?: string;
      /** @description The delivery's headers as they were received. Only webhook-id, webhook-timestamp and webhook-signature are used. */
      headers?: {
        [key: string]: string;
      };
      /** @description The delivery's body as it was received, byte for byte. */
      body?: string;
    };
    CheckedSignature: {
      /** @description Whether a signature in the header matches the secret. */
      valid: boolean;
      /** @description Why the signature is invalid. Empty for a valid signature. */
      causes: {
        /** @enum {string} */
        cause: "header missing" | "not signed" | "timestamp" | "secret" | "version" | "other secret" | "undecoded secret" | "other id" | "body changed" | "body formatted" | "mismatch";
        text: string;
      }[];
      /** @description Reasons why a verifier may refuse the delivery although the signature is valid, such as an old timestamp. */
      notes: string[];
      /** @description The expected value of the header webhook-signature. Absent if it cannot be computed. */
      expected?: string;
      /** @description The headers that were checked, with names in lower case. */
      headers: {
        [key: string]: string;
      };
      /** @description The body that was checked. */
      body: string;
    };
    /** @enum {string} */
    Verdict: "failed" | "flaky" | "error" | "partly-tested" | "passed" | "not-testable" | "not-exercised" | "not-applicable";
    Findings: {
      /** @description The number of calls that were checked. */
      calls: number;
      /** @description The journal number of the first checked call. Absent if no call was checked. */
      first?: number;
      rules: components["schemas"]["JudgedRule"][];
      /** @description The service's documented responses, and the undocumented responses that the client received. */
      coverage: components["schemas"]["CoveredAnswer"][];
    };
    JudgedRule: {
      id: string;
      text: string;
      /** @enum {string} */
      level: "documented" | "implied" | "advice";
      /** @description The section of the specification. */
      section: string;
      verdict: components["schemas"]["Verdict"];
      outcomes: {
        title: string;
        verdict: components["schemas"]["Verdict"];
        /** @description What was expected, what happened, and what to change; or why the rule was not exercised. */
        text?: string;
        /** @description The calls that the verdict is based on, oldest first. */
        calls: components["schemas"]["JudgedCall"][];
      }[];
    };
    JudgedCall: {
      /** Format: date-time */
      at: string;
      text: string;
      traceId?: string;
      /** @description Whether the call breaks the rule. */
      breaks: boolean;
    };
    CoveredAnswer: {
      operation: string;
      status: number;
      /** @description The id of the rule that requires the response. */
      rule?: string;
      /** @description The requests that get this response. */
      text: string;
      /** @description How often the client received the response. */
      met: number;
      /** @description The client's reactions: one sentence for each kind of reaction. */
      next?: string[];
      /** @description False if the specification does not document the response. */
      documented: boolean;
      /** @description A command or request that provokes the response. Absent if the client received the response. */
      provoke?: string;
    };
    CheckRequest: {
      /** @enum {string} */
      check: "webhook" | "client";
      /** @description The ids of the rules to test. Default: all rules of the check. */
      rules?: string[];
      /** @description Whether implied rules and rules that were not tested in full also make the check fail. Default: false. */
      strict?: boolean;
      /** @description webhook: the endpoint that receives events. Required. */
      url?: string;
      /** @description webhook: a URL that returns the consumer's state as JSON. */
      stateUrl?: string;
      /** @description webhook: a URL that restarts the consumer after a POST request. */
      restartUrl?: string;
      /** @description webhook: a URL that makes the consumer lose and rebuild its store after a POST request. */
      loseStoreUrl?: string;
      /** @description webhook: the provider that owns the endpoint (alias or id). Default: the first provider in the world. */
      provider?: string;
      /** @description webhook: the secret that signs the deliveries, if the world signs them: whsec_ followed by 24 to 64 bytes in base64. Default: the same in every run. */
      secret?: components["schemas"]["SigningSecret"];
      /** @description webhook: how long the consumer may take to process an event that it has acknowledged, in milliseconds. Default: 5000. */
      settleMs?: number;
      /** @description webhook: how long the endpoint may take to respond, in milliseconds. Default: 15000. */
      answerWithinMs?: number;
      /** @description webhook: how long the check may take, in milliseconds. It leaves out what does not fit. Default: 120000. */
      timeLimitMs?: number;
      /** @description webhook: whether to test that the URL uses https and port 443, and that its certificate is valid. Default: false. */
      strictEndpoint?: boolean;
      /** @description webhook: the number of random sequences to run after the fixed scenarios. Default: 20. */
      random?: number;
      /** @description webhook: the seed for the random sequences. Default: a random seed. */
      seed?: number;
      /** @description webhook: the only random sequence to run, from the report on a failure, with its seed. */
      path?: string;
      /** @description client: only calls after the journal entry with this number, or from this kit time on. */
      since?: number | string;
      /** @description client: whether the client must read every list to the end. Default: false. */
      wholeLists?: boolean;
      /** @description client: whether all calls belong to one session. Default: false. */
      oneSession?: boolean;
    };
    Check: {
      id: string;
      /** @enum {string} */
      check: "webhook" | "client";
      /** @description The URL of the endpoint, or of the kit that the client called. */
      target: string;
      /**
       * @description `inconclusive`: nothing failed, but a fault of the consumer or the time limit left more than half of the rules untested. `error`: the check could not run.
       * @enum {string}
       */
      state: "running" | "passed" | "failed" | "inconclusive" | "stopped" | "error";
      /** @description The latest scenario with its result; empty at first. */
      progress: string;
      /**
       * Format: date-time
       * @description Wall time.
       */
      startedAt: string;
      /** @description webhook: the subscriptionId of the events. */
      subscriptionId?: string;
      /** @description webhook: the secret that signs the deliveries. Absent if the decision events.delivery.signature signs none. */
      secret?: string;
      /** @description Why the check failed, with the ids of the rules, or why it could not run. */
      reasons?: string[];
      /** @description The number of rules with each verdict, and the conclusion, as the last lines that xpk check prints. Absent while the check runs. */
      summary?: string;
    };
    CheckWithResults: components["schemas"]["Check"] & {
      /** @description What --json prints and results.json contains. Its schema is experience-provider-kit/results.schema.json. Absent while the check runs. */
      results?: {
        [key: string]: unknown;
      };
    };
    Report: {
      /** @description The folder's name, or the check's id. */
      name: string;
      /**
       * @description What was tested: a kit, a foreign server, a webhook endpoint, or the calls of a client.
       * @enum {string}
       */
      kind: "kit" | "foreign" | "webhook" | "client";
      title: string;
      /** @description The URL of the server or the endpoint, or of the kit that a client called. */
      target: string;
      /**
       * Format: date-time
       * @description Wall time.
       */
      startedAt: string;
      durationMs: number;
      interrupted: boolean;
      /** @description The reason why the run could not check everything. Absent if the run is complete. */
      incomplete?: string;
      /** @description The number of rules with each verdict. */
      rules: {
        [key: string]: number;
      };
    };
    ReportWithPage: components["schemas"]["Report"] & {
      /** @description The HTML page of the report. It contains untrusted text from the run, so show it in a sandbox. */
      html: string;
    };
    Listening: {
      /** @description The id of the subscription or, at a proxy, the name of the receiver. */
      subscriptionId: string;
      /** @description Whether another stream of the subscription is open. It gets no deliveries until this stream ends. */
      replaces?: boolean;
    };
    ListenedDelivery: {
      attemptId: string;
      /** @description The headers to send. */
      headers: {
        [key: string]: string;
      };
      /** @description The bytes of the body. */
      body: string;
      /** @description How long the answer may take, in milliseconds. */
      timeoutMs: number;
    };
    /** @description The endpoint's status or, if the endpoint did not respond, the reason. */
    ListenerAnswer: {
      status?: number;
      /** @description The value of the header Retry-After. */
      retryAfter?: string;
      error?: string;
    };
    EndedAttempt: components["schemas"]["Attempt"] & {
      deliveryId: string;
      subscriptionId: string;
      type: string;
      entityId: string;
      /** @description The state of the delivery when this message was sent. */
      state: components["schemas"]["DeliveryState"];
    };
    Dropped: {
      /** @description The number of requests that were removed from the journal before the stream sent them. */
      requests: number;
    };
    JournalGrowth: {
      /** @description The number of the newest journal entry, or 0 if there is none. */
      newest: number;
      /** @description Changes whenever a world is loaded, reset or restored. A page must then read all its lists again. */
      load: string;
    };
    FaultRequest: components["schemas"]["FaultMembers"];
    NewFault: {
      /** @description The trace id of a request in the journal. The fault affects the requests to the same operation with the same path and query parameters. Replaces `operation` and `match`. */
      like?: string;
    } & components["schemas"]["FaultMembers"];
    FaultMembers: {
      /**
       * @description Faults are considered in the order in which they were added. Latencies add up. The first fault that applies and is not a latency determines the response. The faults after it are not considered, so their `times`, `after` and random numbers do not change. `authorization-service-down` is considered after all other faults.
       *
       *     - `problem`: a problem with the given status and the type `/problems/http.injected-fault`, or the problem that the service sends for the given rule.
       *     - `response`: a response with the given status, headers and body.
       *     - `latency`: the request is delayed, and then processed as usual.
       *     - `slow-response`: a request that all checks before the operation have accepted is delayed, and then processed as usual. A request with an Authorization header that a `problem` fault refuses is delayed, too.
       *     - `connection-reset`: the connection ends without a response. With `times: 1`, a web page does not notice the fault if the browser had reused a
       *       connection: the browser silently repeats the request on a new connection. Use `times: 2`, or omit `times` and remove the fault afterwards.
       *     - `authorization-service-down`: the caller's permissions cannot be looked up, so the operations that document 503 return it. A request that is refused without a lookup, because of its token, its scope or a parameter, gets 401, 403 or 400, and is not counted.
       *     - `altered-state`: the redirect to the client after a login has a valid code, but not the state that the client sent. A correct client rejects the redirect.
       * @enum {string}
       */
      fault: "problem" | "response" | "latency" | "slow-response" | "connection-reset" | "authorization-service-down" | "altered-state";
      /** @description The operation that fails, such as getUser. Default: every operation that documents the fault's status. If the fault has no status, or sets `undocumented`, the default is every operation. */
      operation?: string;
      /**
       * @description Selects the requests with these path and query parameters. Members of a request body cannot be matched, because faults apply before the body is read.
       * @example {
       *       "accountId": "0f5ad5bc-63f2-4d6c-9d7e-2b7f1f0a5c11"
       *     }
       */
      match?: {
        [key: string]: string;
      };
      /** @description The status of a `problem` (at least 400) or of a `response`. The fault affects only operations that document this status. */
      status?: number;
      /** @description For a `problem`: the rule to name in the problem's type instead of `http.injected-fault`, such as connections.delete.numbers-assigned. The rule determines the status. If `operation` is absent, the rule also determines the operations that fail. */
      rule?: string;
      /** @description Whether the fault may have a status that is not documented for the operation. */
      undocumented?: boolean;
      /** @description The headers of a `response`, whose default content-type is application/json, or text/plain for a body that is a string. For a `problem`: additional headers. */
      headers?: components["schemas"]["HeaderValues"];
      /** @description The response's body. A string is sent unchanged, any other value as JSON. */
      body?: unknown;
      /** @description The latency in milliseconds of wall time. With latencyMaxMs, the lower end of a range. */
      latencyMs?: number;
      /** @description The upper end of the latency range. Each request waits a random time from latencyMs to latencyMaxMs. */
      latencyMaxMs?: number;
      /** @description The probability that the fault affects a matching request. Default: 1. */
      probability?: number;
      /** @description The seed of the random numbers for probability and latencyMaxMs. With the same seed, the fault affects the same requests. Default: a random seed. */
      seed?: number;
      /** @description The maximum number of requests that the fault affects. Default: no limit. */
      times?: number;
      /**
       * @description The number of matching requests that the fault skips before it takes effect.
       * @default 0
       */
      after?: number;
    };
    Fault: components["schemas"]["FaultMembers"] & {
      id: string;
      hits: number;
    };
    StatusFilter: string;
    RequestWait: {
      /** @description The operationId of an operation of the service, or `authorize` or `token` for the OAuth endpoints. */
      operation?: string;
      method?: string;
      /** @description A path without its query. * matches any text. */
      path?: string;
      status?: components["schemas"]["StatusFilter"] | number;
      /** @description Selects the first matching entry after the entry with this number. */
      since?: number;
      /**
       * @description The longest time to wait, in milliseconds of wall time.
       * @default 10000
       */
      timeoutMs?: number;
    };
    /** @description A request and its response. Tokens, secrets, codes and login hints are removed before the entry is stored. */
    JournalEntry: {
      /** @description The entry's number, counted since the kit was started, or, on PostgreSQL, since the database was set up. */
      number: number;
      traceId: string;
      /**
       * Format: date-time
       * @description The kit time at which the request arrived.
       */
      at: string;
      /** @description The wall time at which the request arrived, in milliseconds since the Unix epoch. Moving the kit's clock does not change this time. */
      arrivedMs?: number;
      /** @enum {string} */
      door: "service" | "authorization" | "control";
      connection?: components["schemas"]["JournalConnection"];
      method: string;
      /** @description The path with its query. */
      path: string;
      operationId?: string;
      credential?: components["schemas"]["JournalCredential"];
      oauth?: components["schemas"]["JournalOauth"];
      /** @description The cursor in the response. Absent if the response is not a page of a list. */
      nextCursor?: string | null;
      /** @description The response's status. Absent if the connection ended without a response. */
      status?: number;
      /** @description The processing step that refused a request to the service, `done` if no step refused it, or `forward` if the target of a proxy responded. */
      step?: string;
      /** @description The time, in milliseconds of wall time, from the arrival of the request until the response was written. */
      durationMs: number;
      problem?: components["schemas"]["JournalProblem"];
      request?: components["schemas"]["JournalRequest"];
      response?: components["schemas"]["JournalResponse"];
    };
    /** @description The request's TCP connection. */
    JournalConnection: {
      /** @description The connection's number, counted since the kit was started. */
      number: number;
      /** @description The time between the connection's start and the request's arrival, in milliseconds of wall time. */
      ageMs: number;
    };
    /** @description A keyed hash of a secret. Equal secrets have equal fingerprints until the kit is restarted. On PostgreSQL, fingerprints are the same at all replicas and after a restart. The secret cannot be derived from the fingerprint. */
    Fingerprint: string;
    /** @description The access token in the Authorization header of a request to the service. If the kit could read the token, the other members show the client, the principal, the scopes and the expiry in the token. */
    JournalCredential: {
      fingerprint: components["schemas"]["Fingerprint"];
      clientId?: string;
      principalId?: string;
      scopes?: string[];
      /**
       * Format: date-time
       * @description The expiry time, in kit time.
       */
      expiresAt?: string;
      /** @description Why the token was refused: expired, invalid, no scope, … */
      problem?: string;
    };
    /** @description Facts about a request to the authorization server, and about its response. Secrets are replaced by fingerprints. */
    JournalOauth: {
      clientId?: string;
      /** @description The client authentications that a token request contains. */
      authentication?: ("client_secret" | "client_assertion" | "authorization_header")[];
      /**
       * @description The format of an authorization request's login_hint. Absent if the request has none.
       * @enum {string}
       */
      loginHint?: "E.164" | "other";
      /** @description The code in a token request. */
      code?: components["schemas"]["Fingerprint"];
      /** @description The refresh token in a token request. */
      refreshToken?: components["schemas"]["Fingerprint"];
      /** @description The code_verifier in a token request. */
      verifier?: {
        /** @description The verifier's S256 code_challenge, which the authorization request must contain. */
        challenge: string;
        length: number;
        /** @description Whether all characters are unreserved. */
        unreserved: boolean;
        /** @description Whether one character occurs eight times in a row or more, as in a padded value. */
        repetitive?: boolean;
      };
      /** @description What the response contains: the code in a redirect, or the tokens in a token response. */
      issued?: {
        code?: components["schemas"]["Fingerprint"];
        /** @description The state in the redirect. */
        state?: string;
        /** @description Whether a fault replaced the state that the client had sent. */
        alteredState?: boolean;
        accessToken?: components["schemas"]["JournalCredential"];
        refreshToken?: components["schemas"]["Fingerprint"];
        /** @description The access token's lifetime, in seconds. */
        expiresIn?: number;
      };
    };
    Explanation: {
      traceId: string;
      /**
       * Format: date-time
       * @description The kit time at which the request arrived.
       */
      at: string;
      /** @enum {string} */
      door: "service" | "authorization" | "control";
      method: string;
      /** @description The path with its query, without secrets. */
      path: string;
      operationId?: string;
      status?: number;
      /** @description The processing step that refused a request to the service, `done` if no step refused it, or `forward` if the target of a proxy responded. */
      step?: string;
      /** @enum {string} */
      outcome: "refused" | "empty list" | "not assignable" | "injected response" | "no answer" | "succeeded";
      /** @description One or two sentences that say what happened and why. */
      summary: string;
      /** @description The problem's detail, or the OAuth error's description. */
      detail?: string;
      /** @description Older requests with the same trace id, newest first. Only the newest request is explained. */
      others?: components["schemas"]["ExplainedOther"][];
      reason?: components["schemas"]["ExplainedReason"];
      /** @description For a proxy whose target's response names no known reason: the documented refusals of the operation with this status. */
      refusals?: components["schemas"]["DocumentedRefusal"][];
      /** @description The parts of the request on which the response depended. */
      request: components["schemas"]["ExplainedPart"][];
      state?: components["schemas"]["ExplainedState"];
      change?: components["schemas"]["ExplainedChange"];
    };
    Position: string;
    EventExplanation: {
      /** @description The whole explanation, with one fact on each line. */
      text: string;
      /** @description The newest matching events, newest first. */
      events: components["schemas"]["ExplainedEvent"][];
      /** @description Why no event matches. Empty if an event matches. */
      reasons: components["schemas"]["NoEventReason"][];
    };
    ExplainedEvent: {
      id: string;
      type: string;
      /**
       * Format: date-time
       * @description Kit time.
       */
      timestamp: string;
      experienceId: string;
      /** @description The id of the connection, assignment or user that the event is about. */
      entityId: string;
      subscriptions: components["schemas"]["ExplainedRecipient"][];
    };
    ExplainedRecipient: {
      /** @description The subscription's alias. Null if the subscription was deleted. */
      subscription: string | null;
      subscriptionId: string;
      /**
       * @description The delivery's state, or the reason why there is no delivery.
       * @enum {string}
       */
      result: "acknowledged" | "pending" | "held" | "exhausted" | "other-provider" | "other-experience" | "type-not-listed" | "created-later" | "not-selected";
      text: string;
      deliveryId?: string;
      /**
       * Format: date-time
       * @description The kit time of the next attempt of a pending delivery.
       */
      nextAttemptAt?: string;
    };
    NoEventReason: {
      /** @enum {string} */
      cause: "refused request" | "account not assigned" | "no entity" | "other type" | "no change" | "earlier event" | "no subscription";
      text: string;
      /** @description The trace id of a refused request. */
      traceId?: string;
    };
    ExplainedOther: {
      /** @description The entry's number in the journal. */
      number: number;
      method: string;
      /** @description The path with its query, without secrets. */
      path: string;
      status?: number;
    };
    /** @description The reason that the response names: a rule, a decision about an open point, one of the kit's own reasons, or an OAuth error. */
    ExplainedReason: {
      id: string;
      /** @enum {string} */
      kind: "rule" | "decision" | "gate" | "oauth";
      /** @description The text of the rule or reason. */
      text: string;
      /** @enum {string} */
      level?: "documented" | "implied" | "advice";
      /** @description The section of the specification. */
      section?: string;
      /** @description For the kind `decision`: the current value. */
      inForce?: unknown;
      /** @description For the kind `decision`: the alternatives to the current value. */
      alternatives?: unknown[];
    };
    ExplainedPart: {
      /** @enum {string} */
      location: "method" | "path" | "query" | "header" | "body";
      name: string;
      /** @description The value in the request. Absent if the request contained none. */
      value?: unknown;
    };
    /** @description The state that explains the response: for an empty list the current state, and otherwise the state at the time of the response. */
    ExplainedState: {
      cause: string;
      text: string;
      facts: {
        [key: string]: unknown;
      };
      /** @description The current names of the entities in the facts. */
      names: components["schemas"]["Names"];
    };
    /** @description One way to make the request succeed: a corrected request, or calls to the control API after which the same request succeeds. If the kit can derive neither of the two, only `text` is present. */
    ExplainedChange: {
      text: string;
      /** @description The calls to the control API, in this order. */
      control?: components["schemas"]["ExplainedCall"][];
      request?: components["schemas"]["ExplainedRequest"];
    };
    ExplainedCall: {
      method: string;
      path: string;
      body?: unknown;
    };
    /** @description The parts of the request to change. */
    ExplainedRequest: {
      method?: string;
      path?: string;
      headers?: {
        [key: string]: string;
      };
      /** @description The body: a JSON value, or a text. */
      body?: unknown;
      /** @description The request to POST /_control/tokens that mints the token. */
      token?: components["schemas"]["TokenRequest"];
    };
    /** @description The reason of the refusal. For an OAuth error, title is the error and detail is its description. */
    JournalProblem: {
      type?: string;
      title: string;
      detail?: string;
    };
    JournalRequest: components["schemas"]["JournalBody"] & {
      headers: {
        [key: string]: string;
      };
    };
    JournalResponse: components["schemas"]["JournalBody"] & {
      /** @description The headers of a response that a proxy passed on. */
      headers?: {
        [key: string]: string;
      };
    };
    JournalBody: {
      /** @description The first 16 KiB of the body, or of a proxied response the first 64 KiB: a JSON value, or a text. */
      body?: unknown;
      /** @description The size of the whole body, in bytes. */
      bodyBytes?: number;
      /** @description Whether only a part of the body was stored. */
      truncated?: boolean;
    };
    /** @description Problem details, sent as application/problem+json. */
    Problem: {
      /**
       * Format: uri-reference
       * @description Identifies the problem type.
       */
      type?: string;
      title: string;
      /** @description The HTTP status. */
      status: number;
      detail?: string;
      /**
       * Format: uri-reference
       * @description The resource or endpoint.
       */
      instance?: string;
      traceId: string;
      errors?: Record<string, unknown>[];
    };
    /** @description The name of the world. Ids and keys are derived from this name. */
    WorldName: string;
    Alias: string;
    /** @description A UUID in lower case. By default, derived from the world and the alias. */
    Id: string;
    Provider: {
      id?: components["schemas"]["Id"];
      name: string;
    };
    Providers: {
      [key: string]: components["schemas"]["Provider"];
    };
    Experience: {
      id?: components["schemas"]["Id"];
      /** @description The provider that owns the Experience. */
      provider: components["schemas"]["Alias"];
      name: string;
      /**
       * @default GENERAL
       * @enum {string}
       */
      type?: "AGENT" | "GENERAL";
      /** @description The providers' access levels on the Experience. The owner has the level manage unless another level is set. */
      levels?: {
        [key: string]: "none" | "read" | "manage";
      };
    };
    Experiences: {
      [key: string]: components["schemas"]["Experience"];
    };
    Account: {
      id?: components["schemas"]["Id"];
      name: string;
    };
    Accounts: {
      [key: string]: components["schemas"]["Account"];
    };
    TelephoneNumber: {
      /** @description The account that owns the number. */
      account: components["schemas"]["Alias"];
    };
    TelephoneNumbers: {
      [key: string]: components["schemas"]["TelephoneNumber"];
    };
    /**
     * Format: date-time
     * @description An instant must be in ISO 8601, in UTC, with milliseconds, such as 2026-01-01T00:00:00.000Z.
     */
    Instant: string;
    /** @description The user's id in the user's native infrastructure. A lookup by an id in the `unsupported` style never finds the user. */
    NativeId: {
      /** @enum {string} */
      style: "base62" | "legacy-numeric" | "unsupported";
      id: string;
    };
    User: {
      id?: components["schemas"]["Id"];
      account: components["schemas"]["Alias"];
      firstName?: string;
      lastName?: string;
      createdAt?: components["schemas"]["Instant"];
      /** @description The time of the last update; null if the user was never updated. */
      updatedAt?: components["schemas"]["Instant"] | null;
      nativeIds?: components["schemas"]["NativeId"][];
    };
    Users: {
      [key: string]: components["schemas"]["User"];
    };
    Principal: {
      id?: components["schemas"]["Id"];
      name: string;
      /** @description The telephone number, in E.164, with which the person logs in. A login_hint with this number selects this person. */
      telephoneNumber?: string;
      /**
       * @description The person's answer to an authorization request with --login auto.
       * @default gives
       * @enum {string}
       */
      consent?: "gives" | "declines";
      /** @description The person's access levels on accounts. The default level is none. */
      accounts?: {
        [key: string]: "none" | "read" | "manage";
      };
    };
    Principals: {
      [key: string]: components["schemas"]["Principal"];
    };
    /** @description A provider's OAuth client. The client_id is the client's id. A client with neither a secret nor a key is a public client, which gets no tokens. */
    Client: {
      id?: components["schemas"]["Id"];
      provider: components["schemas"]["Alias"];
      name: string;
      /** @description The client_secret, in printable ASCII. */
      secret?: string;
      /** @description The public key (JWK) for client authentication with a signed assertion. */
      publicKey?: Record<string, unknown>;
      /** @description The URIs to which the authorization server may send a code. They are compared character by character. */
      redirectUris?: string[];
      /**
       * @description Who answers this client's authorization requests: a person at the login page, the fixtures, or nobody (always denied). Default: the `--login` of `xpk start`.
       * @enum {string}
       */
      login?: "page" | "auto" | "deny";
      /** @description For how many seconds this client's access tokens are valid. Default: the decision oauth.access-token-lifetime. */
      accessTokenLifetime?: number;
      /** @description For how many seconds this client's authorization codes are valid. Default: the decision oauth.code-lifetime. */
      codeLifetime?: number;
    };
    Clients: {
      [key: string]: components["schemas"]["Client"];
    };
    /**
     * @description The type of the target to which an Experience is assigned.
     * @enum {string}
     */
    TargetType: "ACCOUNT" | "PHONE_NUMBER" | "USER";
    Assignment: {
      id?: components["schemas"]["Id"];
      experience: components["schemas"]["Alias"];
      targetType: components["schemas"]["TargetType"];
      /** @description An account or user by alias or id, or a number, depending on the target type. */
      target: string;
      updatedAt?: components["schemas"]["Instant"];
    };
    Assignments: {
      [key: string]: components["schemas"]["Assignment"];
    };
    Connection: {
      id?: components["schemas"]["Id"];
      account: components["schemas"]["Alias"];
      experience: components["schemas"]["Alias"];
      /**
       * @default INACTIVE
       * @enum {string}
       */
      state?: "ACTIVE" | "INACTIVE";
      updatedAt?: components["schemas"]["Instant"];
    };
    Connections: {
      [key: string]: components["schemas"]["Connection"];
    };
    /** @enum {string} */
    EventType: "experience.connection.created" | "experience.connection.activated" | "experience.connection.deactivated" | "experience.connection.deleted" | "experience.assignment.created" | "experience.assignment.deleted" | "provisioning.user.created" | "provisioning.user.deleted";
    /**
     * Format: uri
     * @description An http or https URL in ASCII, without a user name, password or fragment, such as https://provider.example.com/events.
     */
    Destination: string;
    /** @description A signing secret is whsec_ followed by 24 to 64 bytes in base64, as Standard Webhooks defines it. By default, derived from the subscription's id. */
    SigningSecret: string;
    /** @description How a subscription's deliveries fail on purpose. */
    DeliveryMode: {
      /** @description The number of duplicates to send immediately after each delivery is acknowledged. The responses to duplicates are ignored. */
      duplicate?: number;
      /** @description Shuffles first attempts. An event opens a window. Deliveries that are created in the window's first half are sent at random times in its second half. */
      reorder?: {
        /** @description The length of the window, in milliseconds of kit time. */
        window: number;
      };
      /** @description The delay of first attempts, in milliseconds of kit time. */
      delay?: number;
      /** @description For each delivery, the number of acknowledgements to treat as lost. After a lost acknowledgement, the delivery is repeated unless the retry schedule has ended. */
      dropAcknowledgement?: number;
      /**
       * @description First attempts are held until they are released.
       * @constant
       */
      hold?: true;
      /**
       * @description The seed for reorder. With the same seed, the same events are sent in the same order each time the mode is set or the world is loaded.
       * @default 0
       */
      seed?: number;
    };
    Subscription: {
      id?: components["schemas"]["Id"];
      provider: components["schemas"]["Alias"];
      /** @description The Experience whose events are delivered. If absent, events about all of the provider's Experiences are delivered. */
      experience?: components["schemas"]["Alias"];
      types: components["schemas"]["EventType"][];
      destinationUrl?: components["schemas"]["Destination"];
      secret?: components["schemas"]["SigningSecret"];
      mode?: components["schemas"]["DeliveryMode"];
    };
    Subscriptions: {
      [key: string]: components["schemas"]["Subscription"];
    };
    /** @enum {string} */
    Scope: "experience-connections:manage" | "experience-assignments:manage" | "experience-assignability:check" | "users:manage" | "offline_access";
    ReadyToken: {
      client: components["schemas"]["Alias"];
      /** @description The principal that authorized the token. Without a principal, the token has no principal claim. */
      principal?: components["schemas"]["Alias"];
      /** @description The token's scopes. Default: all scopes except offline_access. */
      scopes?: components["schemas"]["Scope"][];
    };
    /** @description Ready-made access tokens. They are the same each time the world is started. */
    ReadyTokens: {
      [key: string]: components["schemas"]["ReadyToken"];
    };
    GeneratedUsers: {
      /** @description The users' aliases are <alias>-1, <alias>-2, … */
      alias: components["schemas"]["Alias"];
      account: components["schemas"]["Alias"];
      count: number;
      /** @description Every n-th user has no names, where n is this number. */
      namelessEvery?: number;
    };
    /**
     * Experience Provider Kit world
     * @description The service's whole state. Entities refer to each other by alias or id.
     */
    World: {
      world: components["schemas"]["WorldName"];
      description?: string;
      /**
       * Format: date-time
       * @description The default createdAt of users, and the default updatedAt of connections and assignments. Generated users are created in the year before this time. Default: 2026-01-01T00:00:00.000Z.
       */
      epoch?: string;
      providers?: components["schemas"]["Providers"];
      experiences?: components["schemas"]["Experiences"];
      accounts?: components["schemas"]["Accounts"];
      telephoneNumbers?: components["schemas"]["TelephoneNumbers"];
      users?: components["schemas"]["Users"];
      principals?: components["schemas"]["Principals"];
      clients?: components["schemas"]["Clients"];
      assignments?: components["schemas"]["Assignments"];
      connections?: components["schemas"]["Connections"];
      subscriptions?: components["schemas"]["Subscriptions"];
      tokens?: components["schemas"]["ReadyTokens"];
      /** @description Entities that are generated in bulk. A dump lists them individually. */
      generate?: {
        users?: components["schemas"]["GeneratedUsers"][];
      };
    };
  };
  responses: {
    /** @description The request was refused. The problem in the body gives the reason. */
    Refused: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
  };
  parameters: {
    collection: components["schemas"]["Collection"];
    snapshot: components["schemas"]["SnapshotName"];
    /** @description The alias or id of a subscription. */
    subscription: string;
    checkId: string;
    deliveryId: string;
    /** @description Who makes the change: an end user in the portal, or the platform. The events and the list of changes contain this actor. Some decisions depend on the actor (portal.same-state, portal.delete-with-numbers). Default: the portal for assignments and connections, the platform for other entities. */
    as: "portal" | "platform";
  };
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type Collection = components['schemas']['Collection'];
export type Entity = components['schemas']['Entity'];
export type Entities = components['schemas']['Entities'];
export type Change = components['schemas']['Change'];
export type NamesRequest = components['schemas']['NamesRequest'];
export type Names = components['schemas']['Names'];
export type EntitiesByCollection = components['schemas']['EntitiesByCollection'];
export type Health = components['schemas']['Health'];
export type Upstream = components['schemas']['Upstream'];
export type Info = components['schemas']['Info'];
export type ServiceOperation = components['schemas']['ServiceOperation'];
export type DocumentedRefusal = components['schemas']['DocumentedRefusal'];
export type DecisionInForce = components['schemas']['DecisionInForce'];
export type TokenKind = components['schemas']['TokenKind'];
export type TokenRequest = components['schemas']['TokenRequest'];
export type MintedToken = components['schemas']['MintedToken'];
export type Reset = components['schemas']['Reset'];
export type Undoable = components['schemas']['Undoable'];
export type NamedChange = components['schemas']['NamedChange'];
export type Difference = components['schemas']['Difference'];
export type HistoryEnd = components['schemas']['HistoryEnd'];
export type Undone = components['schemas']['Undone'];
export type SnapshotName = components['schemas']['SnapshotName'];
export type Snapshot = components['schemas']['Snapshot'];
export type WorldRequest = components['schemas']['WorldRequest'];
export type RunningWorld = components['schemas']['RunningWorld'];
export type EndedWorld = components['schemas']['EndedWorld'];
export type CreatedWorld = components['schemas']['CreatedWorld'];
export type Loaded = components['schemas']['Loaded'];
export type WorldFile = components['schemas']['WorldFile'];
export type Scenario = components['schemas']['Scenario'];
export type Clock = components['schemas']['Clock'];
export type Advance = components['schemas']['Advance'];
export type DeliveryState = components['schemas']['DeliveryState'];
export type Delivery = components['schemas']['Delivery'];
export type DeliveryWithAttempts = components['schemas']['DeliveryWithAttempts'];
export type BodyError = components['schemas']['BodyError'];
export type Attempt = components['schemas']['Attempt'];
export type DeliveryWait = components['schemas']['DeliveryWait'];
export type SubscriptionRequest = components['schemas']['SubscriptionRequest'];
export type SubscriptionPatch = components['schemas']['SubscriptionPatch'];
export type SubscriptionInForce = components['schemas']['SubscriptionInForce'];
export type ReceiverHealth = components['schemas']['ReceiverHealth'];
export type Recover = components['schemas']['Recover'];
export type Recovered = components['schemas']['Recovered'];
export type DeliveryModeInForce = components['schemas']['DeliveryModeInForce'];
export type Release = components['schemas']['Release'];
export type Released = components['schemas']['Released'];
export type Received = components['schemas']['Received'];
export type Advanced = components['schemas']['Advanced'];
export type AttemptOfDelivery = components['schemas']['AttemptOfDelivery'];
export type HeaderValues = components['schemas']['HeaderValues'];
export type RawEvent = components['schemas']['RawEvent'];
export type Trigger = components['schemas']['Trigger'];
export type Triggered = components['schemas']['Triggered'];
export type PublishedEvent = components['schemas']['PublishedEvent'];
export type EventWithDeliveries = components['schemas']['EventWithDeliveries'];
export type EventInDetail = components['schemas']['EventInDetail'];
export type SignatureRequest = components['schemas']['SignatureRequest'];
export type CheckedSignature = components['schemas']['CheckedSignature'];
export type Verdict = components['schemas']['Verdict'];
export type Findings = components['schemas']['Findings'];
export type JudgedRule = components['schemas']['JudgedRule'];
export type JudgedCall = components['schemas']['JudgedCall'];
export type CoveredAnswer = components['schemas']['CoveredAnswer'];
export type CheckRequest = components['schemas']['CheckRequest'];
export type Check = components['schemas']['Check'];
export type CheckWithResults = components['schemas']['CheckWithResults'];
export type Report = components['schemas']['Report'];
export type ReportWithPage = components['schemas']['ReportWithPage'];
export type Listening = components['schemas']['Listening'];
export type ListenedDelivery = components['schemas']['ListenedDelivery'];
export type ListenerAnswer = components['schemas']['ListenerAnswer'];
export type EndedAttempt = components['schemas']['EndedAttempt'];
export type Dropped = components['schemas']['Dropped'];
export type JournalGrowth = components['schemas']['JournalGrowth'];
export type FaultRequest = components['schemas']['FaultRequest'];
export type NewFault = components['schemas']['NewFault'];
export type FaultMembers = components['schemas']['FaultMembers'];
export type Fault = components['schemas']['Fault'];
export type StatusFilter = components['schemas']['StatusFilter'];
export type RequestWait = components['schemas']['RequestWait'];
export type JournalEntry = components['schemas']['JournalEntry'];
export type JournalConnection = components['schemas']['JournalConnection'];
export type Fingerprint = components['schemas']['Fingerprint'];
export type JournalCredential = components['schemas']['JournalCredential'];
export type JournalOauth = components['schemas']['JournalOauth'];
export type Explanation = components['schemas']['Explanation'];
export type Position = components['schemas']['Position'];
export type EventExplanation = components['schemas']['EventExplanation'];
export type ExplainedEvent = components['schemas']['ExplainedEvent'];
export type ExplainedRecipient = components['schemas']['ExplainedRecipient'];
export type NoEventReason = components['schemas']['NoEventReason'];
export type ExplainedOther = components['schemas']['ExplainedOther'];
export type ExplainedReason = components['schemas']['ExplainedReason'];
export type ExplainedPart = components['schemas']['ExplainedPart'];
export type ExplainedState = components['schemas']['ExplainedState'];
export type ExplainedChange = components['schemas']['ExplainedChange'];
export type ExplainedCall = components['schemas']['ExplainedCall'];
export type ExplainedRequest = components['schemas']['ExplainedRequest'];
export type JournalProblem = components['schemas']['JournalProblem'];
export type JournalRequest = components['schemas']['JournalRequest'];
export type JournalResponse = components['schemas']['JournalResponse'];
export type JournalBody = components['schemas']['JournalBody'];
export type Problem = components['schemas']['Problem'];
export type WorldName = components['schemas']['WorldName'];
export type Alias = components['schemas']['Alias'];
export type Id = components['schemas']['Id'];
export type Provider = components['schemas']['Provider'];
export type Providers = components['schemas']['Providers'];
export type Experience = components['schemas']['Experience'];
export type Experiences = components['schemas']['Experiences'];
export type Account = components['schemas']['Account'];
export type Accounts = components['schemas']['Accounts'];
export type TelephoneNumber = components['schemas']['TelephoneNumber'];
export type TelephoneNumbers = components['schemas']['TelephoneNumbers'];
export type Instant = components['schemas']['Instant'];
export type NativeId = components['schemas']['NativeId'];
export type User = components['schemas']['User'];
export type Users = components['schemas']['Users'];
export type Principal = components['schemas']['Principal'];
export type Principals = components['schemas']['Principals'];
export type Client = components['schemas']['Client'];
export type Clients = components['schemas']['Clients'];
export type TargetType = components['schemas']['TargetType'];
export type Assignment = components['schemas']['Assignment'];
export type Assignments = components['schemas']['Assignments'];
export type Connection = components['schemas']['Connection'];
export type Connections = components['schemas']['Connections'];
export type EventType = components['schemas']['EventType'];
export type Destination = components['schemas']['Destination'];
export type SigningSecret = components['schemas']['SigningSecret'];
export type DeliveryMode = components['schemas']['DeliveryMode'];
export type Subscription = components['schemas']['Subscription'];
export type Subscriptions = components['schemas']['Subscriptions'];
export type Scope = components['schemas']['Scope'];
export type ReadyToken = components['schemas']['ReadyToken'];
export type ReadyTokens = components['schemas']['ReadyTokens'];
export type GeneratedUsers = components['schemas']['GeneratedUsers'];
export type World = components['schemas']['World'];
export type ResponseRefused = components['responses']['Refused'];
export type ParameterCollection = components['parameters']['collection'];
export type ParameterSnapshot = components['parameters']['snapshot'];
export type ParameterSubscription = components['parameters']['subscription'];
export type ParameterCheckId = components['parameters']['checkId'];
export type ParameterDeliveryId = components['parameters']['deliveryId'];
export type ParameterAs = components['parameters']['as'];
export type $defs = Record<string, never>;
export interface operations {
  health: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description All components work. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Health"];
        };
      };
      /** @description At least one component does not work. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Health"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  live: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The process runs. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            status: "up";
          };
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  readMetrics: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The metrics. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/plain": string;
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  info: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Information about the running kit. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Info"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  listOperations: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The operations. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ServiceOperation"][];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  listDecisions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The decisions. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DecisionInForce"][];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  mintToken: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TokenRequest"];
      };
    };
    responses: {
      /** @description The token. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MintedToken"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  readWorld: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The world. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Loaded"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  downloadWorld: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The world. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/yaml": string;
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  uploadWorld: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WorldFile"];
      };
    };
    responses: {
      /** @description Loaded. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Loaded"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  listWorlds: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The worlds. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RunningWorld"][];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  createWorld: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WorldRequest"];
      };
    };
    responses: {
      /** @description The world, with what a test needs to use it. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CreatedWorld"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  deleteWorld: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The world's name. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Ended. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  listEndedWorlds: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The ended worlds. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EndedWorld"][];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  listEndedWorldRequests: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The world's name. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The requests. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["JournalEntry"][];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  listScenarios: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The scenarios. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Scenario"][];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  loadScenario: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The name of a scenario in the package. */
        scenario: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Loaded. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Loaded"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  dumpState: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The world. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["World"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  loadState: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["World"];
      };
    };
    responses: {
      /** @description Loaded. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Loaded"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  createEntities: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["EntitiesByCollection"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EntitiesByCollection"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  listCollection: {
    parameters: {
      query?: {
        /** @description The maximum number of entities in the response. Default: all. */
        limit?: number;
        /** @description Selects the entities whose alias comes after this alias. */
        after?: string;
        /** @description Selects the entities whose alias or name contains this text. The letter case is ignored. */
        search?: string;
        /** @description Selects the entities of a provider, by alias or id. */
        provider?: string;
        /** @description Selects the entities of an account, by alias or id. An assignment belongs to its target's account. */
        account?: string;
        /** @description Selects the entities of an Experience, by alias or id. */
        experience?: string;
        /** @description Selects the assignments of a target: the id of an account or a user, or a telephone number. */
        target?: string;
      };
      header?: never;
      path: {
        collection: components["parameters"]["collection"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The entities. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Entities"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  createEntity: {
    parameters: {
      query?: {
        /** @description Who makes the change: an end user in the portal, or the platform. The events and the list of changes contain this actor. Some decisions depend on the actor (portal.same-state, portal.delete-with-numbers). Default: the portal for assignments and connections, the platform for other entities. */
        as?: components["parameters"]["as"];
      };
      header?: never;
      path: {
        collection: components["parameters"]["collection"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": Record<string, unknown>;
      };
    };
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Entity"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  readEntity: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        collection: components["parameters"]["collection"];
        /** @description An id, an alias or a telephone number. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The entity. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Entity"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  putEntity: {
    parameters: {
      query?: {
        /** @description Who makes the change: an end user in the portal, or the platform. The events and the list of changes contain this actor. Some decisions depend on the actor (portal.same-state, portal.delete-with-numbers). Default: the portal for assignments and connections, the platform for other entities. */
        as?: components["parameters"]["as"];
      };
      header?: never;
      path: {
        collection: components["parameters"]["collection"];
        /** @description An id, an alias or a telephone number. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": Record<string, unknown>;
      };
    };
    responses: {
      /** @description Replaced. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Entity"];
        };
      };
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Entity"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  deleteEntity: {
    parameters: {
      query?: {
        /** @description Who makes the change: an end user in the portal, or the platform. The events and the list of changes contain this actor. Some decisions depend on the actor (portal.same-state, portal.delete-with-numbers). Default: the portal for assignments and connections, the platform for other entities. */
        as?: components["parameters"]["as"];
      };
      header?: never;
      path: {
        collection: components["parameters"]["collection"];
        /** @description An id, an alias or a telephone number. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  patchEntity: {
    parameters: {
      query?: {
        /** @description Who makes the change: an end user in the portal, or the platform. The events and the list of changes contain this actor. Some decisions depend on the actor (portal.same-state, portal.delete-with-numbers). Default: the portal for assignments and connections, the platform for other entities. */
        as?: components["parameters"]["as"];
      };
      header?: never;
      path: {
        collection: components["parameters"]["collection"];
        /** @description An id, an alias or a telephone number. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": Record<string, unknown>;
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Entity"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  listChanges: {
    parameters: {
      query?: {
        /** @description The alias or id of an entity. The entity may have been deleted. */
        entity?: string;
        /** @description Selects the changes before the change with this id. For the next page, use the last id on this page. */
        before?: components["schemas"]["Position"];
        /** @description The maximum number of changes in the response. */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The changes. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Change"][];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  findNames: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NamesRequest"];
      };
    };
    responses: {
      /** @description The names by id, and by collection with alias if the text has it so. What is not an entity is absent. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Names"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  reset: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["Reset"];
      };
    };
    responses: {
      /** @description Reset. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Loaded"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  listUndoable: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The changes. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Undoable"][];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  undo: {
    parameters: {
      query?: {
        /** @description The id of the change, from the list of the changes or from the header `Xpk-Change` of the response that made it. If it is not the newest change, nothing is undone. */
        change?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Undone. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Undone"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  listSnapshots: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The snapshots. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Snapshot"][];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  saveSnapshot: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        name: components["parameters"]["snapshot"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Replaced. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Snapshot"];
        };
      };
      /** @description Saved. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Snapshot"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  deleteSnapshot: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        name: components["parameters"]["snapshot"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  readClock: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Kit time. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Clock"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  advanceClock: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["Advance"];
      };
    };
    responses: {
      /** @description Kit time after the change. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Advanced"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  listDeliveries: {
    parameters: {
      query?: {
        /** @description The alias or id of a subscription. */
        subscription?: components["parameters"]["subscription"];
        /** @description The type of the events. `raw` selects the payloads without a documented event type. */
        type?: string;
        state?: components["schemas"]["DeliveryState"];
        /** @description With due-first, the response contains only pending deliveries. */
        order?: "newest-first" | "due-first";
        /** @description The maximum number of entries in the response. */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The deliveries. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Delivery"][];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  waitForDeliveries: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DeliveryWait"];
      };
    };
    responses: {
      /** @description The deliveries. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Delivery"][];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  readDelivery: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        deliveryId: components["parameters"]["deliveryId"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The delivery. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DeliveryWithAttempts"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  redeliver: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        deliveryId: components["parameters"]["deliveryId"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The current state of the delivery. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Delivery"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  duplicateDelivery: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        deliveryId: components["parameters"]["deliveryId"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The receiver's response. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Attempt"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  listSubscriptions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The subscriptions. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SubscriptionInForce"][];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  createSubscription: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SubscriptionRequest"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SubscriptionInForce"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  readSubscription: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The alias or id of the subscription. */
        subscriptionId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The subscription. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SubscriptionInForce"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  deleteSubscription: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The alias or id of the subscription. */
        subscriptionId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  patchSubscription: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The alias or id of the subscription. */
        subscriptionId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SubscriptionPatch"];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SubscriptionInForce"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  listen: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The alias or id of the subscription or, at a proxy, the name of the receiver. */
        subscriptionId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The messages. The schema describes their data. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/event-stream": components["schemas"]["Listening"] | components["schemas"]["ListenedDelivery"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  answerDelivery: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The alias or id of the subscription or, at a proxy, the name of the receiver. */
        subscriptionId: string;
        /** @description The attemptId of the message. */
        attemptId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListenerAnswer"];
      };
    };
    responses: {
      /** @description Received. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  recover: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The alias or id of the subscription. */
        subscriptionId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["Recover"];
      };
    };
    responses: {
      /** @description The number of repeated deliveries. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Recovered"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  readDeliveryMode: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The alias or id of the subscription. */
        subscriptionId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The mode. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DeliveryModeInForce"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  setDeliveryMode: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The alias or id of the subscription. */
        subscriptionId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DeliveryMode"];
      };
    };
    responses: {
      /** @description The mode. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DeliveryModeInForce"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  removeDeliveryMode: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The alias or id of the subscription. */
        subscriptionId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The delivery mode was removed. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  releaseDeliveries: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The alias or id of the subscription. */
        subscriptionId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["Release"];
      };
    };
    responses: {
      /** @description The released deliveries, and the number of deliveries that are still held. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Released"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  readInbox: {
    parameters: {
      query?: {
        /** @description The alias or id of a subscription. */
        subscription?: components["parameters"]["subscription"];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The received deliveries. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Received"][];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  emptyInbox: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The inbox was emptied. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  listFaults: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The faults. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Fault"][];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  addFault: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewFault"];
      };
    };
    responses: {
      /** @description The fault. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Fault"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  clearFaults: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description All faults were removed. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  removeFault: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        faultId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Removed. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  listRequests: {
    parameters: {
      query?: {
        /** @description Selects the requests to an operation of the service, or to authorize or token. */
        operation?: string;
        /** @description Selects a status, such as 404, or a class of statuses, such as 4xx. */
        status?: components["schemas"]["StatusFilter"];
        /** @description Selects a method. */
        method?: string;
        /** @description Selects the requests whose path, without the query, matches this pattern. * matches any text. */
        path?: string;
        /** @description Selects the requests of a client or principal (alias, name or id), or the requests with an access token (fingerprint). */
        credential?: string;
        /** @description Selects the responses whose problem type contains this id. It is the id of a rule, a decision, or one of the kit's own reasons, such as connections.get.not-found. */
        rule?: string;
        /** @description Selects the entries whose method and path, trace id, headers, bodies, client or principal contain this text, or the id of an entity whose name contains it. The letter case is ignored. */
        text?: string;
        /** @description Selects the entries after the entry with this number. */
        since?: number;
        /** @description Selects the entries before the entry with this number. For the next page, use the number of the last entry on this page. */
        before?: number;
        /** @description The maximum number of entries in the response. */
        limit?: number;
        /** @description With summary, the entries omit headers, bodies, `oauth` and `nextCursor`. */
        view?: "full" | "summary";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The entries. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["JournalEntry"][];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  clearRequests: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description All entries were removed. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  waitForRequest: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RequestWait"];
      };
    };
    responses: {
      /** @description The request. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["JournalEntry"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  readRequest: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        traceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The request. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["JournalEntry"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  listEvents: {
    parameters: {
      query?: {
        /** @description The type of the events. `raw` selects the payloads without a documented event type. */
        type?: string;
        /** @description The alias or id of the connection, assignment or user that the events are about. If the entity was deleted, use its id. */
        entity?: string;
        /** @description The alias or id of a subscription. */
        subscription?: components["parameters"]["subscription"];
        /** @description Selects the events with a delivery in this state. `failing` selects pending deliveries with a failed attempt. */
        state?: "failing" | "pending" | "acknowledged" | "exhausted" | "held";
        /** @description Selects the events before the event with this id. For the next page, use the last id on this page. */
        before?: components["schemas"]["Position"];
        /** @description The maximum number of events in the response. */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The events. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EventWithDeliveries"][];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  sendRawEvent: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RawEvent"];
      };
    };
    responses: {
      /** @description The delivery. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Delivery"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  readEvent: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the event. */
        event: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The event. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EventInDetail"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  triggerEvent: {
    parameters: {
      query?: {
        /** @description Who makes the change: an end user in the portal, or the platform. The events and the list of changes contain this actor. Some decisions depend on the actor (portal.same-state, portal.delete-with-numbers). Default: the portal for assignments and connections, the platform for other entities. */
        as?: components["parameters"]["as"];
      };
      header?: never;
      path: {
        /** @description The type of the event. */
        event: components["schemas"]["EventType"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["Trigger"];
      };
    };
    responses: {
      /** @description What happened. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Triggered"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  checkSignature: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SignatureRequest"];
      };
    };
    responses: {
      /** @description The result, whether or not the signature is valid. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CheckedSignature"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  readFindings: {
    parameters: {
      query?: {
        /** @description Checks only the calls after the journal entry with this number. */
        since?: number;
        /** @description `whole`: the client must read every list to the end. `parts`: the client may stop before the end of a list. */
        lists?: "whole" | "parts";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The verdict on each rule, and the documented responses that the client received. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Findings"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  listReports: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The reports. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Report"][];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  readReport: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The name of the report's folder, such as conformance-report, or the id of a check. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The report. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ReportWithPage"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  listChecks: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The checks. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Check"][];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  startCheck: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CheckRequest"];
      };
    };
    responses: {
      /** @description The check runs. readCheck returns its result. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Check"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  readCheck: {
    parameters: {
      query?: {
        /** @description The longest time to wait until the check has ended, in milliseconds of wall time. Default: 0. */
        waitMs?: number;
      };
      header?: never;
      path: {
        checkId: components["parameters"]["checkId"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The check, whether or not it has ended. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CheckWithResults"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  stopCheck: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        checkId: components["parameters"]["checkId"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The check is stopping, or had already ended. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  streamEverything: {
    parameters: {
      query?: {
        /** @description The kinds of messages to stream, separated by commas: requests, deliveries, events, checks, journal. Default: all except checks and journal. */
        only?: string;
      };
      header?: {
        /** @description The id of the message after which the stream continues. */
        "Last-Event-ID"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The messages. The schema describes their data. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/event-stream": components["schemas"]["JournalEntry"] | components["schemas"]["PublishedEvent"] | components["schemas"]["EndedAttempt"] | components["schemas"]["Dropped"] | components["schemas"]["JournalGrowth"] | components["schemas"]["Check"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  explainEvents: {
    parameters: {
      query?: {
        /** @description The type of the events. `raw` selects the payloads without a documented event type. */
        type?: string;
        /** @description The alias or id of the connection, assignment or user that the events are about. If the entity was deleted, use its id. */
        entity?: string;
        /** @description The alias or id of a subscription. */
        subscription?: components["parameters"]["subscription"];
        /** @description Selects the events after this position (from GET /_control/clock). If the value is the id of a delivery, selects the events after its event. */
        since?: components["schemas"]["Position"];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The explanation. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EventExplanation"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
  explain: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A trace id in any letter case, or the whole value of a `traceparent` header. */
        traceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The explanation. If the request succeeded, there is nothing to explain, and the response contains only facts about the request. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Explanation"];
        };
      };
      "4XX": components["responses"]["Refused"];
    };
  };
}
