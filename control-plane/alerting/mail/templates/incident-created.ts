import { incidentCreated as words } from '#control-plane/alerting/notifications/templates/incident.ts'
import { template } from './template.ts'

export const incidentCreated = template({ type: 'incident_created', isAlert: true, ...words })
