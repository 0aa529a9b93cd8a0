// Machine-written by `npm run generate` from openapi/openapi.yaml, openapi/asyncapi.yaml, openapi/authorization.yaml, openapi/control.yaml. Do not edit.

/**
 * References to the schemas in schemas.json, for `getSchema` of ajv. Schemas of queries are listed by name, of request bodies by
 * operation, of responses by operation and status, and of events by type. Responses without a body are left out.
 */
export const schemaReferences = {
  queries: {
    AssignabilityQuery: 'openapi#/$defs/AssignabilityQuery',
    AssignmentsListQuery: 'openapi#/$defs/AssignmentsListQuery',
    ConnectionsListQuery: 'openapi#/$defs/ConnectionsListQuery',
    UsersListQuery: 'openapi#/$defs/UsersListQuery',
    health: 'control#/$defs/health.query',
    info: 'control#/$defs/info.query',
    listOperations: 'control#/$defs/listOperations.query',
    listDecisions: 'control#/$defs/listDecisions.query',
    mintToken: 'control#/$defs/mintToken.query',
    dumpState: 'control#/$defs/dumpState.query',
    loadState: 'control#/$defs/loadState.query',
    listCollection: 'control#/$defs/listCollection.query',
    createEntity: 'control#/$defs/createEntity.query',
    readEntity: 'control#/$defs/readEntity.query',
    putEntity: 'control#/$defs/putEntity.query',
    deleteEntity: 'control#/$defs/deleteEntity.query',
    patchEntity: 'control#/$defs/patchEntity.query',
    reset: 'control#/$defs/reset.query',
    listSnapshots: 'control#/$defs/listSnapshots.query',
    saveSnapshot: 'control#/$defs/saveSnapshot.query',
    deleteSnapshot: 'control#/$defs/deleteSnapshot.query',
    readClock: 'control#/$defs/readClock.query',
    advanceClock: 'control#/$defs/advanceClock.query',
    listDeliveries: 'control#/$defs/listDeliveries.query',
    waitForDeliveries: 'control#/$defs/waitForDeliveries.query',
    readDelivery: 'control#/$defs/readDelivery.query',
    redeliver: 'control#/$defs/redeliver.query',
    listSubscriptions: 'control#/$defs/listSubscriptions.query',
    createSubscription: 'control#/$defs/createSubscription.query',
    readSubscription: 'control#/$defs/readSubscription.query',
    deleteSubscription: 'control#/$defs/deleteSubscription.query',
    patchSubscription: 'control#/$defs/patchSubscription.query',
    recover: 'control#/$defs/recover.query',
    readDeliveryMode: 'control#/$defs/readDeliveryMode.query',
    setDeliveryMode: 'control#/$defs/setDeliveryMode.query',
    removeDeliveryMode: 'control#/$defs/removeDeliveryMode.query',
    releaseDeliveries: 'control#/$defs/releaseDeliveries.query',
    readInbox: 'control#/$defs/readInbox.query',
    emptyInbox: 'control#/$defs/emptyInbox.query',
    listFaults: 'control#/$defs/listFaults.query',
    addFault: 'control#/$defs/addFault.query',
    clearFaults: 'control#/$defs/clearFaults.query',
    removeFault: 'control#/$defs/removeFault.query',
    listRequests: 'control#/$defs/listRequests.query',
    clearRequests: 'control#/$defs/clearRequests.query',
    waitForRequest: 'control#/$defs/waitForRequest.query',
    readRequest: 'control#/$defs/readRequest.query',
    sendRawEvent: 'control#/$defs/sendRawEvent.query',
    streamEverything: 'control#/$defs/streamEverything.query',
    explainEvents: 'control#/$defs/explainEvents.query',
    explain: 'control#/$defs/explain.query',
  },
  requests: {
    createExperienceAssignment: 'openapi#/$defs/ExperienceAssignmentCreate',
    createExperienceConnection: 'openapi#/$defs/ExperienceConnectionCreate',
    updateExperienceConnection: 'openapi#/$defs/ExperienceConnectionUpdate',
    mintToken: 'control#/$defs/TokenRequest',
    loadState: 'control#/$defs/World',
    createEntity: 'control#/$defs/createEntity.request',
    putEntity: 'control#/$defs/putEntity.request',
    patchEntity: 'control#/$defs/patchEntity.request',
    reset: 'control#/$defs/Reset',
    advanceClock: 'control#/$defs/Advance',
    waitForDeliveries: 'control#/$defs/DeliveryWait',
    createSubscription: 'control#/$defs/SubscriptionRequest',
    patchSubscription: 'control#/$defs/SubscriptionPatch',
    recover: 'control#/$defs/Recover',
    setDeliveryMode: 'control#/$defs/DeliveryMode',
    releaseDeliveries: 'control#/$defs/Release',
    addFault: 'control#/$defs/FaultRequest',
    waitForRequest: 'control#/$defs/RequestWait',
    sendRawEvent: 'control#/$defs/RawEvent',
  },
  responses: {
    getExperienceAssignability: {
      200: 'openapi#/$defs/AssignabilityResult',
      400: 'openapi#/$defs/Problem',
      401: 'openapi#/$defs/Problem',
      403: 'openapi#/$defs/Problem',
      404: 'openapi#/$defs/Problem',
      429: 'openapi#/$defs/Problem',
    },
    getExperienceAssignments: {
      200: 'openapi#/$defs/ExperienceAssignmentPage',
      400: 'openapi#/$defs/Problem',
      401: 'openapi#/$defs/Problem',
    },
    createExperienceAssignment: {
      201: 'openapi#/$defs/ExperienceAssignment',
      401: 'openapi#/$defs/Problem',
      409: 'openapi#/$defs/Problem',
      422: 'openapi#/$defs/Problem',
    },
    getExperienceAssignment: {
      200: 'openapi#/$defs/ExperienceAssignment',
      401: 'openapi#/$defs/Problem',
      404: 'openapi#/$defs/Problem',
    },
    deleteExperienceAssignment: {
      401: 'openapi#/$defs/Problem',
      403: 'openapi#/$defs/Problem',
      404: 'openapi#/$defs/Problem',
    },
    getExperienceConnections: {
      200: 'openapi#/$defs/ExperienceConnectionPage',
      400: 'openapi#/$defs/Problem',
      401: 'openapi#/$defs/Problem',
    },
    createExperienceConnection: {
      400: 'openapi#/$defs/Problem',
      401: 'openapi#/$defs/Problem',
      403: 'openapi#/$defs/Problem',
      409: 'openapi#/$defs/Problem',
      422: 'openapi#/$defs/Problem',
      '2XX': 'openapi#/$defs/ExperienceConnection',
    },
    getExperienceConnection: {
      200: 'openapi#/$defs/ExperienceConnection',
      401: 'openapi#/$defs/Problem',
      404: 'openapi#/$defs/Problem',
    },
    updateExperienceConnection: {
      400: 'openapi#/$defs/Problem',
      401: 'openapi#/$defs/Problem',
      403: 'openapi#/$defs/Problem',
      404: 'openapi#/$defs/Problem',
      409: 'openapi#/$defs/Problem',
      422: 'openapi#/$defs/Problem',
      '2XX': 'openapi#/$defs/ExperienceConnection',
    },
    deleteExperienceConnection: {
      401: 'openapi#/$defs/Problem',
      403: 'openapi#/$defs/Problem',
      404: 'openapi#/$defs/Problem',
      409: 'openapi#/$defs/Problem',
    },
    getUsers: {
      200: 'openapi#/$defs/UnifiedUserPage',
      400: 'openapi#/$defs/Problem',
      401: 'openapi#/$defs/Problem',
      403: 'openapi#/$defs/Problem',
      429: 'openapi#/$defs/Problem',
      500: 'openapi#/$defs/Problem',
      503: 'openapi#/$defs/Problem',
    },
    getUser: {
      200: 'openapi#/$defs/UnifiedUser',
      401: 'openapi#/$defs/Problem',
      403: 'openapi#/$defs/Problem',
      404: 'openapi#/$defs/Problem',
      429: 'openapi#/$defs/Problem',
      500: 'openapi#/$defs/Problem',
      503: 'openapi#/$defs/Problem',
    },
    health: {
      200: 'control#/$defs/Health',
      503: 'control#/$defs/Health',
      '4XX': 'control#/$defs/Problem',
    },
    info: {
      200: 'control#/$defs/Info',
      '4XX': 'control#/$defs/Problem',
    },
    listOperations: {
      200: 'control#/$defs/listOperations.200',
      '4XX': 'control#/$defs/Problem',
    },
    listDecisions: {
      200: 'control#/$defs/listDecisions.200',
      '4XX': 'control#/$defs/Problem',
    },
    mintToken: {
      201: 'control#/$defs/MintedToken',
      '4XX': 'control#/$defs/Problem',
    },
    dumpState: {
      200: 'control#/$defs/World',
      '4XX': 'control#/$defs/Problem',
    },
    loadState: {
      200: 'control#/$defs/Loaded',
      '4XX': 'control#/$defs/Problem',
    },
    listCollection: {
      200: 'control#/$defs/Entities',
      '4XX': 'control#/$defs/Problem',
    },
    createEntity: {
      201: 'control#/$defs/Entity',
      '4XX': 'control#/$defs/Problem',
    },
    readEntity: {
      200: 'control#/$defs/Entity',
      '4XX': 'control#/$defs/Problem',
    },
    putEntity: {
      200: 'control#/$defs/Entity',
      201: 'control#/$defs/Entity',
      '4XX': 'control#/$defs/Problem',
    },
    deleteEntity: {
      '4XX': 'control#/$defs/Problem',
    },
    patchEntity: {
      200: 'control#/$defs/Entity',
      '4XX': 'control#/$defs/Problem',
    },
    reset: {
      200: 'control#/$defs/Loaded',
      '4XX': 'control#/$defs/Problem',
    },
    listSnapshots: {
      200: 'control#/$defs/listSnapshots.200',
      '4XX': 'control#/$defs/Problem',
    },
    saveSnapshot: {
      200: 'control#/$defs/Snapshot',
      201: 'control#/$defs/Snapshot',
      '4XX': 'control#/$defs/Problem',
    },
    deleteSnapshot: {
      '4XX': 'control#/$defs/Problem',
    },
    readClock: {
      200: 'control#/$defs/Clock',
      '4XX': 'control#/$defs/Problem',
    },
    advanceClock: {
      200: 'control#/$defs/Advanced',
      '4XX': 'control#/$defs/Problem',
    },
    listDeliveries: {
      200: 'control#/$defs/listDeliveries.200',
      '4XX': 'control#/$defs/Problem',
    },
    waitForDeliveries: {
      200: 'control#/$defs/waitForDeliveries.200',
      '4XX': 'control#/$defs/Problem',
    },
    readDelivery: {
      200: 'control#/$defs/DeliveryWithAttempts',
      '4XX': 'control#/$defs/Problem',
    },
    redeliver: {
      200: 'control#/$defs/Delivery',
      '4XX': 'control#/$defs/Problem',
    },
    listSubscriptions: {
      200: 'control#/$defs/listSubscriptions.200',
      '4XX': 'control#/$defs/Problem',
    },
    createSubscription: {
      201: 'control#/$defs/SubscriptionInForce',
      '4XX': 'control#/$defs/Problem',
    },
    readSubscription: {
      200: 'control#/$defs/SubscriptionInForce',
      '4XX': 'control#/$defs/Problem',
    },
    deleteSubscription: {
      '4XX': 'control#/$defs/Problem',
    },
    patchSubscription: {
      200: 'control#/$defs/SubscriptionInForce',
      '4XX': 'control#/$defs/Problem',
    },
    recover: {
      200: 'control#/$defs/Recovered',
      '4XX': 'control#/$defs/Problem',
    },
    readDeliveryMode: {
      200: 'control#/$defs/DeliveryModeInForce',
      '4XX': 'control#/$defs/Problem',
    },
    setDeliveryMode: {
      200: 'control#/$defs/DeliveryModeInForce',
      '4XX': 'control#/$defs/Problem',
    },
    removeDeliveryMode: {
      '4XX': 'control#/$defs/Problem',
    },
    releaseDeliveries: {
      200: 'control#/$defs/Released',
      '4XX': 'control#/$defs/Problem',
    },
    readInbox: {
      200: 'control#/$defs/readInbox.200',
      '4XX': 'control#/$defs/Problem',
    },
    emptyInbox: {
      '4XX': 'control#/$defs/Problem',
    },
    listFaults: {
      200: 'control#/$defs/listFaults.200',
      '4XX': 'control#/$defs/Problem',
    },
    addFault: {
      201: 'control#/$defs/Fault',
      '4XX': 'control#/$defs/Problem',
    },
    clearFaults: {
      '4XX': 'control#/$defs/Problem',
    },
    removeFault: {
      '4XX': 'control#/$defs/Problem',
    },
    listRequests: {
      200: 'control#/$defs/listRequests.200',
      '4XX': 'control#/$defs/Problem',
    },
    clearRequests: {
      '4XX': 'control#/$defs/Problem',
    },
    waitForRequest: {
      200: 'control#/$defs/JournalEntry',
      '4XX': 'control#/$defs/Problem',
    },
    readRequest: {
      200: 'control#/$defs/JournalEntry',
      '4XX': 'control#/$defs/Problem',
    },
    sendRawEvent: {
      201: 'control#/$defs/Delivery',
      '4XX': 'control#/$defs/Problem',
    },
    streamEverything: {
      '4XX': 'control#/$defs/Problem',
    },
    explainEvents: {
      200: 'control#/$defs/EventExplanation',
      '4XX': 'control#/$defs/Problem',
    },
    explain: {
      200: 'control#/$defs/Explanation',
      '4XX': 'control#/$defs/Problem',
    },
  },
  events: {
    'experience.connection.created': 'asyncapi#/$defs/ExperienceConnectionCreated',
    'experience.connection.activated': 'asyncapi#/$defs/ExperienceConnectionActivated',
    'experience.connection.deactivated': 'asyncapi#/$defs/ExperienceConnectionDeactivated',
    'experience.connection.deleted': 'asyncapi#/$defs/ExperienceConnectionDeleted',
    'experience.assignment.created': 'asyncapi#/$defs/ExperienceAssignmentCreated',
    'experience.assignment.deleted': 'asyncapi#/$defs/ExperienceAssignmentDeleted',
    'provisioning.user.created': 'asyncapi#/$defs/ProvisioningUserCreated',
    'provisioning.user.deleted': 'asyncapi#/$defs/ProvisioningUserDeleted',
  },
  deliveryHeaders: 'asyncapi#/$defs/DeliveryHeaders',
  problem: 'openapi#/$defs/Problem',
  world: 'control#/$defs/World',
} as const;
