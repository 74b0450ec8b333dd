import { z } from 'zod'
import type { Config } from '#control-plane/config.ts'

const place = z.string().nullable().meta({ description: 'Host, port and database, without name and password.' })

/** What an operator may see of the settings: each is named here, so that a new secret is not shown by default. */
export const Configuration = z.object({
  base_url: z.string(),
  postgres: place,
  clickhouse: place,
  temporal: z.object({ address: z.string().nullable(), namespace: z.string() }),
  mail: z
    .object({ host: z.string(), port: z.int(), is_tls: z.boolean(), from: z.string() })
    .nullable()
    .meta({ description: '`null`: mail is kept for the operator.' }),
  billing: z.enum(['none', 'manual', 'stripe']),
  sign_up: z.boolean(),
  hsts: z.string().nullable(),
  egress_allow: z.string(),
  egress_deny: z.string(),
  trusted_proxies: z.int(),
  cors_origins: z.array(z.string()),
  tenant_rate: z.int(),
  status_index: z.boolean().meta({ description: 'Whether `/status` lists public status pages.' }),
  data_folder: z.string().nullable().meta({ description: 'The data folder of `npm start`.' }),
  has_pages_folder: z.boolean(),
  has_breached_passwords: z.boolean(),
  earlier_secret_keys: z.int().meta({ description: 'How many earlier keys still open what they encrypted.' }),
  log_level: z.string(),
  database_pool: z.int(),
})

const placeOf = (url: string): string | null => {
  const parsed = URL.parse(url)
  return parsed && `${parsed.host}${parsed.pathname}`
}

export const configurationOf = (config: Config): z.input<typeof Configuration> => ({
  base_url: config.baseUrl,
  postgres: placeOf(config.databaseUrl),
  clickhouse: placeOf(config.clickhouseUrl),
  temporal: { address: config.temporal.address ?? null, namespace: config.temporal.namespace },
  mail: config.mail
    ? {
        host: config.mail.host,
        port: config.mail.port,
        is_tls: config.mail.isTls,
        from: config.mail.from.address,
      }
    : null,
  billing: !config.billing ? 'none' : config.billing.stripe ? 'stripe' : 'manual',
  sign_up: config.signUp,
  hsts: config.hsts ?? null,
  egress_allow: config.egressAllow,
  egress_deny: config.egressDeny,
  trusted_proxies: config.trustedProxies,
  cors_origins: [...config.corsOrigins],
  tenant_rate: config.tenantRate,
  status_index: config.statusIndex ?? false,
  data_folder: config.dataDir ?? null,
  has_pages_folder: config.pagesFolder !== undefined,
  has_breached_passwords:
    config.breachedPasswords.folder !== undefined || config.breachedPasswords.rangeUrl !== undefined,
  earlier_secret_keys: config.previousSecretKeys.length,
  log_level: config.logLevel,
  database_pool: config.poolSize,
})
