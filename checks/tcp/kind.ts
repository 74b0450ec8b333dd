import { z } from 'zod'
import { degradedAfterMs, ipVersion, judgeSpeed, port, timeoutMs } from '#checks/settings.ts'
import { checkKind } from '#contract/check.ts'
import { refuseSend } from './commands.ts'

const settings = z.object({
  port: port.meta({ description: 'Port to connect to.' }),
  send: z
    .string()
    .max(1_024)
    .nullable()
    .default(null)
    .meta({
      description:
        'Text sent once connected. On ports of mail, FTP, Redis and memcached only queries such as `EHLO name` or ' +
        '`PING`; on those of Telnet, IRC and printers nothing.',
    }),
  expect: z
    .string()
    .min(1)
    .max(255)
    .nullable()
    .default(null)
    .meta({ description: 'Text that must be in the first 4,096 bytes of the answer.' }),
  ip_version: ipVersion,
  timeout_ms: timeoutMs,
  degraded_after_ms: degradedAfterMs,
})

export const tcp = checkKind({
  name: 'tcp',
  summary: 'A port accepts connections and, if asked, answers as expected',
  isReachability: true,
  uptimeRank: 2,
  offered: { host: 'default', needs: 'port' },
  every: { default: 60, min: 1 },
  severity: 'critical',
  settings,
  backtestable: ['degraded_after_ms'],
  seen: z.object({
    /** Whether the expected text was received; null when none was expected. */
    matched: z.boolean().nullable(),
    banner: z.string().max(256).nullable(),
  }),

  judge(seen, settings, { phases }) {
    if (settings.expect !== null && seen.matched !== true)
      return { status: 'down', code: 'banner_mismatch', reason: 'The expected text did not come.' }
    return judgeSpeed(phases.total, settings.degraded_after_ms)
  },

  refuse(given): Record<string, string> {
    const { success, data } = settings.safeParse(given)
    const why = success ? refuseSend(data) : null
    return why === null ? {} : { send: why }
  },

  responseMs: (_, phases) => phases.connect,
})
