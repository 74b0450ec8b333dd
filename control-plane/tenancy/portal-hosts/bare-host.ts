/** The host of a `Host` header or of a TLS name: lower case, without port and last dot. Not checked any further. */
export const bareHost = (header: string): string =>
  header
    .toLowerCase()
    .replace(/:\d{1,5}$/, '')
    .replace(/\.$/, '')
