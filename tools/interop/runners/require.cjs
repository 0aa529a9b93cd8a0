const { createKit } = require('experience-provider-kit');

createKit({ port: 0 }).then((kit) => kit.close());
