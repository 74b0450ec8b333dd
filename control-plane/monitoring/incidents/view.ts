import { z } from 'zod'
import { severities } from '#contract/check.ts'
import { resolutionMeaning, resolutionOf, resolutions } from '#contract/incident.ts'
import { failedPhases, QuorumProof } from '#control-plane/engine/verdicts/proof.ts'
import { describedAs } from '#control-plane/http/described-as.ts'
import type { IncidentRow } from './row.ts'
import { incidentStatuses, visibilities } from './row.ts'

const time = z.string().meta({ format: 'date-time' })
const proof = z.record(z.string(), z.unknown())
const Evidence = z
  .object({
    error_code: z.string().nullable(),
    http_status: z.int().nullable(),
    phase: z.enum(failedPhases).nullable().meta({ description: 'Where it failed.' }),
    snippet: z.string().nullable().meta({ description: 'The beginning of the response; null after 30 days.' }),
  })
  .meta({ id: 'IncidentEvidence', description: 'The result of the first failing region.' })

/** An incident with its proof: the regions of the check, and the result of each. */
export const IncidentView = z
  .object({
    id: z.uuid(),
    number: z.int(),
    title: z.string(),
    cause: z.string().nullable(),
    monitor_id: z.uuid(),
    monitor_name: z.string(),
    monitor_url: z.string(),
    is_monitor_removed: z
      .boolean()
      .meta({ description: 'Its monitor was deleted since; name and address are as they were.' }),
    check_id: z.uuid().nullable(),
    check_type: z.string(),
    severity: z.enum(severities).meta({ id: 'Severity' }),
    status: z.enum(incidentStatuses).meta({ id: 'IncidentStatus' }),
    visibility: z
      .enum(visibilities)
      .meta({ id: 'Visibility' })
      .meta({ description: '`public`: it is published on a status page.' }),
    started_at: time,
    confirmed_at: time,
    resolved_at: time.nullable(),
    resolution: z
      .enum(resolutions)
      .meta({ id: 'IncidentResolution' })
      .nullable()
      .meta({ description: resolutionMeaning }),
    duration_s: z.int().meta({
      description:
        'How long it was down so far, or until its end: without maintenance that does not count or pauses checks, ' +
        'and without time that could not be measured, as uptime has it.',
    }),
    acknowledged_at: time.nullable(),
    acknowledged_by: z.uuid().nullable(),
    is_snoozed: z.boolean(),
    snoozed_until: time.nullable(),
    archived_at: time.nullable(),
    storm_id: z
      .uuid()
      .nullable()
      .meta({ description: 'The storm it was a part of: many monitors failed at once, of all hosts or of one.' }),
    maintenance_window_id: z.uuid().nullable().meta({ description: 'The maintenance window in which it was opened.' }),
    imported_from: z
      .string()
      .nullable()
      .meta({
        description:
          'The provider, and the account there, from which it was imported with its monitor; null: it is our own. An ' +
          'imported one has no proof, and uptime by our own formula does not count it.',
      }),
    quorum: describedAs(proof, QuorumProof),
    evidence: describedAs(proof, Evidence).nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Incident' })

export function viewIncident(row: IncidentRow): z.input<typeof IncidentView> {
  return {
    ...row,
    severity: severities.find(known => known === row.severity) ?? 'critical',
    status: incidentStatuses.find(known => known === row.status) ?? 'investigating',
    resolution: resolutionOf(row.resolution),
  }
}
