import { incidentResolved as words } from '#control-plane/alerting/notifications/templates/incident.ts'
import { template } from './template.ts'

export const incidentResolved = template({ type: 'incident_resolved', isAlert: true, ...words })
