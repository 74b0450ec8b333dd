/** Paths that programs call: what they are refused is JSON, whatever they accept. */
const programs = /^\/(?:api|agent|ping|scim|metrics|healthz|livez|readyz)(?:\/|$)/

/** Whether a browser asks that shows its answer to a person: it names HTML; programs, scripts and `curl` do not. */
export const isForPerson = (accept: string | undefined): boolean => /\btext\/html\b/.test(accept ?? '')

export const isOfPrograms = (path: string): boolean => programs.test(path)
