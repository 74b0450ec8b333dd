import { z } from 'zod'
import { line } from '#contract/line.ts'
import { decryptForChange } from '#control-plane/engine/assignments/check-secrets.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { checksOf } from '#control-plane/monitoring/checks/find.ts'
import { createMonitors } from './create-monitors.ts'
import type { WantedMonitor } from './draft.ts'
import { findMonitor } from './find.ts'
import { fieldNames, type MonitorFields } from './row.ts'
import { single } from './validate.ts'
import { MonitorView, readMonitors } from './view.ts'

const mostChars = 255
const suffix = ' (copy)'

export const cloneMonitor = endpoint({
  method: 'POST',
  path: '/monitors/{monitor}/clone',
  summary: 'Copy a monitor with its checks',
  description:
    'Of any type, with all settings and secrets of its checks, dependencies and its escalation policy. Without ' +
    '`external_ref`, which is unique, and without what was measured. The plan applies as to a new monitor. A job has ' +
    'a ping URL of its own; a server has no token: `POST /agent-monitors/{agent_monitor}/rotate-token` makes one.',
  access: { tenant: 'monitors:write', reseller: 'monitors:write' },
  body: z
    .object({ name: line(mostChars).optional().meta({ description: 'By default that of the monitor with “(copy)”.' }) })
    .meta({ id: 'MonitorClone' }),
  returns: created({ data: MonitorView }),

  async handle(context) {
    const { em, tenant, params, body, services } = context
    const row = await findMonitor(em, tenant, params.monitor)
    const fields = Object.fromEntries(
      fieldNames.flatMap(name => (name === 'group_name' ? [] : [[name, row[name]]])),
    ) as unknown as Omit<MonitorFields, 'group_name'>
    const checks = await checksOf(em, tenant, [row.id])
    const copy = {
      ...fields,
      name: body.name ?? row.name.slice(0, mostChars - suffix.length) + suffix,
      group: row.group_name,
      external_ref: null,
      // a job or a server without a page has an address that is made of its name
      url: row.type === 'website' || row.type === 'host' || /^https?:/i.test(row.url) ? row.url : undefined,
      checks: checks.map(({ id, type, interval, severity, is_enabled, settings, secrets }) => ({
        type,
        interval,
        severity,
        is_enabled,
        settings: decryptForChange(services.config, id, { settings, secrets }),
      })),
    } as WantedMonitor
    const [monitor] = await readMonitors(context, await createMonitors(context, [copy], single))
    return { data: monitor! }
  },
})
