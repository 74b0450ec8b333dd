import { z } from 'zod'
import { degradedAfterMs, ipVersion, judgeSpeed, timeoutMs } from '#checks/settings.ts'
import { checkKind } from '#contract/check.ts'

const ms = z.number().nonnegative().nullable()
const percent = z.int().min(1).max(100)

export const ping = checkKind({
  name: 'ping',
  summary: 'A host answers ICMP echo requests',
  isReachability: true,
  uptimeRank: 3,
  offered: { host: 'default' },
  every: { default: 60, min: 1 },
  severity: 'critical',
  settings: z.object({
    packets: z
      .int()
      .min(1)
      .max(10)
      .default(5)
      .meta({ description: 'Echo requests sent in one run, a fifth of a second apart.' }),
    warn_loss_percent: percent
      .default(40)
      .meta({ description: 'Share of lost packets from which the result is a warning.' }),
    down_loss_percent: percent.default(100).meta({ description: 'Share of lost packets from which the host is down.' }),
    ip_version: ipVersion,
    timeout_ms: timeoutMs,
    degraded_after_ms: degradedAfterMs,
  }),
  backtestable: ['warn_loss_percent', 'down_loss_percent', 'degraded_after_ms'],
  seen: z.object({
    sent: z.int().min(1),
    received: z.int().nonnegative(),
    min_ms: ms,
    avg_ms: ms,
    max_ms: ms,
  }),

  judge(seen, settings) {
    const loss = lossPercent(seen)
    const reason = `${loss} % of ${seen.sent} packets were lost.`
    if (loss === 100) return { status: 'down', code: 'no_reply', reason: 'The host did not answer.' }
    if (loss >= settings.down_loss_percent) return { status: 'down', code: 'packet_loss', reason }
    if (loss >= settings.warn_loss_percent)
      return { status: 'warning', code: 'packet_loss', reason, event: 'warning.degraded_performance' }
    return judgeSpeed(seen.avg_ms, settings.degraded_after_ms)
  },

  responseMs: seen => seen.avg_ms,
})

/** Rounded down, so that only a host that never answered has lost all packets. */
export const lossPercent = (seen: { sent: number; received: number }) =>
  Math.floor((100 * Math.max(0, seen.sent - seen.received)) / seen.sent)
