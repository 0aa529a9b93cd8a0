export type Config = ReturnType<typeof readConfig>;

/**
 * Reads the configuration. Addresses have no trailing slash.
 * @throws Error that names a missing variable
 */
export function readConfig(env: NodeJS.ProcessEnv) {
  const read = (name: string): string => {
    const value = env[name];
    if (!value) throw new Error(`Set the environment variable ${name}.`);
    return value;
  };
  return {
    serviceUrl: read('SERVICE_URL'),
    authUrl: read('AUTH_URL'),
    clientId: read('CLIENT_ID'),
    clientSecret: read('CLIENT_SECRET'),
    /** The Experience that customers connect through this application. */
    experienceId: read('EXPERIENCE_ID'),
    /** The public URL of this application. The redirect URI is this URL with the path /callback. */
    publicUrl: read('PUBLIC_URL'),
    /** The folder for the two SQLite files. */
    dataFolder: read('DATA_FOLDER'),
  };
}
