import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from './columns.ts'

/** Incidents of checks, from opening to archive. */
export const Incident = defineEntity({
  name: 'Incident',
  tableName: 'incidents',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    monitorId: p.uuid(),
    checkId: p.uuid().nullable(),
    checkType: p.string().length(40),
    number: p.integer(),
    title: p.text(),
    cause: p.text().nullable(),
    severity: p.string().length(10),
    status: p.string().length(20).default('investigating'),
    visibility: p.string().length(10).default('internal'),
    startedAt: timestamp(),
    confirmedAt: timestamp(),
    resolvedAt: timestamp().nullable(),
    resolution: p.string().length(10).nullable(),
    acknowledgedAt: timestamp().nullable(),
    acknowledgedBy: p.uuid().nullable(),
    snoozedUntil: timestamp().nullable(),
    archivedAt: timestamp().nullable(),
    quorum: p.json<Record<string, unknown>>(),
    evidence: p.json<Record<string, unknown>>().nullable(),
    createdAt: timestamp().defaultRaw('now()'),
    updatedAt: timestamp().defaultRaw('now()'),
    notifiedAt: timestamp().nullable().defaultRaw('now()'),
    forwardedAt: timestamp().nullable().defaultRaw('now()'),
    suppressedBy: p.string().length(12).nullable(),
    stormId: p.uuid().nullable(),
    hostStormId: p.uuid().nullable(),
    hostKeys: p.array().nullable(),
    maintenanceWindowId: p.uuid().nullable(),
    importedFrom: p.string().length(150).nullable(),
    importedId: p.string().length(255).nullable(),
  },
})

/** The last number that a tenant gave to an incident. */
export const IncidentNumber = defineEntity({
  name: 'IncidentNumber',
  tableName: 'incident_numbers',
  properties: {
    tenantId: p.uuid().primary(),
    last: p.integer(),
  },
})

/** What was written about an incident. */
export const IncidentUpdate = defineEntity({
  name: 'IncidentUpdate',
  tableName: 'incident_updates',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    incidentId: p.uuid(),
    status: p.string().length(20),
    body: p.text(),
    userId: p.uuid().nullable(),
    createdAt: timestamp().defaultRaw('now()'),
  },
})
