import { warning as words } from '#control-plane/alerting/notifications/templates/warning.ts'
import { template } from './template.ts'

export const warning = template({ type: 'warning', isAlert: true, ...words })
