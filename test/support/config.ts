import type { Config } from '#control-plane/config.ts'
import type { Databases } from './databases.ts'

/**
 * A control plane's configuration on these stores: free ports, no Temporal, nothing private reachable, nothing logged.
 */
export const configOn = (
  { appUrl, platformUrl, clickhouseUrl }: Pick<Databases, 'appUrl' | 'platformUrl' | 'clickhouseUrl'>,
  changes: Partial<Config> = {},
): Config => ({
  databaseUrl: appUrl,
  platformUrl,
  directUrl: undefined,
  clickhouseUrl,
  clickhouseCluster: undefined,
  temporal: { address: undefined, namespace: 'default' },
  host: '127.0.0.1',
  port: 0,
  metricsHost: '127.0.0.1',
  metricsPort: 0,
  baseUrl: 'http://localhost',
  secretKey: 'a secret key for tests, long enough for every use',
  previousSecretKeys: [],
  breachedPasswords: {},
  egressAllow: '',
  egressDeny: '',
  trustedProxies: 0,
  // many tests share one tenant
  tenantRate: 1_000_000_000,
  corsOrigins: [],
  signUp: true,
  logLevel: 'silent',
  poolSize: 6,
  ...changes,
})
