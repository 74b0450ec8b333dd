import { effectiveLimits } from '#contract/plans.ts'
import { endpoint } from '#control-plane/kernel/endpoint.ts'
import { forbidden, invalid, Refusal } from '#control-plane/kernel/refusal.ts'
import { created } from '#control-plane/kernel/reply.ts'
import { NewCheck } from '#control-plane/monitoring/checks/input.ts'
import { createMonitors } from '#control-plane/monitoring/monitors/create-monitors.ts'
import { NewMonitor } from '#control-plane/monitoring/monitors/input.ts'
import { readUrl, single } from '#control-plane/monitoring/monitors/vet.ts'
import { answerCronMonitor } from './find.ts'
import { NewCronMonitor, plainPaths, settingsIn } from './input.ts'
import { CronMonitorView } from './view.ts'

export const createCronMonitor = endpoint({
  method: 'POST',
  path: '/cron-monitors',
  summary: 'Create a monitor of a job that reports by pings',
  description: 'Needs a schedule: a cron expression with its time zone, or a period. The first ping is expected from now on.',
  access: { tenant: 'monitors:write', reseller: 'monitors:write' },
  body: NewCronMonitor,
  returns: created({ data: CronMonitorView }),

  async handle(facts) {
    const { body, tenant, services } = facts
    if (!effectiveLimits(tenant.plan, tenant.featureOverrides).cron_heartbeats)
      throw forbidden('The plan does not include cron heartbeats.', 'cron_heartbeats_needed')
    const settings = settingsIn(body)
    if (settings.schedule_kind === undefined) throw invalid({ schedule: ['Give a cron expression, or period_minutes.'] })
    if (settings.schedule_kind === 'simple' && settings.period_minutes === undefined)
      throw invalid({ period_minutes: ['Say how many minutes lie between two pings.'] })
    const address = body.url === undefined ? { url: `cron://${slugOf(body.name)}` } : readUrl(body.url, 'cron', services.guard)
    if ('error' in address) throw invalid({ url: [address.error] })
    const { name, tags, group, notes, is_enabled, depends_on, external_ref, metadata } = body
    const usual = NewMonitor.parse({ name, url: 'https://example.com/' })
    const check = NewCheck.parse({ type: 'cron', settings, ...(body.severity && { severity: body.severity }) })
    const wanted = {
      ...usual,
      name,
      tags,
      group,
      notes,
      is_enabled,
      depends_on,
      external_ref,
      metadata,
      type: 'cron' as const,
      url: address.url,
      checks: [check],
    }
    const [id] = await createMonitors(facts, [wanted], single).catch((error: unknown) => {
      throw error instanceof Refusal && error.errors && error.code === 'invalid' ? invalid(plainPaths(error.errors)) : error
    })
    return answerCronMonitor(facts, id!)
  },
})

/** Stands where other monitors have an address. */
const slugOf = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60) || 'heartbeat'
