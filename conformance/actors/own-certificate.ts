/**
 * What the suite's receiver shows on this machine when it is asked for https: a certificate for localhost that nobody has signed. It is no secret, and
 * proves nothing but that what comes is encrypted.
 */
export const ownCertificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgSB4G5ZAOoRsW+cjP
qZhRUO+KQvJc/zioBwdtKsSXQc+hRANCAAQNQ+/ENSlQPUVWVVDOlSx6Y6oT8+qS
/wadp6dOABLy6TURPI9EEdWs+WDb1jm8ZRM/m8Z/5gQGNLp24oxf1eM/
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBzzCCAXSgAwIBAgIUD9x+eWtNFrBcNIn0V4cl1hPIdQAwCgYIKoZIzj0EAwIw
JjEkMCIGA1UEAwwbQ29uZm9ybWFuY2Ugc3VpdGUsIHJlY2VpdmVyMCAXDTI2MTEy
MTE4MjkwOFoYDzIxMjYxMDI4MTgyOTA4WjAmMSQwIgYDVQQDDBtDb25mb3JtYW5j
ZSBzdWl0ZSwgcmVjZWl2ZXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQNQ+/E
NSlQPUVWVVDOlSx6Y6oT8+qS/wadp6dOABLy6TURPI9EEdWs+WDb1jm8ZRM/m8Z/
5gQGNLp24oxf1eM/o34wfDAdBgNVHQ4EFgQUEgGkohtMJVApTgJtGcDy7ImtY4Yw
HwYDVR0jBBgwFoAUEgGkohtMJVApTgJtGcDy7ImtY4YwLAYDVR0RBCUwI4IJbG9j
YWxob3N0hwR/AAABhxAAAAAAAAAAAAAAAAAAAAABMAwGA1UdEwEB/wQCMAAwCgYI
KoZIzj0EAwIDSQAwRgIhAO4BPZ2lS+ricXJakwhQu9eM+NG33Obv5C7b2Z89rt8i
AiEA3YxpkWxOuB2Mb39aIW1VegzIFARhC2R3B39XqAgWVnc=
-----END CERTIFICATE-----
`,
};
