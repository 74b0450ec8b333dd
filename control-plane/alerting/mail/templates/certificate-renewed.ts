import { certificateRenewed as words } from '#control-plane/alerting/notifications/templates/change.ts'
import { template } from './template.ts'

export const certificateRenewed = template({ type: 'certificate_renewed', isAlert: true, ...words })
