import { z } from 'zod'
import { kindNames } from '#checks/index.ts'
import { allMonitorTypes, checkSeverities } from '#control-plane/monitoring/checks/input.ts'
import { Slo } from '#control-plane/monitoring/objectives/input.ts'
import type { TemplateRow } from './find.ts'
import { Variable } from './input.ts'

const time = z.string().meta({ format: 'date-time' })

export const TemplateView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    monitors: z.array(
      z.object({
        name_template: z.string(),
        url_template: z.string().nullable(),
        type: z.enum(allMonitorTypes),
        check_interval: z.int().nullable(),
        tags: z.array(z.string()),
        slo: Slo.nullable().default(null),
        secret_hosts: z.array(z.string()).default([]),
        checks: z.array(
          z.object({
            type: z.enum(kindNames),
            settings: z.record(z.string(), z.unknown()).meta({ description: 'Secrets are shown as eight asterisks.' }),
            interval: z.int().nullable().optional(),
            severity: z.enum(checkSeverities).optional(),
            is_enabled: z.boolean(),
          }),
        ),
      }),
    ),
    variables: z.array(Variable),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'MonitorTemplate' })

/** The reply drops undeclared fields such as the encrypted secrets. */
export const viewTemplate = (row: TemplateRow): z.input<typeof TemplateView> => row
