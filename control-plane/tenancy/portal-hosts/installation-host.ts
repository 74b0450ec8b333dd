import { isIP } from 'node:net'

/**
 * Whether a bare host is one of the installation: that of `BASE_URL`; addresses and localhost are how operators and
 * probes reach a process.
 */
export const isInstallationHost = (host: string, baseHost: string): boolean =>
  host === baseHost || host === 'localhost' || isIP(host.replace(/^\[|\]$/g, '')) !== 0
