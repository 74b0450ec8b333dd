import { escalationExhausted as words } from '#control-plane/alerting/notifications/templates/incident.ts'
import { template } from './template.ts'

export const escalationExhausted = template({ type: 'escalation_exhausted', isAlert: true, ...words })
