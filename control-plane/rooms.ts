import { apiKeys } from './access/api-keys/index.ts'
import { apiTokens } from './access/api-tokens/index.ts'
import { invitations } from './access/invitations/index.ts'
import { members } from './access/members/index.ts'
import { scim } from './access/scim/index.ts'
import { acknowledgeLinks } from './alerting/acknowledge-links/index.ts'
import { channels } from './alerting/channels/index.ts'
import { contactMethods } from './alerting/contact-methods/index.ts'
import { notificationLogs } from './alerting/deliveries/index.ts'
import { escalationPolicies } from './alerting/escalation-policies/index.ts'
import { mailSink } from './alerting/mail-sink/index.ts'
import { notificationGaps } from './alerting/notification-gaps/index.ts'
import { onCallSchedules } from './alerting/on-call-schedules/index.ts'
import { incidentNotifications } from './alerting/plan/index.ts'
import { mailRecipients } from './alerting/recipients/index.ts'
import { rules } from './alerting/rules/index.ts'
import { simulations } from './backtests/index.ts'
import { billing } from './billing/index.ts'
import { agents } from './engine/agents/index.ts'
import type { Endpoint } from './http/endpoint.ts'
import { resellerDocument } from './http/openapi/reseller-document.ts'
import { addressProof } from './identity/address-proof/index.ts'
import { digest } from './identity/digest/index.ts'
import { emailChange } from './identity/email-change/index.ts'
import { erasure } from './identity/erasure/index.ts'
import { mfa } from './identity/mfa/index.ts'
import { partnerSso } from './identity/partner-sso/index.ts'
import { passkeys } from './identity/passkeys/index.ts'
import { passwordReset } from './identity/password-reset/index.ts'
import { profile } from './identity/profile/index.ts'
import { securityPolicy } from './identity/security-policy/index.ts'
import { sessions } from './identity/sessions/index.ts'
import { sso } from './identity/sso/index.ts'
import { trustedDevices } from './identity/trusted-devices/index.ts'
import { migrations } from './importing/index.ts'
import { badges } from './monitoring/badges/index.ts'
import { checks } from './monitoring/checks/index.ts'
import { crawlRuns } from './monitoring/crawl-runs/index.ts'
import { dashboard } from './monitoring/dashboard/index.ts'
import { geoAudits } from './monitoring/geo-audits/index.ts'
import { incidents } from './monitoring/incidents/index.ts'
import { maintenanceWindows } from './monitoring/maintenance-windows/index.ts'
import { monitors } from './monitoring/monitors/index.ts'
import { objectives } from './monitoring/objectives/index.ts'
import { results } from './monitoring/results/index.ts'
import { statistics } from './monitoring/statistics/index.ts'
import { stream } from './monitoring/stream/index.ts'
import { tags } from './monitoring/tags/index.ts'
import { cronMonitors } from './passive/heartbeats/index.ts'
import { agentMonitors } from './passive/servers/index.ts'
import { vitals } from './passive/web-vitals/index.ts'
import { deadEvents } from './platform/dead-events/index.ts'
import { getPlatformInfo } from './platform/info/get.ts'
import { getPlatformHealth } from './platform/processes/health.ts'
import { quarantine } from './platform/quarantine/index.ts'
import { setup } from './platform/setup/index.ts'
import { customDomains } from './publishing/custom-domains/index.ts'
import { monthlyReports } from './publishing/monthly-reports/index.ts'
import { reports } from './publishing/reports/index.ts'
import { statusPages } from './publishing/status-pages/index.ts'
import { subscribers } from './publishing/status-pages/subscribers/index.ts'
import { emailSuppression } from './reselling/email-suppression/index.ts'
import { impersonation } from './reselling/impersonation/index.ts'
import { mailPreviews } from './reselling/mail-previews/index.ts'
import { managedTeams } from './reselling/managed-teams/index.ts'
import { monitorTemplates } from './reselling/monitor-templates/index.ts'
import { overview } from './reselling/overview/index.ts'
import { portal } from './reselling/portal/index.ts'
import { provisioningProfiles } from './reselling/provisioning-profiles/index.ts'
import { resellerTokens } from './reselling/reseller-tokens/index.ts'
import { signUp } from './reselling/sign-up/index.ts'
import { tenants } from './reselling/tenants/index.ts'
import { undeliveredMails } from './reselling/undelivered-mails/index.ts'
import { webhooks } from './reselling/webhooks/index.ts'
import { auditLog } from './tenancy/audit-log/index.ts'
import { branding } from './tenancy/branding/index.ts'
import { plans } from './tenancy/plans/index.ts'
import { smtp } from './tenancy/smtp/index.ts'
import { usage } from './tenancy/usage/index.ts'

/** The table of contents: every room's endpoints. */
export const endpoints: Endpoint[] = [
  ...setup,
  ...sessions,
  ...securityPolicy,
  ...apiTokens,
  ...apiKeys,
  ...profile,
  ...trustedDevices,
  ...passwordReset,
  ...emailChange,
  ...addressProof,
  ...digest,
  ...mfa,
  ...partnerSso,
  ...sso,
  ...passkeys,
  ...members,
  ...invitations,
  ...scim,
  ...erasure,
  ...plans,
  ...billing,
  ...usage,
  ...branding,
  ...smtp,
  ...monitors,
  ...agentMonitors,
  ...agents,
  ...checks,
  ...results,
  ...tags,
  ...incidents,
  ...maintenanceWindows,
  ...crawlRuns,
  ...objectives,
  ...statistics,
  ...simulations,
  ...geoAudits,
  ...migrations,
  ...vitals,
  ...badges,
  ...cronMonitors,
  ...acknowledgeLinks,
  ...channels,
  ...contactMethods,
  ...mailRecipients,
  ...rules,
  ...notificationGaps,
  ...notificationLogs,
  ...incidentNotifications,
  ...onCallSchedules,
  ...escalationPolicies,
  ...mailSink,
  ...dashboard,
  ...stream,
  ...reports,
  ...statusPages,
  ...monthlyReports,
  ...customDomains,
  ...subscribers,
  ...auditLog,
  getPlatformHealth,
  getPlatformInfo,
  ...quarantine,
  ...deadEvents,
  ...monitorTemplates,
  ...provisioningProfiles,
  ...resellerTokens,
  ...managedTeams,
  ...overview,
  ...impersonation,
  ...webhooks,
  ...emailSuppression,
  ...mailPreviews,
  ...undeliveredMails,
  ...portal,
  ...signUp,
  ...tenants,
  resellerDocument(() => endpoints),
]
