import { z } from 'zod'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created, ok } from '#control-plane/http/reply.ts'
import { BulkChange, BulkChanges, BulkNew, bulkBytes } from './bulk-input.ts'
import { changeMonitors } from './change-monitors.ts'
import { createMonitors } from './create-monitors.ts'
import { NewMonitor } from './input.ts'
import { readEach } from './read-each.ts'
import { byIndex } from './validate.ts'
import { MonitorView, readMonitors, viewMonitors } from './view.ts'

/** Of a monitor whose name or address is wrong. */
const standIns = { name: 'any', url: 'example.com' }

export const createManyMonitors = endpoint({
  method: 'POST',
  path: '/monitors/bulk',
  operation: 'monitors.createMany',
  summary: 'Create up to 1,000 monitors, all or none',
  description:
    'When anything is wrong nothing is created, and `errors` names every reason by index, such as `monitors.3.url`.',
  access: { tenant: 'monitors:write', reseller: 'monitors:write' },
  body: BulkNew,
  bodyLimit: bulkBytes,
  returns: created({ data: z.array(MonitorView) }),

  async handle(context) {
    const { values, places, errors } = await readEach(NewMonitor, context.body.monitors, standIns)
    const ids = await createMonitors(context, values, index => byIndex(places[index]!), errors)
    return { data: await readMonitors(context, ids) }
  },
})

export const updateManyMonitors = endpoint({
  method: 'PATCH',
  path: '/monitors/bulk',
  operation: 'monitors.updateMany',
  summary: 'Change up to 1,000 monitors by id, all or none',
  description:
    'When anything is wrong nothing is changed, and `errors` names every reason by index, such as `monitors.3.url`.',
  access: { tenant: 'monitors:write', reseller: 'monitors:write' },
  body: BulkChanges,
  bodyLimit: bulkBytes,
  returns: ok({ data: z.array(MonitorView) }),

  async handle(context) {
    const { values, places, errors } = await readEach(BulkChange, context.body.monitors, {})
    const changed = await changeMonitors(context, values, index => byIndex(places[index]!), errors)
    return { data: await viewMonitors(context, changed) }
  },
})
