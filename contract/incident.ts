import { z } from 'zod'

/** A moment as the wire has it: ISO 8601, UTC. */
export const time = z.string().meta({ format: 'date-time' })

/** What events and mails say of a monitor, with an example. */
export const aMonitor = { monitor_id: z.uuid(), monitor_name: z.string(), monitor_url: z.string() }
export const monitor = {
  monitor_id: '5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11',
  monitor_name: 'Shop',
  monitor_url: 'https://shop.example.com/',
}

/** What they say of an incident (the specification’s incident payload), with an example while it is open and once it is over. */
export const anIncident = {
  incident_id: z.uuid(),
  ...aMonitor,
  title: z.string(),
  status: z.string(),
  severity: z.string(),
  started_at: time,
  resolved_at: time.nullable(),
}
export const incident = {
  incident_id: '0b9f4e0a-3a8e-4b57-8c0c-2f9f3b1d5e21',
  ...monitor,
  title: 'Shop is down',
  status: 'investigating',
  severity: 'critical',
  started_at: '2026-01-15T08:30:00.000000Z',
  resolved_at: null,
}
export const resolved = { ...incident, status: 'resolved', resolved_at: '2026-01-15T08:42:10.000000Z' }
