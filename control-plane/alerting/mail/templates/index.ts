import type { MailType } from '#contract/mails.ts'
import type { Named } from '#control-plane/alerting/mail/content.ts'
import { templateOf } from '#control-plane/alerting/notifications/templates/index.ts'
import { accountMails } from './account.ts'
import { onCallMails } from './on-call.ts'
import { planMails } from './plan.ts'
import { reportMails } from './reports.ts'
import { statusPageMails } from './status-pages.ts'
import { teamMails } from './team.ts'
import type { MailTemplate, MailTemplates } from './template.ts'

/** Mails that say what channels read of the same event. */
const alerts = {
  incident_created: { ...templateOf('incident.created'), isAlert: true },
  incident_resolved: { ...templateOf('incident.resolved'), isAlert: true },
  escalation_notice: { ...templateOf('incident.escalated'), isAlert: true },
  escalation_exhausted: { ...templateOf('incident.escalation_exhausted'), isAlert: true },
  certificate_renewed: { ...templateOf('certificate.renewed'), isAlert: true },
  warning: { ...templateOf('warning.ssl_expiring'), isAlert: true },
} satisfies MailTemplates

const all = Object.entries({
  ...accountMails,
  ...onCallMails,
  ...planMails,
  ...reportMails,
  ...statusPageMails,
  ...teamMails,
  ...alerts,
} satisfies MailTemplates) as [MailType, MailTemplate][]

/** The templates of mails by type. Those of the type `event` are in `notifications/templates`. */
export const templates: ReadonlyMap<MailType, Named<MailTemplate>> = new Map(
  all.map(([name, template]) => [name, { area: 'mails', name, ...template }]),
)
