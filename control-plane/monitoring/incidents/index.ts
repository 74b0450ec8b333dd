import { acknowledgeIncident, unacknowledgeIncident } from './acknowledge.ts'
import { archiveIncident, unarchiveIncident } from './archive.ts'
import { batchAcknowledge } from './batch-acknowledge.ts'
import { getIncident } from './get.ts'
import { listIncidents } from './list.ts'
import { resolveIncident } from './resolve.ts'
import { snoozeIncident, unsnoozeIncident } from './snooze.ts'
import { updateIncident } from './update.ts'
import { listIncidentUpdates, postIncidentUpdate } from './updates.ts'

export const incidents = [
  listIncidents,
  getIncident,
  updateIncident,
  acknowledgeIncident,
  unacknowledgeIncident,
  snoozeIncident,
  unsnoozeIncident,
  archiveIncident,
  unarchiveIncident,
  listIncidentUpdates,
  postIncidentUpdate,
  resolveIncident,
  batchAcknowledge,
]
