import { incidentEscalated as words } from '#control-plane/alerting/notifications/templates/incident.ts'
import { template } from './template.ts'

export const escalationNotice = template({ type: 'escalation_notice', isAlert: true, ...words })
